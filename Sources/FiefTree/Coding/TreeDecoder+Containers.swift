/// Decodes the members of an object.
struct TreeMemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: JSONObject
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { members.contains(name: key.stringValue) }

  func decodeNil(forKey key: Key) -> Bool { members[key.stringValue] == .null }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    do { return try decoder(key).decode(type) } catch let error as DecodingError {
      guard case .valueNotFound(_, let context) = error, context.codingPath.count == codingPath.count + 1,
        !contains(key)
      else { throw error }
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(codingPath: codingPath, debugDescription: context.debugDescription)
      )
    }
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  { try decoder(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder(TreeCodingKey.superclass) }

  func superDecoder(forKey key: Key) -> any Decoder { decoder(key) }

  private func decoder(_ key: any CodingKey) -> TreeDecoder {
    TreeDecoder(value: members[key.stringValue], codingPath: codingPath + [key])
  }
}

/// Decodes the elements of an array.
struct TreeElementDecoder: UnkeyedDecodingContainer {
  let elements: [JSON]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [JSON], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard case .null = try decoder(Any?.self).value else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try next(type) { try $0.decode(type) }
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws
    -> KeyedDecodingContainer<Nested>
  { try next([String: Any].self) { try $0.container(keyedBy: type) } }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Any].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next(Any.self) { $0 } }

  /// Passes the decoder of the next element to `body`, and moves to the element after it.
  private mutating func next<Value>(_ type: Any.Type, _ body: (TreeDecoder) throws -> Value) throws -> Value {
    let value = try body(try decoder(type))
    currentIndex += 1
    return value
  }

  private func decoder(_ type: Any.Type) throws -> TreeDecoder {
    let path = codingPath + [TreeCodingKey(intValue: currentIndex)]
    guard !isAtEnd else {
      let context = DecodingError.Context(
        codingPath: path,
        debugDescription: "The array has no more elements."
      )
      throw DecodingError.valueNotFound(type, context)
    }
    return TreeDecoder(value: elements[currentIndex], codingPath: path)
  }
}

/// Decodes a value as a whole.
struct TreeLeafDecoder: SingleValueDecodingContainer {
  let decoder: TreeDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value == .null }

  func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
  func decode(_ type: String.Type) throws -> String { try decoder.string() }
  func decode(_ type: Double.Type) throws -> Double { try decoder.double() }
  func decode(_ type: Float.Type) throws -> Float {
    let value = Float(try decoder.double())
    return try value.isFinite ? value : decoder.invalid("The number does not fit Float.")
  }
  func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}
