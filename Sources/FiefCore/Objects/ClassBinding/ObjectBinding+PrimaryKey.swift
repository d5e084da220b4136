import Foundation
import LMDB

extension ObjectBinding {
  /// Returns the key for a primary key that a caller passes as a value.
  ///
  /// - Throws: ``FiefError`` of code `missingPrimaryKey`, `invalidValue` or `primaryKeyTooLong`.
  package func key(fromPrimaryKey value: Any, store: String?) throws -> LookupKey {
    if integerKeyOffset != nil, let value = exactly(Int.self, value) {
      return .integer(KeyElementImage(Int64(value)))
    }
    return .bytes(try encodedKey(fromPrimaryKey: value, store: store))
  }

  private func encodedKey(fromPrimaryKey value: Any, store: String?) throws -> [UInt8] {
    if primaryKey.count == 1, !hasSecretKey, let key = directKey(value) { return key }
    if let key = value as? ObjectKey { return try table.stored(key.bytes) }
    guard !primaryKey.isEmpty else {
      throw FiefError(.missingPrimaryKey, "The type has no primary key.", store: store, type: table.name)
    }
    var conversion = ValueConversion()
    conversion.store = store
    conversion.type = table.name
    conversion.property = primaryKey.map(\.name).joined(separator: ", ")
    conversion.key = ValuePrinter.text(of: value)
    let parts = primaryKey.count == 1 ? [value] : value as? [Any] ?? []
    guard parts.count == primaryKey.count else {
      throw conversion.wrongType(value, expected: "an array of the key's \(primaryKey.count) parts")
    }
    var encoder = KeyEncoder()
    for (index, (property, part)) in zip(primaryKey, parts).enumerated() {
      let converted = try property.field.convert(part, conversion)
      if converted._isNil {
        encoder.appendNull()
        continue
      }
      var writer = ValueWriter()
      try converted._append(to: &writer)
      let start = encoder.bytes.count
      try writer.withBytes { try KeyCoding.append($0, kind: property.type.kind, to: &encoder) }
      if hasSecretKey { try table.seal(table.primaryKey[index], at: start, of: &encoder) }
    }
    try checkLength(of: encoder.bytes)
    return encoder.bytes
  }

  /// Returns the key for a value that already has the property's type, or `nil` if the type is not one of the
  /// common types.
  private func directKey(_ value: Any) -> [UInt8]? {
    var encoder = KeyEncoder()
    switch primaryKey[0].access {
    case .string:
      guard let value = exactly(String.self, value) else { return nil }
      encoder.append(string: value)
      if encoder.bytes.count > ObjectKey.maximumLength { return nil }
    case .uuid:
      guard let value = exactly(UUID.self, value) else { return nil }
      encoder.append(uuid: value.uuid)
    default: return nil
    }
    return encoder.bytes
  }
}

/// A key for looking up an object. An integer key needs no allocation.
package enum LookupKey: Sendable {
  case integer(KeyElementImage)
  case bytes([UInt8])

  @inline(__always)
  package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    switch self {
    case .integer(let key): try key.withUnsafeBytes(body)
    case .bytes(let key): try key.withUnsafeBytes(body)
    }
  }
}
