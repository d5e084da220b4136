import FiefCore

/// A link as a value: the type and key of the linked object.
public struct DynamicLink: Sendable, Hashable {
  /// The name of the object's type.
  public let typeName: String
  /// The object's key.
  public let key: ObjectKey

  /// Creates a link. Whether the object exists is checked when the link is written.
  public init(typeName: String, key: ObjectKey) {
    self.typeName = typeName
    self.key = key
  }
}

extension DynamicLink: CustomStringConvertible {
  /// The type and the key: `Dog[7]`.
  public var description: String { "\(typeName)[\(key)]" }
}

extension DynamicLink: KeyedReference {
  package var keyBytes: [UInt8]? { key.bytes }
}
