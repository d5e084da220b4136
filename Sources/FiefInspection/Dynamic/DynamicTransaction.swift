import FiefCore
import LMDB

/// The treatment of an object that is put under a key that exists.
public enum DynamicConflict: String, Sendable, CaseIterable {
  /// The put fails with ``FiefError/Code/duplicatePrimaryKey``.
  case error
  /// The stored object is replaced; properties without a value get the value of an unset property.
  case replace
  /// The stored object stays as it is.
  case skip
  /// The given values are written into the stored object, which keeps the others.
  case merge
}

/// The result of a put.
public struct DynamicPut: Sendable, Hashable {
  /// The outcomes of a put.
  public enum Outcome: String, Sendable, CaseIterable {
    /// There was no object with the key.
    case inserted
    /// The stored object was replaced.
    case replaced
    /// The values were written into the stored object.
    case merged
    /// The stored object was left as it is.
    case skipped
  }

  /// The object's key.
  public let key: ObjectKey
  /// The outcome for the object.
  public let outcome: Outcome
}

/// The scope of a ``DynamicStore/write(_:)``: objects are put and deleted by the names of their types and
/// properties, with the checks of the typed API.
///
/// Everything is committed together when the closure returns, and nothing is when it throws. A call that
/// throws has changed nothing, so that the closure may continue after it; but where derived properties cannot be
/// computed, as for a damaged record, the end of the closure throws that error too, and nothing is committed.
public final class DynamicTransaction: DynamicSnapshot {
  let writer: RecordWriter

  init(schema: DynamicSchema, writer: RecordWriter) {
    self.writer = writer
    super.init(schema: schema, transaction: writer.transaction)
  }

  override var loopPlace: LoopPlace { .write(writer) }

  override func prepareForReading() throws { try writer.flushTrees() }

  override func prepareForReadingRecords() throws {
    if writer.waiting != nil { try writer.flushTrees() }
  }

  /// Runs changes that all take effect, or none; unique indexes are checked at the end of these, limits of
  /// relationships at the end of the whole write.
  ///
  /// - Throws: ``FiefError`` of code `duplicateValue`, or what the closure throws; the transaction continues.
  package func nested<Value>(_ body: (DynamicTransaction) throws -> Value) throws -> Value {
    try writer.nested(decidesLimits: false) { writer in
      let nested = DynamicTransaction(schema: schema, writer: writer)
      nested.jsonOptions = jsonOptions
      return try body(nested)
    }
  }

  /// Makes sure that no relationship that was changed has too few or too many objects, as the end of the transaction
  /// does.
  ///
  /// - Throws: ``FiefError`` of code `validationFailed`.
  package func checkLimits() throws {
    try writer.flushTrees()
    try writer.finishLimits()
  }

  /// Puts an object.
  ///
  /// A new object has for each property without a value that of an unassigned property: zero, an empty text,
  /// a new UUID or object id, nil, nothing; the defaults of the application's classes are not known here. The
  /// primary key needs its values, but for UUIDs and object ids, which are made.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - values: the values by property: what ``DynamicObject/value(of:)`` gives, and dictionaries for
  ///     embedded objects. A link may also be the value of the target's primary key.
  ///   - rowID: the number of an object of a type without a primary key; nil for a new one. One that was
  ///     given out before is refused where it has no object, because another process may be about to use it.
  ///   - conflict: the treatment of an object whose key exists.
  /// - Returns: the key, and what was done.
  /// - Throws: ``FiefError`` of code `unknownType`, `unknownProperty`, `invalidValue`, `missingValue`,
  ///   `primaryKeyTooLong`, `duplicatePrimaryKey`; `objectNotFound` for a link to an object that does not
  ///   exist; with nothing changed.
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

  /// Puts an object that is written as JSON, in the forms of docs/tool.md.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - json: an object with the values by property; the member `$key` is the number of an object without a
  ///     primary key, and `$type`, where there is one, has to name the type.
  ///   - conflict: the treatment of an object whose key exists.
  /// - Returns: the key, and what was done.
  /// - Throws: ``FiefError`` as ``put(_:_:rowID:onConflict:)``, and of code `malformedJSON`.
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

  /// Deletes an object, following the rules of its relationships: by default every link that leads to it is cleared.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - key: as in ``DynamicSnapshot/key(ofType:from:)``.
  /// - Returns: false where there was none.
  /// - Throws: ``FiefError`` of code `unknownType`, `invalidValue`, `damagedRecord`; `deletionDenied` where a rule does
  ///   not allow it.
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
