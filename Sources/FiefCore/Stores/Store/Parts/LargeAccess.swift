import LMDB

/// The large collection of an object's property in a scope. Its elements are read one by one, and changed one
/// by one in a write.
///
/// It can be used while the scope lasts and the collection exists. A collection object checks ``isUsable``
/// first, and reads the property again if the value is false.
final class LargeAccess {
  let scope: AccessScope
  let marker: CollectionMarker
  /// Weak, because the collection can be used without a reference to its owner.
  private weak var owner: ObjectBase?
  /// The owner's record. The elements are read from it after the scope and the owner have ended.
  private var record: RecordCopy
  private let binding: ObjectBinding
  private let column: Table.CollectionColumn
  let collection: LargeCollection
  /// The first error of a read since this was set to nil.
  var failure: (any Error)?
  /// The ``version`` when the collection was last read.
  private var seen: Int

  var writer: RecordWriter? { (scope as? WriteTransaction)?.writer }
  /// A number that changes whenever the elements may have changed.
  var version: Int { writer?.collectionChanges ?? 0 }

  init?(_ marker: CollectionMarker, of owner: ObjectBase, columnID: UInt16) throws {
    guard let scope = owner._context?.currentScope, let record = owner._record,
      let column = record.binding.table.collections.first(where: { $0.column.id == columnID }),
      marker.belongs(to: columnID, of: record.binding.table.entry.id), column.column.type.kind != .embedded
    else { return nil }
    self.scope = scope
    self.marker = marker
    self.owner = owner
    self.record = record
    binding = record.binding
    self.column = column
    collection = try LargeCollection.at(
      marker,
      type: column.column.type,
      tables: (scope as? WriteTransaction)?.writer.tables ?? scope.store.tables,
      in: try scope.liveTransaction()
    )
    seen = -1
    guard isUsable else { return nil }
  }

  /// Whether the scope lasts and the collection still exists.
  var isUsable: Bool {
    guard scope.isUsable else { return false }
    if seen == version { return true }
    // If this read fails, the property is read again, and that read reports the failure.
    guard ((try? collection.count()) ?? nil) != nil else { return false }
    seen = version
    return true
  }

  /// Whether the elements can be changed in place.
  var isWritable: Bool { scope is WriteTransaction && owner?._context === scope.context }

  var type: ColumnType { column.column.type }

  func attempt<Value>(_ fallback: Value, _ body: () throws -> Value) -> Value {
    do { return try body() } catch {
      report(error)
      return fallback
    }
  }

  func report(_ error: any Error) {
    note(error)
    (scope as? WriteTransaction)?.fail(
      FiefError.described(error, store: scope.store.name, type: binding.table.name)
    )
    scope.store.report(error, type: binding.table.name, property: column.column.name)
  }

  func note(_ error: any Error) { failure = failure ?? error }

  /// Changes the collection. If this fails, the write fails.
  func change(_ body: (RecordWriter, RecordWriter.Owner) throws -> Void) {
    attempt(()) {
      guard let writer, let owner else { return }
      let key = try binding.key(of: owner)
      try key.withUnsafeBytes { try body(writer, RecordWriter.Owner(column, binding.table, $0)) }
      seen = version
    }
  }

  /// Saves the objects among elements that are about to be inserted. This may move the collection into its
  /// owner's record.
  ///
  /// - Returns: whether all objects were saved. If not, the write fails.
  func saveLinked<Element: RealmCollectionValue>(_ elements: some Collection<Element>) -> Bool {
    guard Element._linkType != nil || type.kind == .any, isWritable,
      let write = scope as? WriteTransaction
    else { return true }
    return attempt(false) {
      for element in elements { try save(element, in: write) }
      return true
    }
  }

  private func save(_ element: some RealmCollectionValue, in write: WriteTransaction) throws {
    if let object = element as? ObjectBase {
      if object._context !== scope.context { _ = try write.storedKey(of: object, column: column.column) }
    } else if type.kind == .any, let value = element as? AnyRealmValue {
      try value.forEachObject { object in
        if try object._context === scope.context || write.addLinked(object, of: column.column.name) { return }
        try write.checkStored(object, linkedBy: column.column.name)
      }
    }
  }

  /// Returns all elements if the tree can no longer be read here. After a scope, they are the elements of the
  /// owner's record. In a write that has replaced the collection, they are the owner's current elements.
  func lastingPayload(of owner: ObjectBase?) throws -> [UInt8] {
    if let owner { return try owner.largePayload(marker, columnID: column.column.id) }
    return try record.elements(of: column.column, for: nil, newestContext(of: nil))
  }

  /// Called when the owner is released; `record` is its last record.
  func leave(_ record: RecordCopy) { self.record = record }

  /// Returns the context of objects that are read from the collection after the scope has ended.
  func newestContext(of owner: ObjectBase?) -> ObjectContext { owner?._context ?? scope.store.newestContext }

