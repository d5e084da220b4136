/// A class that inherits from ``Object`` or ``EmbeddedObject`` can be `Codable`, with the compiler's own
/// `init(from:)` and `encode(to:)` or with handwritten ones:
///
/// ```swift
/// final class Dog: Object, Codable {
///   @Persisted(primaryKey: true) var id = 0
///   @Persisted var nickname: String?
///   @Persisted var toys: List<String>
///   enum CodingKeys: String, CodingKey { case id, nickname = "nick_name", toys }
/// }
/// ```
/// Decoded properties count as assigned. An optional property whose key is missing becomes nil; any other
/// missing key throws `DecodingError.keyNotFound`. Inverses are neither encoded nor decoded.
///
/// Values are encoded as the encoder encodes their type. The strategies of a `JSONEncoder` or `JSONDecoder`
/// for dates, data, floats and keys therefore apply to every property, also in collections. A decimal is
/// encoded as a JSON number. It can also be decoded from a text such as `"1.5E2"`, which is the form that
/// Realm writes.
extension Persisted: Decodable where Value: Decodable {
  /// Decodes the property's value.
  public init(from decoder: any Decoder) throws {
    value = try PersistedCoding.decode(Value.self, from: decoder)
    flags = PersistedFlags.assigned | (Value._attachesToOwner ? PersistedFlags.firstRead : 0)
  }
}

/// Links are encoded with their objects, which are read if necessary.
extension Persisted: Encodable where Value: Encodable {
  /// Encodes the property's value.
  ///
  /// - Throws: `EncodingError` if objects link to each other in a cycle, which is detected at 256 nested
  ///   objects and collections; ``FiefError`` if a linked object cannot be read.
  public func encode(to encoder: any Encoder) throws {
    guard encoder.codingPath.count <= PersistedCoding.deepest else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: Array(encoder.codingPath.prefix(8)),
          debugDescription: "Objects link to each other in a circle, or too deeply to be encoded."
        )
      )
    }
    if flags & PersistedFlags.deferred != 0, Value._mayHaveUnknown, try encodeUnknown(to: encoder) { return }
    var current = value
    if flags & PersistedFlags.deferred != 0 {
      current = try value._resolved()
    } else if flags & PersistedFlags.firstRead != 0 {
      current = value._generated()
    }
    // The container applies the coder's strategies. The value's own `encode(to:)` would not.
    var container = encoder.singleValueContainer()
    try container.encode(current)
  }
}

extension Persisted where Value: Encodable {
  /// Encodes the stored raw value of an enumeration if it matches no case.
  ///
  /// - Returns: false if the type has no raw values.
  private func encodeUnknown(to encoder: any Encoder) throws -> Bool {
    guard Value._hasRawValues else { return false }
    let number = PersistedFlags.unknownNumber(flags)
    let raw = try UnknownRawValues.shared.payload(number, of: Value.self)?.withUnsafeBytes {
      try Value._rawValue($0)
    }
    guard let raw else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "The stored raw value matches no case of the type and cannot be encoded."
        )
      )
    }
    var container = encoder.singleValueContainer()
    try container.encode(raw)
    return true
  }
}

extension KeyedDecodingContainer {
  /// Decodes an optional property. A missing key results in nil. The compiler-generated `init(from:)` calls
  /// this method.
  public func decode<Value: Decodable & RealmCollectionValue>(
    _ type: Persisted<Value?>.Type,
    forKey key: Key
  ) throws -> Persisted<Value?> {
    if let property = try decodeIfPresent(type, forKey: key) { return property }
    var property = Persisted<Value?>()
    // A null in the document is a value, and is saved as nil.
    if contains(key) { property.flags |= PersistedFlags.assigned }
    return property
  }
}
