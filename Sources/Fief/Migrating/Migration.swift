import LMDB

/// Brings the data of a store from an old schema version to a new one; it may throw, which leaves the
/// store as it was.
public typealias MigrationBlock = @Sendable (Migration, UInt64) throws -> Void

/// What a migration block works with: the objects as they are in the store, and as they will be.
///
/// Everything happens in one transaction. The objects are valid inside of the block only.
public final class Migration {
  let configuration: StoreConfiguration
  let writer: RecordWriter
  let old: StoreTables
  /// The state before the migration: old objects are read from it, whatever was rewritten meanwhile.
  let oldTransaction: LMDB.Transaction
  var new: StoreTables
  var catalogue: Catalogue
  /// The version that the store has.
  public let oldSchemaVersion: UInt64
  /// The types with records that were written in this migration, so that a rename has to copy values.
  var rewritten: Set<String> = []
  /// The first error of a step of the block, which cannot throw itself; nothing is done after it.
  var failure: (any Error)?

  init(
    configuration: StoreConfiguration,
    writer: RecordWriter,
    old: StoreTables,
    oldTransaction: LMDB.Transaction,
    new: StoreTables,
    catalogue: Catalogue,
    oldSchemaVersion: UInt64
  ) {
    self.oldSchemaVersion = oldSchemaVersion
    self.configuration = configuration
    self.writer = writer
    self.old = old
    self.oldTransaction = oldTransaction
    self.new = new
    self.catalogue = catalogue
  }

  /// Calls a closure with each object of a type: as it was, and as it will be.
  ///
  /// Assignments to the new object are written when the closure returns. The objects are those from before
  /// the migration that were not deleted in it; of a type that is new, those that were created, with nil
  /// for the old object. The new object is nil where the type is removed. Objects are read one by one:
  /// memory does not grow with their number.
  ///
  /// A type that the store does not have and wrong assignments end the migration with an error.
  ///
  /// - Parameters:
  ///   - typeName: the type's name in the store.
  ///   - block: gets the old and the new object.
  /// - Throws: what the block throws.
  public func enumerateObjects(
    ofType typeName: String,
    _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
  ) rethrows {
    var position: [UInt8]?
    while let next = attempt(nil, { try nextObjects(ofType: typeName, after: position) }) {
      position = next.key
      if next.isDeleted { continue }
      try block(next.old, next.new)
      attempt(()) { try next.new?.write() }
    }
  }

  private struct Pair {
    let key: [UInt8]
    let old: MigrationObject?
    let new: MigrationObject?
    /// Whether the object was there before the migration and is no longer.
    let isDeleted: Bool
  }

  private func nextObjects(ofType typeName: String, after position: [UInt8]?) throws -> Pair? {
    let oldTable = old[typeName]
    let newTable = new[typeName]
    guard let source = oldTable?.records ?? newTable?.records else { throw unknownType(typeName) }
    let transaction = oldTable == nil ? writer.transaction : oldTransaction
    guard let (key, record) = try nextRecord(in: source, of: transaction, after: position) else { return nil }
    let oldObject = try oldTable.map {
      try MigrationObject(self, table: $0, key: key, record: record, isNew: false)
    }
    let newObject = try newTable.flatMap { try currentObject(of: $0, key: key) }
    return Pair(key: key, old: oldObject, new: newObject, isDeleted: newTable != nil && newObject == nil)
  }

  /// Adds an object of a type of the new schema.
  ///
  /// Unknown properties, wrong values and a primary key that exists end the migration with an error.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - values: the values by property; the others get the defaults of the class.
  /// - Returns: the new object; what is assigned to it is written.
  @discardableResult
  public func create(_ typeName: String, value values: [String: Any] = [:]) -> MigrationObject {
    attempt(nil) { try made(typeName, values) } ?? MigrationObject(failedIn: self, typeName: typeName)
  }

  private func made(_ typeName: String, _ values: [String: Any]) throws -> MigrationObject {
    guard let table = new[typeName], let records = table.records else { throw unknownType(typeName) }
    let object = try MigrationObject.make(self, table: table, values: values)
    rewritten.insert(typeName)
    try object.key.bytes.withUnsafeBytes { key in
      guard try writer.transaction.get(records, key) == nil else {
        throw FiefError(
          .duplicatePrimaryKey,
          "An object with the primary key exists.",
          store: configuration.name,
          type: typeName,
          key: object.key.description
        )
      }
    }
    try object.write()
    return object
  }

  /// Deletes an object. One of a type that the new schema does not have ends the migration with an error.
  public func delete(_ object: MigrationObject) {
    attempt(()) {
      guard let table = new[object.typeName] else { throw unknownType(object.typeName) }
      object.isDeleted = true
      _ = try object.key.bytes.withUnsafeBytes { try writer.delete(key: $0, from: table) }
    }
  }

  /// Deletes every object of a type.
  ///
  /// - Returns: whether the store has the type.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    guard let table = new[typeName] ?? old[typeName] else { return false }
    attempt(()) { try writer.deleteAll(from: table) }
    return true
  }

  /// Does a step of the block, unless one before it has failed; the migration then ends with that error.
  ///
  /// Realm's interface does not throw here, and blocks that are written for it have to compile.
  @discardableResult
  func attempt<Value>(_ fallback: Value, _ step: () throws -> Value) -> Value {
    guard failure == nil else { return fallback }
    do {
      let value = try step()
      return failure == nil ? value : fallback
    } catch {
      failure = error
      return fallback
    }
  }

  func unknownType(_ name: String) -> FiefError {
    FiefError(.unknownType, "The store has no such type.", store: configuration.name, type: name)
  }

  private func currentObject(of table: Table, key: [UInt8]) throws -> MigrationObject? {
    guard let records = table.records else { return nil }
    return try key.withUnsafeBytes { bytes in
      guard let record = try writer.transaction.get(records, bytes) else { return nil }
      return try MigrationObject(self, table: table, key: key, record: [UInt8](record), isNew: true)
    }
  }

  /// The record after a key, copied, so that writing may go on.
  func nextRecord(
    in database: Database,
    of transaction: LMDB.Transaction,
    after key: [UInt8]?
  ) throws -> (key: [UInt8], record: [UInt8])? {
    let cursor = try transaction.cursor(database)
    if let key {
      guard try key.withUnsafeBytes({ try cursor.seek(atOrAfter: $0) }) else { return nil }
      if cursor.key.elementsEqual(key), try !cursor.next() { return nil }
    } else if try !cursor.first() {
      return nil
    }
    return ([UInt8](cursor.key), [UInt8](cursor.value))
  }
}
