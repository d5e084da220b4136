extension List: Encodable where Element: Encodable {
  /// Writes the elements as an array.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension List: Decodable where Element: Decodable {
  /// Reads the elements from an array.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }
}

extension MutableSet: Encodable where Element: Encodable {
  /// Writes the elements as an array, in no particular order.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Reads the elements from an array; of equal ones the first is kept.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }
}

extension Map: Encodable where Value: Encodable {
  /// Writes the entries as an object.
  public func encode(to encoder: any Encoder) throws { try dictionary.encode(to: encoder) }
}

extension Map: Decodable where Value: Decodable {
  /// Reads the entries from an object.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    merge(try [String: Value](from: decoder))
  }
}
