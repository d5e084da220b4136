/// One value of a key, as a decoder reads it.
///
/// Elements are equal if their payloads are equal. Two doubles `0.0` and `-0.0` are therefore equal although
/// their keys differ, and a NaN is not equal to anything.
@usableFromInline package enum KeyElement: Sendable, Equatable {
  /// No value. Sorts before every other element.
  case null
  /// An integer that fits in 64 bits with a sign.
  case integer(Int64)
  /// An integer above `Int64.max`.
  case unsigned(UInt64)
  /// A 32-bit floating-point number.
  case float(Float)
  /// A 64-bit floating-point number.
  case double(Double)
  /// A Boolean value. `false` sorts before `true`.
  case bool(Bool)
  /// Text, ordered by its UTF-8 bytes.
  case string(String)
  /// Bytes, in lexicographic order.
  case bytes([UInt8])
  /// The 16 bytes of a UUID.
  case uuid([UInt8])
  /// The 12 bytes of an object id.
  case objectID([UInt8])
  /// A date in seconds since the reference date that the caller has chosen.
  case date(Double)
  /// The order-preserving bytes of a decimal number.
  case decimal([UInt8])
}

extension KeyEncoder {
  /// Appends an element that a decoder returned. The bytes are the same as the decoded ones.
  ///
  /// - Throws: ``KeyError`` with `.wrongLength` for a UUID or an object id of another length. Nothing is then
  ///   appended.
  @usableFromInline package mutating func append(_ element: KeyElement) throws(KeyError) {
    switch element {
    case .null: appendNull()
    case .integer(let value): append(value)
    case .unsigned(let value): append(value)
    case .float(let value): append(value)
    case .double(let value): append(value)
    case .bool(let value): append(value)
    case .string(let value): append(string: value)
    case .bytes(let value): append(bytes: value)
    case .uuid(let value): try appendFixed(KeyTag.uuid, value, count: 16)
    case .objectID(let value): try appendFixed(KeyTag.objectID, value, count: 12)
    case .date(let value): append(date: value)
    case .decimal(let value): append(decimal: value)
    }
  }

  private mutating func appendFixed(_ tag: UInt8, _ content: [UInt8], count: Int) throws(KeyError) {
    guard content.count == count else { throw KeyError(.wrongLength) }
    bytes.append(tag)
    bytes.append(contentsOf: content)
  }
}
