import Foundation

/// A value that an encoder is building.
final class EncodedTreeValue {
  enum Content {
    case leaf(JSON)
    case members([(name: String, value: EncodedTreeValue)])
    case elements([EncodedTreeValue])
  }

  var content = Content.leaf(.null)

  var json: JSON {
    switch content {
    case .leaf(let value): value
    case .members(let members): .object(JSONObject(members.map { ($0.name, $0.value.json) }))
    case .elements(let elements): .array(elements.map(\.json))
    }
  }

  /// Adds a member. If the value is no object yet, it becomes one.
  func add(_ name: String) -> EncodedTreeValue {
    let value = EncodedTreeValue()
    var members: [(name: String, value: EncodedTreeValue)] = []
    if case .members(let own) = content { members = own }
    content = .leaf(.null)
    members.append((name, value))
    content = .members(members)
    return value
  }

  /// Adds an element. If the value is no array yet, it becomes one.
  func addElement() -> EncodedTreeValue {
    let value = EncodedTreeValue()
    var elements: [EncodedTreeValue] = []
    if case .elements(let own) = content { elements = own }
    content = .leaf(.null)
    elements.append(value)
    content = .elements(elements)
    return value
  }

  var elementCount: Int { if case .elements(let elements) = content { elements.count } else { 0 } }
}

/// Encodes an instance of a Swift type as a value of a tree.
struct TreeEncoder: Encoder {
  let result: EncodedTreeValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns an instance as a value.
  static func json(of value: some Encodable) throws -> JSON {
    let encoder = TreeEncoder(result: EncodedTreeValue(), codingPath: [])
    try encoder.encode(value)
    return encoder.result.json
  }

  func encode<T: Encodable>(_ value: T) throws {
    switch value {
    case let value as JSON: result.content = .leaf(value)
    // Foundation's encoder for JSON has the same forms of data and addresses.
    case let value as Data: result.content = .leaf(.string(value.base64EncodedString()))
    case let value as URL: result.content = .leaf(.string(value.absoluteString))
    default: try value.encode(to: self)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(TreeMemberEncoder(result: result, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    TreeElementEncoder(result: result, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { TreeLeafEncoder(encoder: self) }
}

/// Encodes the members of an object.
struct TreeMemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let result: EncodedTreeValue
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { _ = result.add(key.stringValue) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder(key).encode(value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
    -> KeyedEncodingContainer<Nested>
  { encoder(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(TreeCodingKey.superclass) }

  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

  private func encoder(_ key: any CodingKey) -> TreeEncoder {
    TreeEncoder(result: result.add(key.stringValue), codingPath: codingPath + [key])
  }
}

/// Encodes the elements of an array.
struct TreeElementEncoder: UnkeyedEncodingContainer {
  let result: EncodedTreeValue
  let codingPath: [any CodingKey]

  var count: Int { result.elementCount }

  func encodeNil() { _ = result.addElement() }

  func encode<T: Encodable>(_ value: T) throws { try encoder().encode(value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

  func superEncoder() -> any Encoder { encoder() }

  private func encoder() -> TreeEncoder {
    let key = TreeCodingKey(intValue: count)
    return TreeEncoder(result: result.addElement(), codingPath: codingPath + [key])
  }
}

/// Encodes a value as a whole.
struct TreeLeafEncoder: SingleValueEncodingContainer {
  let encoder: TreeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { set(.null) }
  func encode(_ value: Bool) { set(.bool(value)) }
  func encode(_ value: String) { set(.string(value)) }
  func encode(_ value: Double) { set(.double(value)) }
  func encode(_ value: Float) { set(.double(Double(value))) }
  func encode(_ value: Int) throws { try set(value) }
  func encode(_ value: Int8) throws { try set(value) }
  func encode(_ value: Int16) throws { try set(value) }
  func encode(_ value: Int32) throws { try set(value) }
  func encode(_ value: Int64) throws { try set(value) }
  func encode(_ value: UInt) throws { try set(value) }
  func encode(_ value: UInt8) throws { try set(value) }
  func encode(_ value: UInt16) throws { try set(value) }
  func encode(_ value: UInt32) throws { try set(value) }
  func encode(_ value: UInt64) throws { try set(value) }
  func encode<T: Encodable>(_ value: T) throws { try encoder.encode(value) }

  private func set(_ value: JSON) { encoder.result.content = .leaf(value) }

  private func set(_ value: some FixedWidthInteger) throws {
    guard let integer = Int64(exactly: value) else {
      let context = EncodingError.Context(
        codingPath: codingPath,
        debugDescription: "The integer does not fit 64 bits with a sign."
      )
      throw EncodingError.invalidValue(value, context)
    }
    set(.int(integer))
  }
}
