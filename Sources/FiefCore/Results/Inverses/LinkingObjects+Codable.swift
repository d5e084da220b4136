extension KeyedDecodingContainer {
  /// Reads nothing: an inverse is looked up. The compiler's `init(from:)` calls it.
  public func decode<Element: Object>(
    _ type: Persisted<LinkingObjects<Element>>.Type,
    forKey key: Key
  ) throws -> Persisted<LinkingObjects<Element>> {
    Persisted()
  }
}

extension KeyedEncodingContainer {
  /// Writes nothing: an inverse is looked up. The compiler's `encode(to:)` calls it.
  public mutating func encode<Element: Object>(
    _ property: Persisted<LinkingObjects<Element>>,
    forKey key: Key
  ) throws {}
}

/// A class with an inverse can be `Codable`: the inverse is left out.
extension LinkingObjects: Codable {
  /// An inverse of nothing: what it is the inverse of is declared with the property.
  public init(from decoder: any Decoder) throws {
    self.init(originProperty: "")
  }

  /// Not for use: an inverse is no value of its own. `Array(dog.owners)` is, where its class is `Codable`.
  ///
  /// - Throws: always, `EncodingError.invalidValue`.
  public func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self,
      EncodingError.Context(
        codingPath: encoder.codingPath,
        debugDescription: "An inverse cannot be encoded by itself; encode an array of its objects."
      )
    )
  }
}
