/// A failure in a store, with everything that is needed to find the place.
///
/// Every failure of a repository or a store is one of these: a ``code`` to switch over, a static ``message``
/// for people, and fields for whatever varies. Nothing is half done when one is thrown: the store is as it was
/// before the call, but for ``Code/unfinishedWrite`` and ``Code/unknownOutcome``, which describe its state.
public struct FiefError: Error, Sendable {
  /// The kinds of failure.
  public enum Code: String, Sendable, CaseIterable {
    /// The name of a store is empty, too long, or a path.
    case invalidStoreName
    /// The classes of a repository cannot be stored as they are declared.
    case invalidSchema
    /// The declared schema differs from the stored one and the version is the same.
    case migrationRequired
    /// The stored schema version is higher than the declared one.
    case versionTooLow
    /// Another process has migrated the store since it was opened.
    case schemaChanged
    /// The store was written by a newer Fief.
    case formatTooNew
    /// The store was written in a format that is no longer read.
    case formatTooOld
    /// The process has loaded a version of LMDB that writes another format than 0.9, and nothing was made; `details` names the
    /// version that was found and the version that is needed.
    case unsupportedLibrary
    /// The steps of a migration plan have versions that are missing, there twice, or out of order.
    case invalidMigrationPlan
    /// A migration block threw, or its result is not valid.
    case migrationFailed
    /// A file of the store is damaged or is not a store.
    case damagedStore
    /// One record is damaged or does not fit the catalogue.
    case damagedRecord
    /// The store is closed.
    case storeClosed
    /// The store was opened before this process was forked off from another one. A process that forks without another
    /// program opens its stores after that.
    case forkedProcess
    /// The store could not be opened for a reason of the file system.
    case cannotOpen
    /// The store is open somewhere, so that its files cannot be replaced.
    case storeInUse
    /// The store was opened for reading only.
    case readOnlyStore
    /// The type does not belong to the store.
    case unknownType
    /// The type has no property of that name.
    case unknownProperty
    /// The value is of the wrong type, or out of range.
    case invalidValue
    /// The document is not well-formed JSON.
    case malformedJSON
    /// A required value is missing.
    case missingValue
    /// The type has no primary key.
    case missingPrimaryKey
    /// The primary key is longer than a store can keep.
    case primaryKeyTooLong
    /// An object with that primary key exists.
    case duplicatePrimaryKey
    /// Another object has the same values in a unique index; `key` is the object that was to be saved, and
    /// `details` names the other one.
    case duplicateValue
    /// An object cannot be deleted while another one that stays is at the other end of a relationship whose rule
    /// is ``DeleteRule/deny``; `details` names that one.
    case deletionDenied
    /// Required links are nil, or relationships have fewer or more objects than they may; `type`, `property` and
    /// `key` are those of the first, and `details` has a line for each.
    case validationFailed
    /// No object with that key exists.
    case objectNotFound
    /// The query asks for something that cannot be answered: a property that does not exist, types that cannot
    /// be compared, an expression that is not supported.
    case invalidQuery
    /// The text of a query does not follow the grammar; `details` has the place and the expected text.
    case malformedQuery
    /// The cursor belongs to another query, or is no cursor.
    case invalidCursor
    /// A repository was used outside of the fresh stores of a process that tests; see `FiefTesting`.
    case outsideOfTest
    /// The object belongs to another store.
    case foreignObject
    /// Managers with different directories have the repository, and the value that is used belongs to none of them.
    case ambiguousRepository
    /// The repository belongs to another manager, or is none of the manager's.
    case foreignRepository
    /// An embedded object has an owner already.
    case embeddedObjectHasOwner
    /// A write was begun inside another write, of the same store or of another one.
    case nestedWrite
    /// Too many bytes of writes wait in the queue whose callers do not wait for them; nothing was done.
    case writeQueueFull
    /// A write to several stores takes place, although one of them does not have its part yet: it cannot be opened,
    /// or its disk is full. It is not to be made again.
    case unfinishedWrite
    /// The write was refused and does not take place, because an earlier write to several stores is not finished in
    /// the store, and could not be finished now.
    case blockedByUnfinishedWrite
    /// The transaction has ended.
    case transactionEnded
    /// Objects that the write depends on were changed by others since they were read, so that it did not take place;
    /// `details` has a line for each. They are to be read again. Also the error of a large collection that was not loaded, and that
    /// others have changed or deleted since its object was read.
    case conflict
    /// An optimistic transaction was to read something after its first write.
    case readAfterWrite
    /// The body of an optimistic transaction read through the store. The transaction does not notice if that data changes.
    case untrackedRead
    /// The disk is full, or the configured limit of the store is reached.
    case storeFull
    /// Too many readers at once.
    case tooManyReaders
    /// Readers that do not end keep the store from growing.
    case readersBlockGrowth
    /// The write was cancelled before it began, or the task while it waited for a fetch or for its turn.
    case cancelled
    /// Too many calls were made in the time of a throttle; ``FiefError/retryAfter`` says when there is room.
    case throttled
    /// A fetch of a cache waits for itself, alone or through other fetches.
    case fetchCycle
    /// A class asks for an encrypted store, and the store is not encrypted.
    case encryptionRequired
    /// The store is encrypted, and was opened without a key.
    case encrypted
    /// The store is not encrypted, and was opened with a key.
    case notEncrypted
    /// The store is encrypted with another key.
    case wrongKey
    /// The key cannot be had or is no key: its length, its file.
    case invalidKey
    /// Input or output failed; a write that throws this has not taken place. Where the disk has failed in a commit, reading
    /// throws this until a write has opened the store again, as each tries to, or it is closed and opened.
    case inputOutput
    /// Input or output failed in a commit, and whether the write took place is not known. The state of the file is
    /// determined, and brought to the disk, before the store is next written to; until then reading throws
    /// ``inputOutput``. Check in a write whether the change is there before it is made again. A write to several stores is then in all of them or in none, once each was opened.
    case unknownOutcome
    /// A signal interrupted a call of the system; nothing was changed, and the call can be made again.
    case interrupted
    /// Another failure of the storage layer.
    case storage
  }

