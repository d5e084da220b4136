/// A failure in a store, with everything that is needed to find the cause.
///
/// Every failure of a repository or a store is a `FiefError`: a ``code`` to switch over, a static ``message``
/// to show, and fields for variable parts. When an error is thrown, nothing is half done: the store is
/// unchanged. The exceptions are ``Code/unfinishedWrite`` and ``Code/unknownOutcome``, whose descriptions
/// explain the state of the store.
public struct FiefError: Error, Sendable {
  /// The kinds of failures.
  public enum Code: String, Sendable, CaseIterable {
    /// The name of a store is empty, too long, or a path.
    case invalidStoreName
    /// The classes of a repository cannot be stored as declared.
    case invalidSchema
    /// The declared schema differs from the stored schema, but the version is the same.
    case migrationRequired
    /// The stored schema version is higher than the declared one.
    case versionTooLow
    /// Another process has migrated the store since it was opened.
    case schemaChanged
    /// The store was written by a newer version of Fief.
    case formatTooNew
    /// The store was written in a format that can no longer be read.
    case formatTooOld
    /// The process has loaded a version of LMDB whose format differs from 0.9, and nothing was written.
    /// `details` names the loaded version and the required version.
    case unsupportedLibrary
    /// A migration plan has steps whose versions are missing, duplicated or out of order.
    case invalidMigrationPlan
    /// A migration block threw an error, or its result is invalid.
    case migrationFailed
    /// A file of the store is damaged or is not a store.
    case damagedStore
    /// One record is damaged or does not fit the catalogue.
    case damagedRecord
    /// The store is closed.
    case storeClosed
    /// The store was opened before this process was forked. Open stores after `fork` if the child does not
    /// call `exec`.
    case forkedProcess
    /// The store could not be opened because of a problem in the file system.
    case cannotOpen
    /// The store is open somewhere, so its files cannot be replaced.
    case storeInUse
    /// The store was opened for reading only.
    case readOnlyStore
    /// The type does not belong to the store.
    case unknownType
    /// Only the product that declares the class writes its objects. They can be read.
    case managedType
    /// The type has no property with that name.
    case unknownProperty
    /// The value has the wrong type or is out of range.
    case invalidValue
    /// The document is not well-formed JSON.
    case malformedJSON
    /// A name in a JSON tree is empty, too long or reserved, or contains a character that names must not
    /// contain. `details` has the path, the name and the character.
    case invalidTreeKey
    /// A path of a JSON tree, or a written value, has more levels than a tree.
    case treeTooDeep
    /// A text, or a whole read or write of a JSON tree, is larger than its limit.
    case valueTooLarge
    /// Two paths of one update of a JSON tree are equal, or one of them leads to the other.
    case overlappingPaths
    /// The value of a server was asked for, but the JSON tree is not connected to one.
    case notConnected
    /// A write to the place of a waiting transaction of a JSON tree, or to a place above or below it, has
    /// ended the transaction.
    case overridden
    /// The program ended while a transaction of a JSON tree waited for its server, so its result is unknown to
    /// the program.
    case transactionLost
    /// The access rules of a JSON tree refuse a read or a write of a client. `details` has the path and the
    /// rule.
    case permissionDenied
    /// A file of access rules has an error. `details` has its line and its column.
    case malformedRules
    /// A query of a JSON tree has a bound but no order.
    case orderRequired
    /// A query of all nodes with a name needs an index, which the rules of the tree do not declare.
    case indexRequired
    /// A required value is missing.
    case missingValue
    /// The type has no primary key.
    case missingPrimaryKey
    /// The primary key is longer than the limit of a store.
    case primaryKeyTooLong
    /// An object with the same primary key exists.
    case duplicatePrimaryKey
    /// Another object has the same values in a unique index. `key` is the object that was to be saved;
    /// `details` names the other object.
    case duplicateValue
    /// An object cannot be deleted because another object, which is not deleted with it, is at the other end
    /// of a relationship with the rule ``DeleteRule/deny``. `details` names the other object.
    case deletionDenied
    /// Required links are nil, or relationships have fewer or more objects than allowed. `type`, `property`
    /// and `key` describe the first violation; `details` has a line for each violation.
    case validationFailed
    /// No object with the key exists.
    case objectNotFound
    /// The query cannot be answered: it uses a property that does not exist, compares incompatible types, or
    /// contains an unsupported expression.
    case invalidQuery
    /// The text of a query violates the grammar. `details` has the position and the expected text.
    case malformedQuery
    /// The cursor belongs to another query, or is invalid.
    case invalidCursor
    /// A repository was used outside of the fresh stores of a test process; see `FiefTesting`.
    case outsideOfTest
    /// The object belongs to another store.
    case foreignObject
    /// Several managers with different directories have the repository, and the value that is used belongs to
    /// no manager.
    case ambiguousRepository
    /// The repository belongs to another manager, or the manager does not have it.
    case foreignRepository
    /// The embedded object already has an owner.
    case embeddedObjectHasOwner
    /// A write was begun inside another write of the same store or of another store.
    case nestedWrite
    /// The queue of writes whose callers do not wait contains too many bytes. Nothing was done.
    case writeQueueFull
    /// A write to several stores succeeded, but one of the stores could not apply its part yet, because the
    /// store cannot be opened or its disk is full. Do not repeat the write.
    case unfinishedWrite
    /// The write was refused and has changed nothing, because an earlier write to several stores is
    /// unfinished in this store and could not be finished now.
    case blockedByUnfinishedWrite
    /// The transaction has ended.
    case transactionEnded
    /// Another task or process has changed objects that the write depends on since they were read, so nothing
    /// was written. `details` has a line for each object. Read the objects again before you retry. This error
    /// is also thrown for a large collection that was not loaded yet and that another write has changed or
    /// deleted since its object was read.
    case conflict
    /// An optimistic transaction attempted to read after its first write.
    case readAfterWrite
    /// The body of an optimistic transaction read through the store. The transaction does not notice if that
    /// data changes.
    case untrackedRead
    /// The disk is full, or the store has reached its configured limit.
    case storeFull
    /// Too many readers are active.
    case tooManyReaders
    /// Long-running readers keep the store from growing.
    case readersBlockGrowth
    /// The write was cancelled before it began, or the task was cancelled while it waited for a fetch or for
    /// its turn.
    case cancelled
    /// Too many calls were made within the period of a throttle. ``FiefError/retryAfter`` is the time to
    /// wait.
    case throttled
    /// A fetch of a cache waits for itself, directly or through other fetches.
    case fetchCycle
    /// A class requires an encrypted store, and the store is not encrypted.
    case encryptionRequired
    /// The store is encrypted, but was opened without a key.
    case encrypted
    /// The store is not encrypted, but was opened with a key.
    case notEncrypted
    /// The store is encrypted with another key.
    case wrongKey
    /// The key is unavailable or invalid, for example because of its length or its file.
    case invalidKey
    /// Input or output failed. A write that throws this error has changed nothing. If the disk failed during
    /// a commit, reads throw this error until a write has reopened the store, which every write attempts, or
    /// the store is closed and opened again.
    case inputOutput
    /// Input or output failed during a commit, and it is unknown whether the write was committed. Before the
    /// next write to the store, Fief determines the state of the file and syncs it to the disk; until then
    /// reads throw ``inputOutput``. Before you repeat the write, check inside a write whether the store
    /// contains the change. Once all of its stores have been opened, a write to several stores is either in
    /// all of them or in none.
    case unknownOutcome
    /// A signal interrupted a system call. Nothing was changed; the call can be repeated.
    case interrupted
    /// Any other failure of the storage layer.
    case storage
  }

