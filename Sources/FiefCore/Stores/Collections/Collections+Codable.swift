extension List: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  ///
  /// - Throws: ``FiefError`` if elements cannot be read.
  public func encode(to encoder: any Encoder) throws {
    let elements = try readingAll { Array(self) }
    var container = encoder.singleValueContainer()
    try container.encode(elements)
  }
}

extension List: Decodable where Element: Decodable {
  /// Decodes the elements from an array.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try PersistedCoding.decode([Element].self, from: decoder))
  }
}

extension MutableSet: Encodable where Element: Encodable {
  /// Encodes the elements as an array, in no particular order.
  ///
  /// - Throws: ``FiefError`` if elements cannot be read.
  public func encode(to encoder: any Encoder) throws {
    let elements = try readingAll { Array(self) }
    var container = encoder.singleValueContainer()
    try container.encode(elements)
  }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Decodes the elements from an array. Of equal elements, the first is kept.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try PersistedCoding.decode([Element].self, from: decoder))
  }
}

extension Map: Encodable where Value: Encodable {
  /// Encodes the entries as an object. A coder's strategy for keys does not change the map's keys.
  ///
  /// - Throws: ``FiefError`` if entries cannot be read, or if two keys differ only in their normalization,
  ///   because a Swift dictionary cannot contain both.
  public func encode(to encoder: any Encoder) throws {
    let (all, entries) = try readingAll { (Array(self), dictionary) }
    guard entries.count == all.count else { throw ValueConversion().heldEqual }
    var container = encoder.singleValueContainer()
    try container.encode(entries)
  }
}

extension Map: Decodable where Value: Decodable {
  /// Decodes the entries from an object.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    merge(try PersistedCoding.decode([String: Value].self, from: decoder))
  }
}
