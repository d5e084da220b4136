import FiefCore
import LMDB

/// One state of a store, read without the classes of its objects, during a
/// ``DynamicStore/read(file:line:_:)`` or a write.
///
/// Use it only on the thread of its scope. After the scope every call throws
/// ``FiefError/Code/transactionEnded``.
public class DynamicSnapshot {
  let schema: DynamicSchema
  package let transaction: LMDB.Transaction
  /// The options for reading lines of JSON.
  package final var jsonOptions = JSONOptions.default
  /// The number of records that are copied before the first of them is passed to the caller.
  static let batch = 64

  init(schema: DynamicSchema, transaction: LMDB.Transaction) {
    self.schema = schema
    self.transaction = transaction
  }

  package var tables: StoreTables { schema.tables }

  /// The kind of scope in which loops read.
  var loopPlace: LoopPlace { .snapshot(nil) }

  /// Called before indexes or backlinks are read.
  func prepareForReading() throws {}

  /// Called before records are read.
  func prepareForReadingRecords() throws {}

  /// The version of the store's schema.
  public final var schemaVersion: UInt64 { schema.catalogue.schemaVersion }

  /// The types of the store, sorted by name.
  public final var types: [DynamicType] { schema.types }

  final func table(_ typeName: String) throws -> Table {
    if let table = tables[typeName] { return table }
    throw FiefError(
      .unknownType,
      "The store has no such type.",
      store: tables.storeName,
      type: typeName,
      details: ["the store's types: " + schema.types.map(\.name).joined(separator: ", ")]
    )
  }

  final func records(of typeName: String) throws -> (table: Table, records: Database) {
    let table = try table(typeName)
    guard let records = table.records else {
      throw FiefError(
        .invalidValue,
        "The type is embedded: read its objects through their owners.",
        store: tables.storeName,
        type: typeName
      )
    }
    return (table, records)
  }

  final func conversion(_ typeName: String) -> ValueConversion {
    var conversion = ValueConversion()
    conversion.store = tables.storeName
    conversion.type = typeName
    return conversion
  }

  /// Returns the number of objects of a type.
  ///
  /// - Throws: ``FiefError`` of code `unknownType`; `invalidValue` if the type is embedded.
  public final func count(of typeName: String) throws -> Int {
    let records = try records(of: typeName).records
    return try described { try transaction.count(records) }
  }

  /// Returns the key for a value. Whether the object exists is not checked.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - value: the value of the primary key, or the row id of an object without one; an array of the parts
  ///     of a compound key; or an ``ObjectKey``, ``DynamicLink`` or ``DynamicObject``.
  /// - Throws: ``FiefError`` of code `unknownType`, `invalidValue`, `missingValue` or `primaryKeyTooLong`.
  public final func key(ofType typeName: String, from value: Any) throws -> ObjectKey {
    ObjectKey(
      bytes: try DynamicKey.key(of: try records(of: typeName).table, from: value, conversion(typeName))
    )
  }

  /// Returns the key for a text entered by a user: the value itself, the parts of a compound key separated by
  /// commas, or a JSON array of the parts. A text that begins with `[` is always read as a JSON array.
  ///
  /// - Throws: ``FiefError`` of code `unknownType`, `invalidValue`, `malformedJSON` or `primaryKeyTooLong`.
  public final func key(ofType typeName: String, text: String) throws -> ObjectKey {
    let table = try records(of: typeName).table
    var conversion = conversion(typeName)
    conversion.source = .json(.default)
    conversion.key = text
    let parts = try DynamicKey.parts(fromText: text, table, conversion)
    return ObjectKey(bytes: try DynamicKey.key(of: table, parts: parts, conversion))
  }

  /// Returns a key as text that ``key(ofType:text:)`` reads.
  ///
  /// - Throws: ``FiefError`` of code `unknownType`, or `damagedRecord` if the bytes are not a key of the
  ///   type.
  public final func text(of key: ObjectKey, ofType typeName: String) throws -> String {
    let table = try table(typeName)
    do { return try DynamicKey.text(of: key.bytes, table) } catch {
      throw FiefError.described(error, store: tables.storeName, type: typeName, key: table.shown(key.bytes))
    }
  }

  /// Returns the object with a key, or `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - key: as in ``key(ofType:from:)``.
  /// - Throws: the errors of ``key(ofType:from:)``; ``FiefError`` of code `damagedRecord`.
  public final func object(ofType typeName: String, forKey key: Any) throws -> DynamicObject? {
    let (table, records) = try records(of: typeName)
    let key = try DynamicKey.key(of: table, from: key, conversion(typeName))
    do {
      try prepareForReadingRecords()
      let record = try key.withUnsafeBytes { try transaction.get(records, $0).map { [UInt8]($0) } }
      return try record.map {
        try DynamicObject(table, tables, key: ObjectKey(bytes: key), record: $0, in: transaction)
      }
    } catch {
      throw FiefError.described(error, store: tables.storeName, type: typeName, key: table.shown(key))
    }
  }

  /// Calls a closure with each object of a type, in key order.
  ///
  /// Records are copied in small batches. Memory use does not grow with their number, and the closure may
  /// write if the scope is a write.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - after: the key after which to begin, whether or not an object has it; `nil` to begin with the first
  ///     object.
  ///   - limit: the maximum number of objects.
  ///   - onDamage: called with each damaged record, which is then skipped. Without this closure the first
  ///     damaged record ends the enumeration.
  ///   - body: receives each object.
  /// - Throws: the errors of the closures; ``FiefError`` of code `unknownType` or `damagedRecord`.
  public final func forEach(
    ofType typeName: String,
    after: ObjectKey? = nil,
    limit: Int? = nil,
    onDamage: ((ObjectKey, FiefError) throws -> Void)? = nil,
    _ body: (DynamicObject) throws -> Void
  ) throws {
    let (table, records) = try records(of: typeName)
    let walk = RecordWalk(table, records, after: after?.bytes, in: transaction)
    if case .write(let writer) = loopPlace { writer.add(walk) }
    var left = limit ?? Int.max
    while left > 0 {
      try described { try prepareForReadingRecords() }
      let batch = try described { try walk.next(min(left, Self.batch)) }
      if batch.isEmpty { return }
      left -= batch.count
      for (key, record) in batch {
        let object: DynamicObject
        do {
          object = try DynamicObject(
            table,
            tables,
            key: ObjectKey(bytes: key),
            record: try record.get(),
            in: transaction
          )
        } catch {
          let described = FiefError.described(
            error,
            store: tables.storeName,
            type: typeName,
            key: table.shown(key)
          )
          guard let onDamage, let described = described as? FiefError else { throw described }
          try onDamage(ObjectKey(bytes: key), described)
          transaction.acknowledgeDamage()
          continue
        }
        try body(object)
      }
    }
  }

  /// Calls a closure, and converts errors of lower layers to ``FiefError``.
  final func described<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw FiefError.described(error, store: tables.storeName) }
  }
}
