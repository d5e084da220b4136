import FiefCore
import Foundation

/// Encodes values by property name as the payloads of a record, with all checks of the typed API.
///
/// It accepts Swift values, and values of a JSON document in the forms that ``JSONText`` writes.
struct DynamicEncoder {
  let tables: StoreTables
  /// Checks values by their classes, or `nil` to accept every value of a column.
  let declared: DeclaredProperties?
  /// Checks a link. Returns `false` if the link should be omitted, and throws if the value must be rejected.
  /// `object` is `nil` unless the object is written inline in the link.
  let accepts: (_ target: Table, _ key: [UInt8], _ object: JSONObject?, ValueConversion) throws -> Bool

  /// Returns the payload of a value, or `nil` for `nil`.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue`, `missingValue` or `unknownProperty`, and the errors of
  ///   `accepts`.
  func payload(_ value: Any?, _ type: ColumnType, _ conversion: ValueConversion, depth: Int = 0) throws
    -> [UInt8]?
  {
    try DynamicPayload.payload(value, type: type, conversion) { try append($0, type, $1, depth, to: &$2) }
  }

  /// - Returns: `false` if a link is omitted and nothing was appended.
  private func append(
    _ value: Any,
    _ type: ColumnType,
    _ conversion: ValueConversion,
    _ depth: Int,
    to writer: inout ValueWriter
  ) throws -> Bool {
    switch type.kind {
    case .link:
      guard let target = type.target.flatMap({ tables[$0] }) else {
        throw conversion.wrongType(value, expected: "an object")
      }
      let inline = try inlineObject(value, conversion)
      let key = try inline.map { try inlineKey($0, target, conversion) } ?? linkKey(value, target, conversion)
      guard try accepts(target, key, inline, conversion) else { return false }
      writer.append(key)
    case .embedded:
      guard let target = type.target.flatMap({ tables[$0] }) else {
        throw conversion.wrongType(value, expected: "an embedded object")
      }
      try appendEmbedded(value, target, conversion, depth + 1, to: &writer)
    case .any where value is DynamicLink:
      guard let link = value as? DynamicLink, let target = tables[link.typeName] else {
        throw conversion.error(.unknownType, "The store has no such type.")
      }
      writer.appendInteger(NestedKind.object.rawValue)
      ObjectReference(type: target.entry.id, key: try linkKey(link, target, conversion)).append(to: &writer)
    default:
      try DynamicPayload.append(read(value, type.kind, conversion), type: type, conversion, to: &writer)
    }
    return true
  }

  /// Converts the exact forms of a JSON document, which the general conversion does not support.
  private func read(_ value: Any, _ kind: ColumnType.Kind, _ conversion: ValueConversion) throws -> Any {
    guard conversion.isJSON else { return value }
    if kind != .any, value is JSONObject {
      let plain = try ExtendedJSON.unwrapped(value, kind, conversion)
      return plain is JSONObject ? value : try read(plain, kind, conversion)
    }
    switch (kind, value) {
    case (.float, let text as String): return FloatText.float(named: text) ?? value
    case (.double, let text as String): return FloatText.double(named: text) ?? value
    case (.date, let text as String): return DateText.date(text) ?? value
    case (.decimal, let text as String): return text == "NaN" ? Decimal.nan : value
    case (.any, let object as JSONObject): return try any(object, conversion)
    case (.any, let values as [Any]): return try list(values, conversion, depth: 0)
    default: return value
    }
  }

  private func list(_ values: [Any], _ conversion: ValueConversion, depth: Int) throws -> AnyRealmValue {
    .list(try values.enumerated().map { try any($1, conversion.element($0), depth: depth + 1) })
  }

  /// Returns a value inside a list or a dictionary.
  private func any(_ value: Any, _ conversion: ValueConversion, depth: Int) throws -> AnyRealmValue {
    // This value is too deep, and the store rejects the whole value later.
    guard depth <= AnyRealmValue.deepest + 1 else { return .none }
    switch value {
    case let object as JSONObject: return try any(object, conversion, depth: depth)
    case let values as [Any]: return try list(values, conversion, depth: depth)
    default: return try AnyRealmValue._convertElement(value, conversion)
    }
  }

  private func any(
    _ object: JSONObject,
    _ conversion: ValueConversion,
    depth: Int = 0
  ) throws -> AnyRealmValue {
    let member = object.members.first
    if let member, object.members.count == 1, member.name == "$dictionary" {
      guard let entries = member.value as? JSONObject else {
        throw conversion.wrongType(member.value, expected: "an object with the entries of the dictionary")
      }
      var result: [String: AnyRealmValue] = [:]
      for entry in entries.members {
        let value = try any(entry.value, conversion.element(entry.name), depth: depth + 1)
        guard result.updateValue(value, forKey: entry.name) == nil else { throw conversion.heldEqual }
      }
      return .dictionary(result)
    }
    if let member, object.members.count == 1, member.name == "$object" {
      return .object(UndeclaredObject.make(try reference(member.value, conversion), in: nil))
    }
    let extended = try ExtendedJSON(object, conversion)
    let kind = extended?.kind ?? ColumnType.Kind.allCases.first { "$" + $0.facts.jsonName == member?.name }
    guard let member, extended != nil || object.members.count == 1, let kind else {
      throw conversion.wrongType(object, expected: "an object with one member such as $date or $uuid")
    }
    let value = try read(extended?.value ?? member.value, kind, conversion)
    switch kind {
    case .float: return .float(try conversion.float(value))
    case .double: return .double(try conversion.double(value))
    case .int64: return .int(try conversion.integer(value, Int.self))
    case .bool: return .bool(try conversion.bool(value))
    case .string: return .string(try conversion.string(value))
    case .data: return .data(try conversion.data(value))
    case .date: return .date(try conversion.date(value))
    case .uuid: return .uuid(try conversion.uuid(value))
    case .objectId: return .objectId(try conversion.objectId(value))
    case .decimal: return .decimal128(try conversion.decimal(value))
    default: throw conversion.wrongType(object, expected: "a value that a property can store")
    }
  }

