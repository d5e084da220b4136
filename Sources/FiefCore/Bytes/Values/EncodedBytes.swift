import Foundation

/// Bytes that a ``ValueWriter`` has written, to be handed on: they never change any more.
// SAFETY: the block is the object's own and is only read until the object is gone.
final class EncodedBytes: @unchecked Sendable {
  let count: Int
  private let base: UnsafeMutableRawPointer?

  static let none = EncodedBytes(owning: nil, count: 0)

  /// - Parameter base: `count` initialised bytes of malloc, which become this object's.
  init(owning base: UnsafeMutableRawPointer?, count: Int) {
    self.base = base
    self.count = count
  }

  deinit { free(base) }

  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(start: base, count: count)) }
  }
}
