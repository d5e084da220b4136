/// Encodes values as bytes whose order is the order of the values.
///
/// The encoding follows FoundationDB's tuple layer and adds a few types. Each element begins with a tag for
/// its type and determines its own end. A compound key is therefore a concatenation that compares element by
/// element, and no element is a prefix of another: all keys that begin with an encoded value have that value.
/// (The tuple layer's escape of a zero byte, `00 FF`, does not guarantee this: its `""` is a prefix of its
/// `"\0"`. Therefore text and bytes have other escapes here: 0 is `01 01`, 1 is `01 02`, and the end is
/// `00`.)
///
/// Values of different types also have a defined order, the order of their tags: null, bytes, strings,
/// integers, floats, doubles, false, true, UUIDs, object ids, dates, decimals.
///
/// Floating-point numbers are in the total order of IEEE 754: `-0.0` sorts before `0.0`, and a NaN keeps its
/// payload and sorts beyond the infinity of its sign. Strings are ordered by their UTF-8 bytes, which is the
/// order of their Unicode scalars.
@usableFromInline package struct KeyEncoder: Sendable {
  /// The bytes of the key so far.
  @usableFromInline package var bytes: [UInt8]

  /// Creates an encoder with an empty key.
  @inlinable
  package init() { bytes = [] }

  /// Creates an encoder with an empty key that reuses the storage of an array.
  ///
  /// - Parameter storage: An array that is no longer needed. Its content is dropped. Its capacity is kept if
  ///   it has no other reference.
  @inlinable
  package init(reusing storage: consuming [UInt8]) {
    bytes = storage
    bytes.removeAll(keepingCapacity: true)
  }

  /// Removes all bytes of the key and keeps its storage.
  @inlinable
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends null, which stands for a missing value.
  @inlinable
  package mutating func appendNull() { bytes.append(KeyTag.null) }

  /// Appends an integer as one to nine bytes. Equal integers of any width have equal keys.
  @inlinable
  package mutating func append(_ value: Int64) { append(KeyElementImage(value)) }

  /// Appends an integer.
  @inlinable
  package mutating func append(_ value: Int) { append(Int64(value)) }

  /// Appends an unsigned integer. Up to `Int64.max`, the key equals the key of the `Int64`.
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

  /// Appends a 32-bit floating-point number. It is not comparable with a double.
  @inlinable
  package mutating func append(_ value: Float) {
    append(KeyElementImage(tag: KeyTag.float, UInt64(KeyOrder.ordered(value)) &<< 32, count: 4))
  }

  /// Appends a Boolean value.
  @inlinable
  package mutating func append(_ value: Bool) { bytes.append(value ? KeyTag.true : KeyTag.false) }

  /// Appends a date.
  ///
  /// - Parameter seconds: The seconds since the reference date that the caller has chosen.
  @inlinable
  package mutating func append(date seconds: Double) {
    append(KeyElementImage(date: seconds))
  }

  @inlinable
  @inline(__always)
  mutating func append(_ element: KeyElementImage) {
    withUnsafeBytes(of: element.bytes) { image in
      // SAFETY: the image has 16 bytes, and its element at most 9.
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: image.baseAddress, count: element.count))
    }
  }
}

/// Converts floating-point numbers to integers in the same order.
@usableFromInline
enum KeyOrder {
  /// Inverts all bits of a negative number and sets the high bit of any other. The unsigned order of the
  /// results is the total order of the numbers.
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