  /// One reference, so that functions which may throw an error need not keep space for all of its fields.
  private var fields: Fields

  /// The kind of failure.
  public var code: Code {
    get { fields.code }
    set { edit { $0.code = newValue } }
  }
  /// The description of the failure, in one sentence without variables.
  public var message: String {
    get { fields.message }
    set { edit { $0.message = newValue } }
  }
  /// The store's name.
  public var store: String? {
    get { fields.store }
    set { edit { $0.store = newValue } }
  }
  /// The object type's name.
  public var type: String? {
    get { fields.type }
    set { edit { $0.type = newValue } }
  }
  /// The property's name.
  public var property: String? {
    get { fields.property }
    set { edit { $0.property = newValue } }
  }
  /// The object's key, as text.
  public var key: String? {
    get { fields.key }
    set { edit { $0.key = newValue } }
  }
  /// The place in a document or a file: a path such as `$.dogs[3].age`, or a file path.
  public var path: String? {
    get { fields.path }
    set { edit { $0.path = newValue } }
  }
  /// Further lines: each difference, each violation, the offending value. They have values only on request:
  /// see ``showsValues`` and ``showingValues()``.
  public var details: [String] {
    get { fields.details.map { HiddenValue.resolved($0, isShown: isShowing) } }
    set { edit { $0.details = newValue } }
  }
  /// The lines with the values that are shown on request.
  var lines: [String] {
    get { fields.details }
    set { edit { $0.details = newValue } }
  }
  /// Whether the texts have values.
  var isShowing: Bool {
    get { fields.isShowing || Self.showsValues }
    set { edit { $0.isShowing = newValue } }
  }
  /// The time after which the same call may succeed, of an error of code ``Code/throttled``; nil for others.
  public var retryAfter: Duration? {
    get { fields.retryAfter }
    set { edit { $0.retryAfter = newValue } }
  }
  /// The error below this one.
  public var underlying: (any Error)? {
    get { fields.underlying }
    set { edit { $0.underlying = newValue } }
  }

  /// Makes an error.
  public init(
    _ code: Code,
    _ message: String,
    store: String? = nil,
    type: String? = nil,
    property: String? = nil,
    key: String? = nil,
    path: String? = nil,
    details: [String] = [],
    underlying: (any Error)? = nil
  ) {
    fields = Fields(code, message)
    fields.store = store
    fields.type = type
    fields.property = property
    fields.key = key
    fields.path = path
    fields.details = details
    fields.underlying = underlying
  }

  private mutating func edit(_ body: (Fields) -> Void) {
    if !isKnownUniquelyReferenced(&fields) { fields = Fields(fields) }
    body(fields)
  }
}

extension FiefError: CustomStringConvertible {
  /// The message with every field that is set; of values and keys only the lengths, unless they are shown.
  public var description: String {
    var text = "\(code.rawValue): \(message)"
    let fields: [(String, String?)] = [
      ("store", store), ("type", type), ("property", property), ("key", keyText), ("path", path),
    ]
    let present = fields.compactMap { name, value in value.map { "\(name): \($0)" } }
    if !present.isEmpty { text += " [" + present.joined(separator: ", ") + "]" }
    for detail in details { text += "\n  - \(detail)" }
    if let underlying { text += "\n  caused by: \(self.text(of: underlying))" }
    return text
  }
}
