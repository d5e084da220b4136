import Foundation

/// Immutable bytes that a ``ValueWriter`` has written.
// SAFETY: the object owns the block, which is only read until the object is released.
final class EncodedBytes: @unchecked Sendable {
  let count: Int
  private let base: UnsafeMutableRawPointer?

  static let none = EncodedBytes(owning: nil, count: 0)

  /// - Parameter base: `count` initialised bytes of malloc, whose ownership passes to this object.
  init(owning base: UnsafeMutableRawPointer?, count: Int) {
    self.base = base
    self.count = count
  }

  deinit { free(base) }

  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(start: base, count: count)) }
  }
}
