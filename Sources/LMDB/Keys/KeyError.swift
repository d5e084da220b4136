/// The reason why bytes are not a key, or why a value cannot be an element of a key.
@usableFromInline package struct KeyError: Error, Sendable, Equatable {
  /// The kinds of failure.
  @usableFromInline package enum Code: String, Sendable, CaseIterable {
    /// The key ends inside an element, or has no further element although another is required.
    case endOfKey
    /// The first byte of an element is not the tag of any type.
    case unknownTag
    /// A string is not valid UTF-8. This includes a truncated string (``TruncatedKey``).
    case invalidString
    /// A number is not encoded in the form that the encoder writes, so the key would not be unique.
    case notCanonical
    /// The type of the element differs from the requested type.
    case unexpectedType
    /// The number does not fit in the requested type.
    case outOfRange
    /// A UUID is not 16 bytes, or an object id not 12.
    case wrongLength
  }

  /// The kind of failure.
  @usableFromInline package var code: Code
  /// The offset of the element in bytes from the start of the key; 0 for an encoding failure.
  @usableFromInline package var offset: Int

  /// Creates an error.
  @inlinable
  package init(_ code: Code, at offset: Int = 0) {
    self.code = code
    self.offset = offset
  }
}
