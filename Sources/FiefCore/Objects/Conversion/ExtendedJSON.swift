import Foundation

/// A value in MongoDB's extended JSON, such as `{"$oid": "507f…"}` or `{"$numberLong": "5"}`.
package struct ExtendedJSON {
  /// The kind of the value.
  package let kind: ColumnType.Kind
  /// The value in its plain JSON or Swift form.
  package let value: Any

  /// - Returns: `nil` if the object is not extended JSON.
  package init?(_ object: JSONObject, _ conversion: ValueConversion) throws {
    guard let member = object.members.first else { return nil }
    switch (member.name, object.members.count) {
    case ("$oid", 1): self.init(.objectId, member.value)
    case ("$uuid", 1): self.init(.uuid, member.value)
    case ("$numberInt", 1), ("$numberLong", 1): self.init(.int64, try Self.number(member.value, conversion))
    case ("$numberDouble", 1): self.init(.double, try Self.number(member.value, conversion))
    case ("$numberDecimal", 1): self.init(.decimal, try Self.number(member.value, conversion))
    case ("$date", 1): self.init(.date, try Self.date(member.value, conversion))
    case ("$binary", 1), ("$binary", 2): try self.init(binary: object, conversion)
    default: return nil
    }
  }

  private init(_ kind: ColumnType.Kind, _ value: Any) {
    (self.kind, self.value) = (kind, value)
  }

  /// Returns the plain value of extended JSON in a document. Any other value is returned unchanged.
  package static func unwrapped(_ value: Any, _ kind: ColumnType.Kind, _ conversion: ValueConversion) throws
    -> Any
  {
    guard let object = value as? JSONObject, let extended = try ExtendedJSON(object, conversion) else {
      return value
    }
    if kind == .data, let uuid = extended.value as? UUID {
      return withUnsafeBytes(of: uuid.uuid) { Data($0) }
    }
    return extended.value
  }

  /// Converts a number that is written as text, so that no parser loses digits.
  private static func number(_ value: Any, _ conversion: ValueConversion) throws -> Any {
    guard let text = value as? String else {
      throw conversion.wrongType(value, expected: "a number in quotes")
    }
    return JSONParser.number(text) ?? text
  }

  /// Converts a date: a text is in ISO 8601, a number is in milliseconds since 1970.
  private static func date(_ value: Any, _ conversion: ValueConversion) throws -> Any {
    if value is String { return value }
    let number = try unwrapped(value, .int64, conversion)
    return Date(timeIntervalSince1970: try conversion.double(number) / 1000)
  }

  /// Reads `{"$binary": {"base64": "…", "subType": "00"}}`, or `{"$binary": "…", "$type": "00"}`, which older
  /// versions write.
  private init(binary object: JSONObject, _ conversion: ValueConversion) throws {
    let content = object["$binary"] as? JSONObject
    let text = content.map { $0["base64"] } ?? object["$binary"]
    let subtype = (content.map { $0["subType"] } ?? object["$type"]) as? String
    let data = try conversion.data(text ?? NSNull())
    // Subtype 3 is not converted to a UUID, because its byte order varies.
    if subtype == "04" || subtype == "4", data.count == 16 {
      self.init(.uuid, data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    } else {
      self.init(.data, data)
    }
  }
}
