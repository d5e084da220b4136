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
/// missing key is `DecodingError.keyNotFound`. Leave inverses out of `CodingKeys`.
extension Persisted: Decodable where Value: Decodable {
  /// Reads the property's value.
  public init(from decoder: any Decoder) throws {
    value = try Value(from: decoder)
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
    if flags & PersistedFlags.deferred != 0 {
      try value._resolved().encode(to: encoder)
    } else if flags & PersistedFlags.firstRead != 0 {
      try value._generated().encode(to: encoder)
    } else {
      try value.encode(to: encoder)
    }
  }
}

enum PersistedCoding {
  /// How many objects and collections may be inside of each other.
  static let deepest = 256
}

extension KeyedDecodingContainer {
  /// Reads an optional property; nil where the key is missing. The compiler's `init(from:)` calls it.
  public func decode<Value: Decodable & RealmCollectionValue>(
    _ type: Persisted<Value?>.Type,
    forKey key: Key
  ) throws -> Persisted<Value?> {
    try decodeIfPresent(type, forKey: key) ?? Persisted()
  }
}
