import Foundation

/// The name inside of the package.
@usableFromInline
package typealias ValueReader = _ValueReader

/// Reads values from the bytes of a record; every read is checked against the end.
///
/// A reader is a view: the bytes are those of a page or of an object's copy, and stay valid as long as
/// the closure that was handed the reader.
public struct _ValueReader {
  package private(set) var rest: UnsafeRawBufferPointer
  /// What links are resolved with.
  let origin: ValueOrigin?
  /// Whether there was a stored value that the Swift type has no value for.
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
    // A slice by a range would go through six generic functions in a debug build, and this is called for each value.
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
    FiefError(.damagedRecord, "A value ends before its bytes do.")
  }
}
