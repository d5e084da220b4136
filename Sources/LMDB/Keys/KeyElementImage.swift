/// The key element of a number, in registers, for callers that write to their own memory.
@usableFromInline package struct KeyElementImage: Sendable {
  /// The bytes of the element in memory order, followed by zeros.
  @usableFromInline package let bytes: UInt128
  /// The number of bytes of the element, at most nine.
  @usableFromInline package let count: Int

  /// Creates an element from a tag and the first `count` bytes of a payload that is aligned to the high end.
  @inlinable
  @inline(__always)
  init(tag: UInt8, _ payload: UInt64, count: Int) {
    bytes = ((UInt128(tag) &<< 120) | (UInt128(payload) &<< 56)).bigEndian
    self.count = count &+ 1
  }

  /// Creates the element of an integer. Equal integers of any width have equal elements.
  @inlinable
  @inline(__always)
  package init(_ value: Int64) {
    let magnitude = value.magnitude
    let count = 8 &- (magnitude.leadingZeroBitCount &>> 3)
    // A masking shift: zero has no magnitude bytes, and a shift by 64 does not shift at all.
    let shift = UInt64(truncatingIfNeeded: 64 &- (count &<< 3))
    if value < 0 {
      self.init(tag: KeyTag.integer &- UInt8(truncatingIfNeeded: count), ~magnitude &<< shift, count: count)
    } else {
      self.init(tag: KeyTag.integer &+ UInt8(truncatingIfNeeded: count), magnitude &<< shift, count: count)
    }
  }

  /// Creates the element of a floating-point number.
  @inlinable
  package init(_ value: Double) { self.init(tag: KeyTag.double, KeyOrder.ordered(value), count: 8) }

  /// Creates the element of a 32-bit floating-point number.
  @inlinable
  package init(_ value: Float) {
    self.init(tag: KeyTag.float, UInt64(KeyOrder.ordered(value)) &<< 32, count: 4)
  }

  /// Creates the element of a date.
  ///
  /// - Parameter seconds: The seconds since the reference date that the caller has chosen.
  @inlinable
  package init(date seconds: Double) { self.init(tag: KeyTag.date, KeyOrder.ordered(seconds), count: 8) }

  /// Calls `body` with the bytes of the element, without an allocation.
  @inlinable
  package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try Swift.withUnsafeBytes(of: bytes) {
      // SAFETY: the image has 16 bytes, and `count` is at most nine.
      try body(UnsafeRawBufferPointer(start: $0.baseAddress, count: count))
    }
  }
}
