import Foundation

/// The package's name for `_ValueReader`.
@usableFromInline
package typealias ValueReader = _ValueReader

/// A reader of values from the bytes of a record. Every read is checked against the end.
///
/// A reader is a view. Its bytes belong to a page or to an object's copy, and are valid until the closure
/// that received the reader returns.
public struct _ValueReader {
  package private(set) var rest: UnsafeRawBufferPointer
  /// The context for resolving links.
  let origin: ValueOrigin?
  /// Whether a stored value was read that the Swift type cannot represent.
  var foundUnknown = false

  // SAFETY: the caller keeps `buffer` alive and unchanged while the reader is used.
  package init(_ buffer: UnsafeRawBufferPointer, context: ValueOrigin?) {
    self.rest = buffer
    origin = context
  }

  package var isAtEnd: Bool { rest.isEmpty }

  @inline(__always)
  mutating func take(_ count: Int) throws(FiefError) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= rest.count else { throw Self.truncated }
    // Slicing by a range would call six generic functions in a debug build, and this runs for each value.
    let start = rest.baseAddress
    rest = UnsafeRawBufferPointer(start: start?.advanced(by: count), count: rest.count - count)
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  @inline(__always)
  package mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(FiefError) -> Value {
    Value(littleEndian: try take(MemoryLayout<Value>.size).loadUnaligned(as: Value.self))
  }

  package mutating func count() throws(FiefError) -> Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try integer(UInt8.self)
      guard shift < 63 else { throw Self.truncated }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int(value) }
      shift += 7
    }
  }

  package mutating func sized() throws(FiefError) -> UnsafeRawBufferPointer {
    try take(try count())
  }

  package mutating func remaining() -> UnsafeRawBufferPointer {
    defer { rest = UnsafeRawBufferPointer(start: nil, count: 0) }
    return rest
  }

  package static var truncated: FiefError {
    FiefError(.damagedRecord, "A value has extra bytes after its end.")
  }
}
