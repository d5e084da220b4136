/// The reason why bytes are not a key, or a value cannot be an element of one.
@usableFromInline package struct KeyError: Error, Sendable, Equatable {
  /// The kinds of failure.
  @usableFromInline package enum Code: String, Sendable, CaseIterable {
    /// The key ends inside an element, or has no further element where one is required.
    case endOfKey
    /// The first byte of an element is not the tag of any type.
    case unknownTag
    /// A string is not valid UTF-8. A truncated string (``TruncatedKey``) reads as this, too.
    case invalidString
    /// A number is written in another form than the encoder's, so that the key would not be unique.
    case notCanonical
    /// The element is of another type than the one asked for.
    case unexpectedType
    /// The number does not fit the type asked for.
    case outOfRange
    /// A UUID is not 16 bytes, or an object id not 12.
    case wrongLength
  }

  /// The kind of failure.
  @usableFromInline package var code: Code
  /// The offset of the element, in bytes from the start of the key; 0 for a failure to encode.
  @usableFromInline package var offset: Int

  /// Makes an error.
  @inlinable
  package init(_ code: Code, at offset: Int = 0) {
    self.code = code
    self.offset = offset
  }
}
