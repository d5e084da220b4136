extension List: Encodable where Element: Encodable {
  /// Writes the elements as an array.
  ///
  /// - Throws: ``FiefError`` where elements cannot be read.
  public func encode(to encoder: any Encoder) throws {
    let elements = try readingAll { Array(self) }
    var container = encoder.singleValueContainer()
    try container.encode(elements)
  }
}

extension List: Decodable where Element: Decodable {
  /// Reads the elements from an array.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try PersistedCoding.decode([Element].self, from: decoder))
  }
}

extension MutableSet: Encodable where Element: Encodable {
  /// Writes the elements as an array, in no particular order.
  ///
  /// - Throws: ``FiefError`` where elements cannot be read.
  public func encode(to encoder: any Encoder) throws {
    let elements = try readingAll { Array(self) }
    var container = encoder.singleValueContainer()
    try container.encode(elements)
  }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Reads the elements from an array; of equal ones the first is kept.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try PersistedCoding.decode([Element].self, from: decoder))
  }
}

extension Map: Encodable where Value: Encodable {
  /// Writes the entries as an object; a strategy for keys leaves theirs as they are.
  ///
  /// - Throws: ``FiefError`` where entries cannot be read, and where two keys differ in their normalization only, which a
  ///   dictionary of Swift's cannot have both.
  public func encode(to encoder: any Encoder) throws {
    let (all, entries) = try readingAll { (Array(self), dictionary) }
    guard entries.count == all.count else { throw ValueConversion().heldEqual }
    var container = encoder.singleValueContainer()
    try container.encode(entries)
  }
}

extension Map: Decodable where Value: Decodable {
  /// Reads the entries from an object.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    merge(try PersistedCoding.decode([String: Value].self, from: decoder))
  }
}
