import FiefCore
import LMDB

/// A policy that determines what happens if an object with the key exists.
public enum DynamicConflict: String, Sendable, CaseIterable {
  /// The put fails with ``FiefError/Code/duplicatePrimaryKey``.
  case error
  /// The stored object is replaced. Properties without a value get the value of an unset property.
  case replace
  /// The stored object stays unchanged.
  case skip
  /// The given values are written to the stored object, which keeps its other values.
  case merge
}

/// The result of a put.
public struct DynamicPut: Sendable, Hashable {
  /// The outcomes of a put.
  public enum Outcome: String, Sendable, CaseIterable {
    /// The object did not exist and was inserted.
    case inserted
    /// The stored object was replaced.
    case replaced
    /// The values were written to the stored object.
    case merged
    /// The stored object was left unchanged.
    case skipped
  }

  /// The object's key.
  public let key: ObjectKey
  /// The outcome for the object.
  public let outcome: Outcome
}

/// The scope of a ``DynamicStore/write(_:)``. Objects are put and deleted by the names of their types and
/// properties, with the checks of the typed API.
///
/// All changes are committed together when the closure returns. If it throws, none is committed. A call that
/// throws has changed nothing, so the closure may continue. However, if derived properties cannot be
/// computed, for example because of a damaged record, the end of the closure throws that error too, and
/// nothing is committed.
public final class DynamicTransaction: DynamicSnapshot {
  package let writer: RecordWriter
  /// The classes by which values are checked, or `nil` to accept every value of a column.
  package var declared: DeclaredProperties?

  init(schema: DynamicSchema, writer: RecordWriter) {
    self.writer = writer
    super.init(schema: schema, transaction: writer.transaction)
  }

  override var loopPlace: LoopPlace { .write(writer) }

  override func prepareForReading() throws { try writer.flushTrees() }

  override func prepareForReadingRecords() throws {
    if writer.waiting != nil { try writer.flushTrees() }
  }

  /// Makes a group of changes that either all take effect or none. Unique indexes are checked at the end of
  /// the group, and limits of relationships at the end of the whole write.
  ///
  /// - Throws: ``FiefError`` of code `duplicateValue`, or the error of the closure. The transaction
  ///   continues.
  package func nested<Value>(_ body: (DynamicTransaction) throws -> Value) throws -> Value {
    try writer.nested(decidesLimits: false) { writer in
      let nested = DynamicTransaction(schema: schema, writer: writer)
      nested.jsonOptions = jsonOptions
      nested.declared = declared
      return try body(nested)
    }
  }

  /// Checks that no changed relationship has too few or too many objects. The same check is made at the end
  /// of the transaction.
  ///
  /// - Throws: ``FiefError`` of code `validationFailed`.
  package func checkLimits() throws {
    try writer.flushTrees()
    try writer.finishLimits()
  }

  /// Puts an object.
  ///
  /// In a new object, properties without a value are like unassigned properties: zero, an empty text, a new
  /// UUID or object id, `nil` or empty. The defaults of the application's classes do not apply, because the
  /// store does not contain them. Values of the primary key are required, except UUIDs and object ids, which
  /// are generated.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - values: the values by property, as returned by ``DynamicObject/value(of:)``, with dictionaries for
  ///     embedded objects. A link may also be given as the value of the target's primary key.
  ///   - rowID: the row id of an object of a type without a primary key, or `nil` to assign a new one. A row
  ///     id that was assigned before but has no object is rejected, because another process may be about to
  ///     use it.
  ///   - conflict: determines what happens if an object with the key exists.
  /// - Returns: the key, and the outcome.
  /// - Throws: ``FiefError`` of code `unknownType`, `unknownProperty`, `invalidValue`, `missingValue`,
  ///   `primaryKeyTooLong` or `duplicatePrimaryKey`; `objectNotFound` for a link to an object that does not
  ///   exist. The call then changes nothing.
  @discardableResult
  public func put(
    _ typeName: String,
    _ values: [String: Any?],
    rowID: Int? = nil,
    onConflict conflict: DynamicConflict = .error
  ) throws -> DynamicPut {
    var members = values.sorted { $0.key < $1.key }
      .map { JSONObject.Member(name: $0.key, value: $0.value as Any) }
    if let rowID { members.append(JSONObject.Member(name: Self.rowIDName, value: rowID)) }
    return try put(typeName, members, conversion(typeName), conflict: conflict, links: .mustExist)
  }

  /// Puts an object given as JSON, in the forms described in <doc:TheTool>.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - json: a JSON object with the values by property. The member `$key` is the row id of an object
  ///     without a primary key. The member `$type`, if present, must name the type.
  ///   - conflict: determines what happens if an object with the key exists.
  /// - Returns: the key, and the outcome.
  /// - Throws: the same errors as ``put(_:_:rowID:onConflict:)``, and ``FiefError`` of code `malformedJSON`.
  @discardableResult
  public func put(
    _ typeName: String,
    json: String,
    onConflict conflict: DynamicConflict = .error
  ) throws -> DynamicPut {
    var json = json
    return try json.withUTF8 {
      try put(typeName, line: UnsafeRawBufferPointer($0), conflict: conflict, links: .mustExist).put
    }
  }

  /// Deletes an object, following the delete rules of its relationships. By default every link to it is
  /// cleared.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - key: see ``DynamicSnapshot/key(ofType:from:)``.
  /// - Returns: `false` if the object does not exist.
  /// - Throws: ``FiefError`` of code `unknownType`, `invalidValue` or `damagedRecord`; `deletionDenied` if a
  ///   rule forbids the deletion.
  @discardableResult
  public func delete(_ typeName: String, forKey key: Any) throws -> Bool {
    let table = try records(of: typeName).table
    let key = try DynamicKey.key(of: table, from: key, conversion(typeName))
    do {
      return try writer.undoable(where: [table]) { writer in
        try key.withUnsafeBytes { try writer.delete(key: $0, from: table) }
      }
    } catch {
      throw FiefError.described(error, store: tables.storeName, type: typeName, key: table.shown(key))
    }
  }

  static let rowIDName = "$key"
  static let typeName = "$type"
}
