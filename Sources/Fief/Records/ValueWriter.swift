import Foundation

/// Where values are written to when a record is made: a growing run of bytes.
///
/// Numbers are little-endian. A writer never fails; what a value cannot express is refused before.
public struct ValueWriter {
  var bytes: [UInt8]
  /// The graph that is being saved: links ask it for the key of an object that is not stored yet.
  let graph: ObjectGraph?

  init(graph: ObjectGraph? = nil, reserving capacity: Int = 0) {
    self.bytes = []
    self.bytes.reserveCapacity(capacity)
    self.graph = graph
  }

  /// A writer that goes on after `bytes`, which are moved out of their place.
  init(graph: ObjectGraph?, taking bytes: inout [UInt8]) {
    self.graph = graph
    self.bytes = []
    swap(&self.bytes, &bytes)
  }

  @inline(__always)
  mutating func appendInteger<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  @inline(__always)
  mutating func append(_ buffer: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: buffer)
  }

  mutating func append(_ string: String) {
    var string = string
    string.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// An unsigned number in seven-bit groups, the lowest first.
  mutating func appendCount(_ count: Int) {
    var rest = UInt64(clamping: count)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// What `body` writes, preceded by its length.
  mutating func appendSized(_ body: (inout ValueWriter) throws -> Void) rethrows {
    let start = bytes.count
    try body(&self)
    let length = bytes.count - start
    if length < 0x80 {
      bytes.insert(UInt8(length), at: start)
    } else {
      var prefix = ValueWriter()
      prefix.appendCount(length)
      bytes.insert(contentsOf: prefix.bytes, at: start)
    }
  }
}