  /// Returns false if an element is certainly not in the collection. For an object, backlinks can show this
  /// without a search through the elements.
  func mayHave(_ element: some RealmCollectionValue) throws -> Bool {
    guard let link = column.link, let object = element as? ObjectBase, let owner,
      let target = scope.context.key(of: object, as: Swift.type(of: object))
    else { return true }
    try writer?.flushLinks(along: link)
    let entry = CompositeKey(first: target, second: try binding.key(of: owner))
    return try entry.key.withUnsafeBytes { try scope.liveTransaction().get(link.backlinks, $0) } != nil
  }

  /// Returns the bytes of an element to insert, in the form of ``CollectionPayload/readElement(of:from:)``;
  /// nil outside a write. A new or changed object is saved first.
  func bytes(of element: some RealmCollectionValue) throws -> [UInt8]? {
    guard let object = element as? ObjectBase else {
      if let write = scope as? WriteTransaction { try save(element, in: write) }
      var writer = ValueWriter()
      try element._appendElement(to: &writer)
      return inSet(writer.bytes)
    }
    guard let write = scope as? WriteTransaction else { return nil }
    let key = try write.storedKey(of: object, column: column.column)
    return (type.isOptional ? [1] : []) + key
  }

  /// Returns the bytes of an element as a set stores them. Elements of lists and maps keep their bytes.
  func inSet(_ bytes: [UInt8]) -> [UInt8] {
    type.container == .set ? CollectionPayload.identity(of: bytes, type: type) : bytes
  }

  func run(of elements: [some RealmCollectionValue]) throws -> ElementRun {
    var writer = ValueWriter()
    var count = 0
    for element in elements {
      guard let bytes = try bytes(of: element) else { continue }
      bytes.withUnsafeBytes { CollectionPayload.append($0, type: type, to: &writer) }
      count += 1
    }
    return ElementRun(writer.bytes, count: count)
  }
}

extension WriteTransaction {
  /// Returns the key of an object to which a collection in the store will link. A new or changed object is
  /// saved first.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the column cannot link to the object, and of code
  ///   `objectNotFound` for a deleted object.
  func storedKey(of object: ObjectBase, column: ColumnEntry) throws -> [UInt8] {
    let binding = try store.binding(of: Swift.type(of: object))
    guard let object = object as? Object, binding.table.name == column.type.target else {
      throw FiefError(
        .invalidValue,
        "The property cannot hold objects of a subclass.",
        store: store.name,
        property: column.name,
        details: ["the property's type: \(column.type.target ?? "")", "the object's: \(binding.table.name)"]
      )
    }
    if try object._context !== context && !addLinked(object, of: column.name) {
      try checkStored(object, linkedBy: column.name)
    }
    return try binding.key(of: object)
  }

  /// Checks that the store contains an object that was read before.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound`.
  func checkStored(_ object: Object, linkedBy property: String) throws {
    if object is UndeclaredObject || object._context?.isAwaitingSave == true { return }
    let binding = try store.binding(of: Swift.type(of: object))
    let exists = try binding.key(of: object).withUnsafeBytes {
      try store.contains(binding.table, key: $0, in: try liveTransaction())
    }
    if !exists { throw FiefError.linkToDeleted(object, binding, from: nil, property: property, in: store) }
  }

  /// Saves an object to which an element links, if it is new or changed.
  ///
  /// - Parameter property: the property of the collection, for an error.
  /// - Returns: whether the object was saved.
  /// - Throws: ``FiefError`` of code `objectNotFound` if the object was deleted.
  @discardableResult
  func addLinked(_ object: Object, of property: String) throws -> Bool {
    if object._context === context { return false }
    if let link = object as? UndeclaredObject {
      try link.check(isOf: store)
      return false
    }
    let isStored = object._context?.store.map { $0.isSame(as: store) } ?? false
    let binding = try store.binding(of: Swift.type(of: object))
    guard !isStored || object.hasAssignedProperties(binding.descriptor) else { return false }
    let isGone = try isStored ? store.hasDeleted(object, binding) : object._wasDeleted
    if isGone, !store.reinsertsDeletedObjects {
      throw FiefError.linkToDeleted(object, binding, from: nil, property: property, in: store)
    }
    try add(object, update: .all)
    return true
  }
}

extension ObjectContext {
  /// Calls `body` with the transaction of the scope, or with a transaction of the newest state.
  func withTransaction<Value>(_ body: (LMDB.Transaction, StoreTables) throws -> Value) throws -> Value? {
    guard let store else { return nil }
    if let scope = currentScope {
      let tables = (scope as? WriteTransaction)?.writer.tables ?? store.tables
      return try body(try scope.liveTransaction(), tables)
    }
    return try store.read { transaction in
      try reads?.willReadAnything(in: transaction)
      return try body(transaction, store.tables)
    }
  }
}
