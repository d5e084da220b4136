import Foundation

/// The package's name for `_ValueWriter`.
@usableFromInline
package typealias ValueWriter = _ValueWriter

/// The growing buffer to which values are written when a record is created.
///
/// Numbers are little-endian. A writer never fails, because unsuitable values are refused earlier.
public struct _ValueWriter: ~Copyable {
  // SAFETY: `base` points to `capacity` bytes of malloc that only this writer owns. The first `count` bytes
  // are initialised. Both numbers are 0 if `base` is nil.
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var count = 0
  /// The hash of the last finished record, from which its checksum was computed.
  var recordHash: UInt64 = 0
  /// The graph that is being saved. It provides the keys of linked objects that are not stored yet.
  let destination: ValueDestination?

  package init(graph: ValueDestination? = nil, reserving capacity: Int = 0) {
    destination = graph
    self.base = nil
    if capacity > 0 { grow(by: capacity) }
  }

  deinit { free(base) }

  /// The written bytes.
  package var bytes: [UInt8] { withBytes { [UInt8]($0) } }

  /// Calls `body` with the written bytes; the bytes are valid until it returns.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Returns the written bytes and leaves the writer empty.
  mutating func takeBytes() -> EncodedBytes {
    defer {
      base = nil
      count = 0
      capacity = 0
    }
    return EncodedBytes(owning: base, count: count)
  }

  /// Returns the address of the byte at an offset. It is valid until more bytes are appended.
  // SAFETY: callers only use offsets of bytes that were already appended.
  @inline(__always)
  func address(_ offset: Int) -> UnsafeMutableRawPointer {
    base.unsafelyUnwrapped + offset
  }

  /// Appends uninitialized bytes.
  ///
  /// - Returns: the address of the first byte, which is valid until more bytes are appended.
  @inline(__always)
  mutating func appendUninitialized(_ length: Int) -> UnsafeMutableRawPointer {
    if capacity &- count < length { grow(by: length) }
    let start = base.unsafelyUnwrapped + count
    count &+= length
    return start
  }

  @inline(never)
  private mutating func grow(by length: Int) {
    let wanted = Swift.max(count + length, capacity * 2, 64)
    if wanted >= 64 << 10 { FreedMemory.isKept }
    // SAFETY: the old block belongs to this writer, and no address in it is kept. If memory is exhausted, the
    // program cannot continue, as with an array of the standard library.
    guard let moved = realloc(base, wanted) else { abort() }
    base = moved
    capacity = wanted
  }

  /// Removes all bytes after the first `count` bytes.
  mutating func truncate(to count: Int) { self.count = Swift.min(self.count, count) }

  /// Removes all bytes and keeps the storage.
  package mutating func removeAll() { count = 0 }

  @inline(__always)
  package mutating func appendInteger<Value: FixedWidthInteger>(_ value: Value) {
    appendUninitialized(MemoryLayout<Value>.size).storeBytes(of: value.littleEndian, as: Value.self)
  }

  @inline(__always)
  package mutating func append(_ buffer: UnsafeRawBufferPointer) {
    guard let start = buffer.baseAddress, buffer.count > 0 else { return }
    appendUninitialized(buffer.count).copyMemory(from: start, byteCount: buffer.count)
  }

  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  @inline(__always)
  mutating func append(_ string: String) {
    let isContiguous: Void? = string.utf8.withContiguousStorageIfAvailable {
      append(UnsafeRawBufferPointer($0))
    }
    if isContiguous == nil { append(Array(string.utf8)) }
  }

  /// Appends an unsigned number in seven-bit groups, the lowest group first.
  package mutating func appendCount(_ count: Int) {
    var rest = UInt64(clamping: count)
    while rest >= 0x80 {
      appendInteger(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    appendInteger(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends the output of `body`, preceded by its length.
  mutating func appendSized(_ body: (inout ValueWriter) throws -> Void) rethrows {
    let start = count
    appendInteger(UInt8(0))
    try body(&self)
    let length = count - start - 1
    if length < 0x80 {
      address(start).storeBytes(of: UInt8(truncatingIfNeeded: length), as: UInt8.self)
      return
    }
    var prefix = ValueWriter()
    prefix.appendCount(length)
    _ = appendUninitialized(prefix.count - 1)
    memmove(address(start + prefix.count), address(start + 1), length)
    prefix.withBytes {
      address(start).copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count)
    }
  }
}
