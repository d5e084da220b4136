extension KeyedDecodingContainer {
  /// Reads nothing, because an inverse is not encoded. The compiler-generated `init(from:)` calls this
  /// method.
  public func decode<Element: Object>(
    _ type: Persisted<LinkingObjects<Element>>.Type,
    forKey key: Key
  ) throws -> Persisted<LinkingObjects<Element>> {
    Persisted()
  }
}

extension KeyedEncodingContainer {
  /// Writes nothing, because an inverse is not encoded. The compiler-generated `encode(to:)` calls this
  /// method.
  public mutating func encode<Element: Object>(
    _ property: Persisted<LinkingObjects<Element>>,
    forKey key: Key
  ) throws {}
}

/// Lets a class with an inverse be `Codable`. The inverse is not encoded.
extension LinkingObjects: Codable {
  /// Creates an inverse without an object. The property to follow is known from the declaration of the
  /// inverse.
  public init(from decoder: any Decoder) throws {
    self.init(originProperty: "")
  }

  /// Do not call this method: an inverse cannot be encoded by itself. If its class is `Codable`, encode
  /// `Array(dog.owners)` instead.
  ///
  /// - Throws: always, `EncodingError.invalidValue`.
  public func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self,
      EncodingError.Context(
        codingPath: encoder.codingPath,
        debugDescription: "An inverse cannot be encoded itself; encode an array of its objects."
      )
    )
  }
}
