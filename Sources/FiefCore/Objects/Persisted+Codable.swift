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
/// Decoded properties count as assigned. An optional property whose key is missing is nil; any other
/// missing key is `DecodingError.keyNotFound`. Inverses are neither written nor read.
///
/// Values are encoded as the coder encodes values of their type, so that the strategies of a `JSONEncoder` and of a
/// `JSONDecoder` for dates, data, floats and keys hold for every property, in collections too. A decimal is a number in
/// JSON, and is read from a text too, as Realm writes it: `"1.5E2"`.
extension Persisted: Decodable where Value: Decodable {
  /// Reads the property's value.
  public init(from decoder: any Decoder) throws {
    value = try PersistedCoding.decode(Value.self, from: decoder)
    flags = PersistedFlags.assigned | (Value._attachesToOwner ? PersistedFlags.firstRead : 0)
  }
}

/// Links are encoded with the objects that they lead to, which are read where they were not yet.
extension Persisted: Encodable where Value: Encodable {
  /// Writes the property's value.
  ///
  /// - Throws: `EncodingError` where objects link to each other in a circle: at 256 objects and
  ///   collections inside of each other; ``FiefError`` where a linked object cannot be read.
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
    // The container knows of the coder's strategies; the value's own `encode(to:)` does not.
    var container = encoder.singleValueContainer()
    try container.encode(current)
  }
}

extension Persisted where Value: Encodable {
  /// Writes the stored raw value of an enumeration that no case has.
  ///
  /// - Returns: false where the type has no raw values.
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
          debugDescription: "The stored raw value is none of the type's cases, and cannot be encoded."
        )
      )
    }
    var container = encoder.singleValueContainer()
    try container.encode(raw)
    return true
  }
}

extension KeyedDecodingContainer {
  /// Reads an optional property; nil where the key is missing. The compiler's `init(from:)` calls it.
  public func decode<Value: Decodable & RealmCollectionValue>(
    _ type: Persisted<Value?>.Type,
    forKey key: Key
  ) throws -> Persisted<Value?> {
    if let property = try decodeIfPresent(type, forKey: key) { return property }
    var property = Persisted<Value?>()
    // A null in the document is a value, and is saved as one.
    if contains(key) { property.flags |= PersistedFlags.assigned }
    return property
  }
}
