import FiefCore
import Foundation
import LMDB

/// Writes property values as JSON, directly from their payloads. The article TheTool.md describes the forms.
///
/// ``DynamicEncoder`` reads every form that is written here, without loss.
package struct JSONText {
  private var json = JSONWriter()
  /// The columns of the tables written so far.
  private var planned: [ObjectIdentifier: PlannedTable] = [:]

  package init() {}

  /// The written bytes.
  package var bytes: [UInt8] { json.bytes }
  /// The written text.
  package var text: String { json.text }

  /// Removes the written bytes but keeps the storage.
  package mutating func removeAll() { json.removeAll() }

  /// Appends text that is already JSON.
  package mutating func append(raw text: String) { json.append(raw: text) }

  /// Appends a text in quotes, with escapes.
  package mutating func append(string text: String) { json.append(string: text) }

  /// Appends an object with its properties in order. For an object without a primary key the row id comes
  /// first, as `$key`.
  ///
  /// - Parameters:
  ///   - typeName: the value of `$type`, or `nil` to omit it.
  ///   - columns: the names of the properties to write, or `nil` for all.
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  package mutating func append(
    _ object: DynamicObject,
    typeName: String? = nil,
    columns: [String]? = nil
  ) throws {
    try appendObject(object, typeName: typeName, columns: columns, depth: 0)
  }

  private mutating func appendObject(
    _ object: DynamicObject,
    typeName: String?,
    columns: [String]?,
    depth: Int
  ) throws {
    guard depth < ObjectGraph.deepestEmbedding else { throw RecordView.damaged }
    var isFirst = true
    func name(_ text: String, _ json: inout JSONWriter) {
      json.append(raw: isFirst ? "{" : ",")
      isFirst = false
      json.append(string: text)
      json.append(raw: ":")
    }
    if let typeName {
      name("$type", &json)
      json.append(string: typeName)
    }
    if let key = object.key, object.table.primaryKey.isEmpty {
      name("$key", &json)
      try appendKey(key.bytes, object.table)
    }
    for item in plannedColumns(of: object.table) {
      if let columns, !columns.contains(item.column.name) { continue }
      json.append(byte: isFirst ? UInt8(ascii: "{") : UInt8(ascii: ","))
      isFirst = false
      json.append(bytes: item.name)
      do {
        try object.withPayload(of: item.column) {
          try append($0, item.column.type, object.tables, depth: depth)
        }
      } catch {
        var error = FiefError.described(
          error,
          store: object.tables.storeName,
          type: object.typeName,
          key: object.key?.bytes
        )
        if var described = error as? FiefError {
          described.property = described.property ?? item.column.name
          error = described
        }
        throw error
      }
    }
    json.append(raw: isFirst ? "{}" : "}")
  }

  /// A column and its name as JSON with a colon. This is a class because copying a column retains several
  /// references.
  private final class PlannedColumn {
    let column: ColumnEntry
    let name: [UInt8]

    init(_ column: ColumnEntry) {
      self.column = column
      var json = JSONWriter()
      json.append(string: column.name)
      name = json.bytes + [UInt8(ascii: ":")]
    }
  }

  private struct PlannedTable {
    /// Kept alive, so that no other table gets its object identifier.
    let table: Table
    let columns: [PlannedColumn]
  }

  private mutating func plannedColumns(of table: Table) -> [PlannedColumn] {
    if let known = planned[ObjectIdentifier(table)] { return known.columns }
    let columns = table.entry.currentColumns.filter(\.type.isStored).map { PlannedColumn($0) }
    planned[ObjectIdentifier(table)] = PlannedTable(table: table, columns: columns)
    return columns
  }

  /// Appends a payload of a column.
  mutating func append(
    _ payload: UnsafeRawBufferPointer?,
    _ type: ColumnType,
    _ tables: StoreTables,
    depth: Int = 0
  ) throws {
    guard type.container != .none else {
      guard let payload else { return json.append(raw: "null") }
      return try appendScalar(payload, type, tables, depth: depth)
    }
    let isMap = type.container == .map
    json.append(raw: isMap ? "{" : "[")
    var isFirst = true
    if let payload {
      try CollectionPayload.forEach(payload, type: type) { key, element in
        if !isFirst { json.append(raw: ",") }
        isFirst = false
        if let key {
          json.append(string: key)
          json.append(raw: ":")
        }
        guard let element else { return json.append(raw: "null") }
        try appendScalar(element, type, tables, depth: depth)
      }
    }
    json.append(raw: isMap ? "}" : "]")
  }

  private mutating func appendScalar(
    _ payload: UnsafeRawBufferPointer,
    _ type: ColumnType,
    _ tables: StoreTables,
    depth: Int
  ) throws {
    if let width = type.kind.fixedWidth, payload.count != width { throw ValueReader.truncated }
    var reader = ValueReader(payload, context: nil)
    switch type.kind {
    case .bool: json.append(raw: try reader.integer(UInt8.self) != 0 ? "true" : "false")
    case .int8: json.append(raw: String(try reader.integer(Int8.self)))
    case .int16: json.append(raw: String(try reader.integer(Int16.self)))
    case .int32: json.append(raw: String(try reader.integer(Int32.self)))
    case .int64: json.append(raw: String(try reader.integer(Int64.self)))
    case .float: json.append(number: FloatText.text(Float(bitPattern: try reader.integer(UInt32.self))))
    case .double: json.append(number: FloatText.text(Double(bitPattern: try reader.integer(UInt64.self))))
    case .string: json.append(string: payload)
    case .data: json.append(quoted: Data(payload).base64EncodedString())
    case .date:
      json.append(quoted: DateText.text(Date(timeIntervalSinceReferenceDate: payload.leadingDouble)))
    case .uuid: json.append(quoted: UUID(uuid: payload.loadUnaligned(as: uuid_t.self)).uuidString)
    case .objectId: json.append(quoted: ObjectId(bytes: payload)?.stringValue ?? "")
    case .decimal:
      guard let value = DecimalCoding.decode(payload) else { throw ValueReader.truncated }
      json.append(quoted: value.isNaN ? "NaN" : value.description)
    case .any: try appendAny(&reader, tables, depth: depth)
    case .link:
      guard let target = type.target.flatMap({ tables[$0] }) else { return json.append(raw: "null") }
      try appendKey([UInt8](payload), target)
    case .embedded:
      guard let target = type.target.flatMap({ tables[$0] }) else { return json.append(raw: "null") }
      let object = try DynamicObject(target, tables, key: nil, record: [UInt8](payload))
      try appendObject(object, typeName: nil, columns: nil, depth: depth + 1)
    case .linkingObjects: json.append(raw: "null")
    }
  }

  /// Appends an `AnyRealmValue`: as plain JSON if possible, and otherwise as an object that names the kind.
  private mutating func appendAny(_ reader: inout ValueReader, _ tables: StoreTables, depth: Int) throws {
    if reader.isAtEnd { return json.append(raw: "null") }
    let number = try reader.integer(UInt8.self)
    if let kind = NestedKind(rawValue: number) {
      return try appendNested(kind, &reader, tables, depth: depth)
    }
    guard let kind = ColumnType.Kind(rawValue: number),
      kind != .any, kind != .link, kind != .embedded
    else { throw RecordView.damaged }
    let payload = reader.remaining()
    let isNumber = kind == .double && payload.count == 8 && payload.leadingDouble.isFinite
    let isPlain = kind == .bool || kind == .int64 || kind == .string || isNumber
    if isPlain { return try appendScalar(payload, ColumnType(kind), tables, depth: depth) }
    json.append(raw: "{\"$\(kind.facts.jsonName)\":")
    try appendScalar(payload, ColumnType(kind), tables, depth: depth)
    json.append(raw: "}")
  }

  private mutating func appendNested(
    _ kind: NestedKind,
    _ reader: inout ValueReader,
    _ tables: StoreTables,
    depth: Int
  ) throws {
    guard depth < Self.deepestNesting else { throw RecordView.damaged }
    if kind == .object { return try appendLink(try ObjectReference(from: &reader), tables) }
    json.append(raw: kind == .list ? "[" : "{\"$dictionary\":{")
    var last: UnsafeRawBufferPointer?
    for index in 0..<(try reader.count()) {
      if index > 0 { json.append(raw: ",") }
      if kind == .dictionary {
        let key = try reader.sized()
        // Entries are in key order, and each key occurs once.
        if let last, last.compare(key) >= 0 { throw RecordView.damaged }
        last = key
        json.append(string: key)
        json.append(raw: ":")
      }
      var element = ValueReader(try reader.sized(), context: nil)
      try appendAny(&element, tables, depth: depth + 1)
    }
    json.append(raw: kind == .list ? "]" : "}}")
  }

  /// Appends an object in an `AnyRealmValue`, or `null` if its type no longer exists.
  private mutating func appendLink(_ reference: ObjectReference, _ tables: StoreTables) throws {
    guard let table = tables[number: reference.type] else {
      return json.append(raw: "null")
    }
    json.append(raw: "{\"$object\":{\"type\":")
    json.append(string: table.name)
    json.append(raw: ",\"key\":")
    try appendKey(reference.key, table)
    json.append(raw: "}}")
  }

  /// The maximum nesting of embedded objects, and of lists and dictionaries in an `AnyRealmValue`.
  private static var deepestNesting: Int { ObjectGraph.deepestEmbedding + AnyRealmValue.deepest }

  /// Appends a key: the value of a single primary key, an array of the parts of a compound key, or a row id.
  ///
  /// - Parameter isArray: whether a single value is written as an array, too.
  /// - Throws: an error if the bytes are not a key of the type.
  mutating func appendKey(_ key: [UInt8], _ table: Table, isArray: Bool = false) throws {
    appendKey(try DynamicKey.values(of: key, table), isArray: isArray)
  }

  mutating func appendKey(_ values: [Any?], isArray: Bool) {
    let brackets = isArray || values.count != 1
    if brackets { json.append(raw: "[") }
    for (index, value) in values.enumerated() {
      if index > 0 { json.append(raw: ",") }
      switch value {
      case let value as Int: json.append(raw: String(value))
      case let value as UUID: json.append(quoted: value.uuidString)
      case let value as String: json.append(string: value)
      case let value?: json.append(string: "\(value)")
      case nil: json.append(raw: "null")
      }
    }
    if brackets { json.append(raw: "]") }
  }

}