  /// The contents in one reference, so that functions that may throw an error do not reserve space for all
  /// fields.
  private var fields: Fields

  /// The kind of the failure.
  public var code: Code {
    get { fields.code }
    set { edit { $0.code = newValue } }
  }
  /// The description of the failure, in one sentence without variable parts.
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
  /// The location in a document or a file: a path such as `$.dogs[3].age`, or a file path.
  public var path: String? {
    get { fields.path }
    set { edit { $0.path = newValue } }
  }
  /// Further lines: each difference, each violation, the invalid value. Values are shown only on request: see
  /// ``showsValues`` and ``showingValues()``.
  public var details: [String] {
    get { fields.details.map { HiddenValue.resolved($0, isShown: isShowing) } }
    set { edit { $0.details = newValue } }
  }
  /// The lines, including the values that are shown on request.
  var lines: [String] {
    get { fields.details }
    set { edit { $0.details = newValue } }
  }
  /// Whether the texts show values.
  var isShowing: Bool {
    get { fields.isShowing || Self.showsValues }
    set { edit { $0.isShowing = newValue } }
  }
  /// The time after which the same call may succeed, for an error of code ``Code/throttled``; `nil` for other
  /// errors.
  public var retryAfter: Duration? {
    get { fields.retryAfter }
    set { edit { $0.retryAfter = newValue } }
  }
  /// The underlying error.
  public var underlying: (any Error)? {
    get { fields.underlying }
    set { edit { $0.underlying = newValue } }
  }

  /// Creates an error.
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
  /// The message and every field that is set. Values and keys are replaced by their lengths unless they are
  /// shown.
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
