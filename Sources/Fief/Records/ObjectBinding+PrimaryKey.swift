import LMDB

extension ObjectBinding {
  /// The key for a primary key that a caller gives as a value.
  ///
  /// - Throws: ``FiefError`` of code `missingPrimaryKey`, `invalidValue` or `primaryKeyTooLong`.
  func key(fromPrimaryKey value: Any, store: String?) throws -> [UInt8] {
    if let key = value as? ObjectKey { return key.bytes }
    guard !primaryKey.isEmpty else {
      throw FiefError(.missingPrimaryKey, "The type has no primary key.", store: store, type: table.name)
    }
    var conversion = ValueConversion()
    conversion.store = store
    conversion.type = table.name
    conversion.property = primaryKey.map(\.name).joined(separator: ", ")
    conversion.key = ValueConversion.summary(of: value)
    let parts = primaryKey.count == 1 ? [value] : value as? [Any] ?? []
    guard parts.count == primaryKey.count else {
      throw conversion.wrongType(value, expected: "an array of the key's \(primaryKey.count) parts")
    }
    var encoder = KeyEncoder()
    for (property, part) in zip(primaryKey, parts) {
      let converted = try property.field.convert(part, conversion)
      if converted._isNil {
        encoder.appendNull()
        continue
      }
      var writer = ValueWriter()
      try converted._append(to: &writer)
      try writer.bytes.withUnsafeBytes { try KeyCoding.append($0, kind: property.type.kind, to: &encoder) }
    }
    try checkLength(of: encoder.bytes)
    return encoder.bytes
  }
}