  /// Returns a reference to an object in an `AnyRealmValue`. The object need not exist.
  private func reference(_ value: Any, _ conversion: ValueConversion) throws -> ObjectReference {
    let members = (value as? JSONObject)?.members ?? []
    guard members.count == 2, let name = members.first(where: { $0.name == "type" })?.value as? String,
      let key = members.first(where: { $0.name == "key" })?.value
    else { throw conversion.wrongType(value, expected: "an object with the members type and key") }
    guard let target = tables[name] else {
      throw conversion.error(.unknownType, "The store has no such type.", details: ["the type: \(name)"])
    }
    return ObjectReference(type: target.entry.id, key: try DynamicKey.key(of: target, from: key, conversion))
  }

  /// Returns the object that is written inline in a link instead of its key.
  private func inlineObject(_ value: Any, _ conversion: ValueConversion) throws -> JSONObject? {
    guard conversion.isJSON, let object = value as? JSONObject else { return nil }
    return try ExtendedJSON(object, conversion) == nil ? object : nil
  }

  private func inlineKey(_ object: JSONObject, _ target: Table, _ conversion: ValueConversion) throws
    -> [UInt8]
  {
    guard !target.primaryKey.isEmpty else {
      throw conversion.error(
        .invalidValue,
        "An object is written inside the link, but its type has no primary key to identify it.",
        details: [
          "the type: \(target.name)", "write the object on its own line, and its number as the link",
        ]
      )
    }
    let parts = try target.primaryKey.map { column -> Any in
      if let value = object[column.name] { return value }
      throw conversion.error(
        .missingPrimaryKey,
        "The object written inside the link has no primary key.",
        details: ["the property: \(target.name).\(column.name)"]
      )
    }
    return try DynamicKey.key(of: target, parts: parts, conversion)
  }

  private func linkKey(_ value: Any, _ target: Table, _ conversion: ValueConversion) throws -> [UInt8] {
    if let link = value as? DynamicLink, link.typeName != target.name {
      throw conversion.wrongType(value, expected: "an object of \(target.name)")
    }
    return try DynamicKey.key(of: target, from: value, conversion)
  }

  private func appendEmbedded(
    _ value: Any,
    _ target: Table,
    _ conversion: ValueConversion,
    _ depth: Int,
    to writer: inout ValueWriter
  ) throws {
    guard depth < ObjectGraph.deepestEmbedding else { throw conversion.embeddedTooDeeply }
    var members = ValueConversion.members(of: value)
    if let object = value as? DynamicObject, object.key == nil, object.typeName == target.name {
      members = try object.values().map { JSONObject.Member(name: $0.name, value: $0.value as Any) }
    }
    guard let members else { throw conversion.wrongType(value, expected: "an object of \(target.name)") }
    let payloads = try payloads(of: members, target, conversion, depth: depth)
    writer.append(try record(of: target, payloads, isEmbedded: true))
  }

  /// Returns the payloads of values by column id.
  func payloads(
    of members: [JSONObject.Member],
    _ table: Table,
    _ conversion: ValueConversion,
    depth: Int = 0
  ) throws -> [UInt16: [UInt8]?] {
    var payloads: [UInt16: [UInt8]?] = [:]
    for member in members {
      let conversion = conversion.property(member.name, of: table.name)
      guard let column = table.entry.column(named: member.name) else {
        throw conversion.error(.unknownProperty, "The type has no such property.")
      }
      guard column.type.isStored else {
        throw conversion.error(.invalidValue, "An inverse cannot be assigned; change the links themselves.")
      }
      let payload = try payload(member.value, column.type, conversion, depth: depth)
      try declared?.check(payload, of: member.value, in: column, of: table, conversion)
      payloads[column.id] = .some(payload)
    }
    return payloads
  }

  /// Returns a record in the current layout. Columns without a payload get the value of an unset property.
  func record(of table: Table, _ payloads: [UInt16: [UInt8]?], isEmbedded: Bool) throws -> [UInt8] {
    try RecordEditor.make(of: table, withChecksum: !isEmbedded) { column in
      payloads[column.id] ?? declared?.payload(ofOmitted: column, of: table) ?? Self.unset(column.type)
    }
  }

  /// Returns the payload of a property that was never assigned: the zero value of its kind, a new identifier,
  /// or `nil`.
  static func unset(_ type: ColumnType) -> [UInt8]? {
    guard type.container == .none, !type.isOptional else { return nil }
    switch type.kind {
    case .uuid: return withUnsafeBytes(of: UUID().uuid) { [UInt8]($0) }
    case .objectId: return ObjectId.generate().withBytes { [UInt8]($0) }
    case .decimal: return DecimalCoding.encode(0)
    default: return type.kind.fixedWidth.map { [UInt8](repeating: 0, count: $0) }
    }
  }
}
