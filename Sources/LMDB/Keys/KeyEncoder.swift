/// Writes values as bytes whose order is the order of the values.
///
/// The encoding is in the manner of FoundationDB's tuple layer with a few types more. Each element
/// begins with a tag of its type and says by itself where it ends, so a compound key is a
/// concatenation, compares element by element, and no element is a prefix of another: all keys that
/// begin with an encoded value have that value. (The tuple layer's escape of a zero byte, `00 FF`,
/// does not give that: its `""` is a prefix of its `"\0"`. So text and bytes are escaped otherwise
/// here: 0 as `01 01`, 1 as `01 02`, and the end is `00`.)
///
/// Values of different types have a defined order too, that of their tags:
/// null, bytes, strings, integers, floats, doubles, false, true, UUIDs, object ids, dates, decimals.
///
/// Floating-point numbers are in the total order of IEEE 754: `-0.0` is before `0.0`, and a NaN keeps
/// its payload and sorts beyond the infinity of its sign. Strings are ordered by their UTF-8 bytes,
/// which is the order of their Unicode scalars.
@usableFromInline package struct KeyEncoder: Sendable {
  /// The key so far.
  @usableFromInline package var bytes: [UInt8]

  /// Makes an encoder with an empty key.
  @inlinable
  package init() { bytes = [] }

  /// Makes an encoder with an empty key in the storage of an array that is no longer needed.
  ///
  /// - Parameter storage: its content is dropped; its capacity is kept where there is no other reference.
  @inlinable
  package init(reusing storage: consuming [UInt8]) {
    bytes = storage
    bytes.removeAll(keepingCapacity: true)
  }

  /// Empties the key and keeps its storage.
  @inlinable
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends the absence of a value.
  @inlinable
  package mutating func appendNull() { bytes.append(KeyTag.null) }

  /// Appends an integer in one to nine bytes; equal integers of any width have equal keys.
  @inlinable
  package mutating func append(_ value: Int64) { append(KeyElementImage(value)) }

  /// Appends an integer.
  @inlinable
  package mutating func append(_ value: Int) { append(Int64(value)) }

  /// Appends an integer without a sign; up to `Int64.max` the key is that of the `Int64`.
  @inlinable
  package mutating func append(_ value: UInt64) {
    let count = 8 &- (value.leadingZeroBitCount &>> 3)
    let shift = UInt64(truncatingIfNeeded: 64 &- (count &<< 3))
    append(
      KeyElementImage(
        tag: KeyTag.integer &+ UInt8(truncatingIfNeeded: count),
        value &<< shift,
        count: count
      )
    )
  }

  /// Appends a 64-bit floating-point number.
  @inlinable
  package mutating func append(_ value: Double) {
    append(KeyElementImage(value))
  }

  /// Appends a 32-bit floating-point number; it is not comparable with a double.
  @inlinable
  package mutating func append(_ value: Float) {
    append(KeyElementImage(tag: KeyTag.float, UInt64(KeyOrder.ordered(value)) &<< 32, count: 4))
  }

  /// Appends a truth value.
  @inlinable
  package mutating func append(_ value: Bool) { bytes.append(value ? KeyTag.true : KeyTag.false) }

  /// Appends a date.
  ///
  /// - Parameter seconds: the distance from the reference date that the caller has chosen.
  @inlinable
  package mutating func append(date seconds: Double) {
    append(KeyElementImage(date: seconds))
  }

  @inlinable
  @inline(__always)
  mutating func append(_ element: KeyElementImage) {
    withUnsafeBytes(of: element.bytes) { image in
      // SAFETY: the image has 16 bytes, and an element of it at most 9.
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: image.baseAddress, count: element.count))
    }
  }
}

/// The order-preserving images of floating-point numbers.
@usableFromInline
enum KeyOrder {
  /// Negative numbers are inverted, the others get the high bit: unsigned order is total order.
  @inlinable
  static func ordered(_ value: Double) -> UInt64 {
    let bits = value.bitPattern
    return bits ^ (UInt64(bitPattern: Int64(bitPattern: bits) &>> 63) | (1 &<< 63))
  }

  @inlinable
  static func ordered(_ value: Float) -> UInt32 {
    let bits = value.bitPattern
    return bits ^ (UInt32(bitPattern: Int32(bitPattern: bits) &>> 31) | (1 &<< 31))
  }

  @inlinable
  static func double(_ image: UInt64) -> Double {
    Double(bitPattern: image ^ (UInt64(bitPattern: ~Int64(bitPattern: image) &>> 63) | (1 &<< 63)))
  }

  @inlinable
  static func float(_ image: UInt32) -> Float {
    Float(bitPattern: image ^ (UInt32(bitPattern: ~Int32(bitPattern: image) &>> 31) | (1 &<< 31)))
  }
}
