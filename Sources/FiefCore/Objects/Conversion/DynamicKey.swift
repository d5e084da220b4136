import Foundation
import LMDB

/// Converts keys of objects whose class is unknown from and to values and text.
package enum DynamicKey {
  /// Returns the values of a key's parts, or the row ID if the type has no primary key.
  package static func values(of key: [UInt8], _ table: Table) throws -> [Any?] {
    try key.withUnsafeBytes { bytes in
      var decoder = KeyDecoder(bytes)
      if table.primaryKey.isEmpty { return [Int(try decoder.nextInteger())] }
      return try table.primaryKey.map { column in
        var writer = ValueWriter()
        guard try table.appendKeyPayload(from: &decoder, of: column, to: &writer) else {
          return nil
        }
        return try writer.withBytes { try DynamicPayload.value($0, type: column.type) }
      }
    }
  }

  /// Whether bytes are a valid key of the type.
  private static func isKey(_ key: [UInt8], of table: Table) -> Bool {
    key.withUnsafeBytes { bytes in
      var decoder = KeyDecoder(bytes)
      do {
        if table.primaryKey.isEmpty {
          _ = try decoder.nextInteger()
        } else {
          for column in table.primaryKey {
            var writer = ValueWriter()
            _ = try table.appendKeyPayload(from: &decoder, of: column, to: &writer)
          }
        }
      } catch {
        return false
      }
      return decoder.isAtEnd
    }
  }

  /// Returns the key for a value. The value is a key, a link, an object, the value of a single primary key or
  /// row ID, or an array with the parts of a compound key.
  package static func key(of table: Table, from value: Any, _ conversion: ValueConversion) throws -> [UInt8] {
    switch value {
    case let key as ObjectKey:
      let stored = try table.stored(key.bytes)
      guard isKey(stored, of: table) else {
        throw conversion.error(.invalidValue, "The key is not valid for the type.")
      }
      return stored
    case let object as any KeyedReference where object.typeName == table.name:
      if let key = object.keyBytes { return try table.stored(key) }
    default: break
    }
    let count = max(table.primaryKey.count, 1)
    let parts = value as? [Any?] ?? [value]
    guard parts.count == count else {
      throw conversion.wrongType(
        value,
        expected: count == 1 ? "one value" : "an array of the key's \(count) parts"
      )
    }
    return try key(of: table, parts: parts, conversion)
  }

  /// Returns the key with the given parts, one for each part of the primary key.
  package static func key(of table: Table, parts: [Any?], _ conversion: ValueConversion) throws -> [UInt8] {
    var encoder = KeyEncoder()
    guard !table.primaryKey.isEmpty else {
      let number = (parts.first ?? nil) ?? NSNull()
      let id = try conversion.integer(try ExtendedJSON.unwrapped(number, .int64, conversion), Int64.self)
      guard id > 0 else { throw conversion.outOfRange(id, expected: "a number of at least 1") }
      return ObjectKey(rowID: id).bytes
    }
    for (column, part) in zip(table.primaryKey, parts) {
      // If the conversion has a property, this key is the value of a link in that property.
      let isLink = conversion.property != nil
      let conversion = isLink ? conversion : conversion.property(column.name, of: table.name)
      guard let part, !ValueConversion.isNil(part) else {
        guard column.type.isOptional else {
          throw conversion.error(.missingValue, "A part of the primary key is missing.")
        }
        encoder.appendNull()
        continue
      }
      let value = try ExtendedJSON.unwrapped(part, column.type.kind, conversion)
      var writer = ValueWriter()
      try DynamicPayload.append(value, type: column.type, conversion, to: &writer)
      try writer.withBytes { try table.appendKeyElement($0, of: column, to: &encoder) }
    }
    guard encoder.bytes.count <= ObjectKey.maximumLength else {
      throw conversion.error(
        .primaryKeyTooLong,
        "The primary key is too long for a store.",
        details: ["the limit: \(ObjectKey.maximumLength) bytes"]
      )
    }
    return encoder.bytes
  }

  /// Parses the text of a key. A text that begins with a bracket is a JSON array of the parts. Any other text
  /// is the value itself, or the parts of a compound key separated by commas.
  package static func parts(fromText text: String, _ table: Table, _ conversion: ValueConversion) throws
    -> [Any?]
  {
    let columns = table.primaryKey
    let count = max(columns.count, 1)
    if text.hasPrefix("[") {
      let value = try JSONParser.parse(text)
      guard let parts = value as? [Any], parts.count == count else {
        let number = count == 1 ? "one value" : "\(count) values"
        throw conversion.wrongType(value, expected: "a JSON array of \(number)")
      }
      return parts
    }
    let texts =
      count == 1
      ? [text] : text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    guard texts.count == count else {
      throw conversion.error(
        .invalidValue,
        "The key and the primary key have different numbers of parts.",
        details: [
          "the primary key: " + columns.map(\.name).joined(separator: ", "),
          "separate the parts with commas, or write a JSON array",
        ]
      )
    }
    guard !columns.isEmpty else { return [JSONParser.number(text) ?? text] }
    return zip(columns, texts).map { column, text in
      switch column.type.kind {
      case .int8, .int16, .int32, .int64: JSONParser.number(text) ?? text
      default: text
      }
    }
  }
}

/// A value that identifies an object in a store without classes: a link to the object, or the object itself.
package protocol KeyedReference {
  var typeName: String { get }
  /// The key, or `nil` for an object without a separate record.
  var keyBytes: [UInt8]? { get }
}
