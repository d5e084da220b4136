import Foundation

/// Decodes a value of a tree into a Swift type.
///
/// Nothing is decoded as an empty array or object, since a tree does not store those.
struct TreeDecoder: Decoder {
  let value: JSON
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns a value as an instance of a type.
  ///
  /// - Parameter value: a value in which nodes are objects.
  static func decode<T: Decodable>(_ type: T.Type, from value: JSON) throws -> T {
    try TreeDecoder(value: value, codingPath: []).decode(type)
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if type is any StringKeyed.Type { try checkNames() }
    // Foundation's encoder for JSON has the same forms of data and addresses.
    let known: (any Decodable)? =
      switch type {
      case is JSON.Type: value
      case is Data.Type: try Data(base64Encoded: string()) ?? invalid("The text is not valid Base64.")
      case is URL.Type: try URL(string: string()) ?? invalid("The text is not a valid URL.")
      default: nil
      }
    // Without the first binding, nothing would be cast to an optional type successfully.
    if let known, let result = known as? T { return result }
    return try T(from: self)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    switch value {
    case .object(let members):
      return KeyedDecodingContainer(TreeMemberDecoder<Key>(members: members, codingPath: codingPath))
    case .null:
      return KeyedDecodingContainer(TreeMemberDecoder<Key>(members: JSONObject(), codingPath: codingPath))
    default: throw mismatch([String: Any].self)
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch value {
    case .array(let elements): return TreeElementDecoder(elements: elements, codingPath: codingPath)
    case .null: return TreeElementDecoder(elements: [], codingPath: codingPath)
    case .object(let object):
      guard let elements = JSON.elements(of: object.members) else { fallthrough }
      return TreeElementDecoder(elements: elements, codingPath: codingPath)
    default: throw mismatch([Any].self)
    }
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { TreeLeafDecoder(decoder: self) }

  // MARK: Leaves

  func bool() throws -> Bool { try value.bool ?? missing(Bool.self) }

  func string() throws -> String { try value.string ?? missing(String.self) }

  func double() throws -> Double { try value.double ?? missing(Double.self) }

  func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    guard let double = value.double else { return try missing(type) }
    guard let integer = value.int.flatMap({ T(exactly: $0) }) ?? T(exactly: double) else {
      return try invalid("The number has a fraction or does not fit \(type).")
    }
    return integer
  }

  // MARK: Errors

  /// Throws the error for a value of another type.
  private func missing<T>(_ type: T.Type) throws -> T {
    guard case .null = value else { throw mismatch(type) }
    throw DecodingError.valueNotFound(type, context("Nothing is at this place."))
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    DecodingError.typeMismatch(type, context("The value has another type."))
  }

  func invalid<T>(_ message: String) throws -> T { throw DecodingError.dataCorrupted(context(message)) }

  private func context(_ message: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: message)
  }

  /// Checks that a dictionary would have all names of an object.
  ///
  /// Swift compares texts canonically, so names with different bytes may be equal.
  private func checkNames() throws {
    guard case .object(let object) = value,
      object.members.contains(where: { !$0.name.utf8.allSatisfy { $0 < 0x80 } })
    else { return }
    if Set(object.members.map(\.name)).count < object.count {
      try invalid("Two names are equal as Swift strings.") as Void
    }
  }
}

/// A dictionary whose keys are texts.
private protocol StringKeyed {}

extension Dictionary: StringKeyed where Key == String {}

/// The key of an element, or of the values of a superclass.
struct TreeCodingKey: CodingKey {
  static let superclass = TreeCodingKey(stringValue: "super")

  let stringValue: String
  var intValue: Int? { Int(stringValue) }

  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) { stringValue = String(intValue) }
}
