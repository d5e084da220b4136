import Foundation

/// Lets one thread at a time open a certain store; others wait, and stores do not wait for each other.
// SAFETY: `isOpening` is used by the thread that holds `lock` only.
final class OpeningGate: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var isOpening = false

  /// - Throws: ``FiefError`` of code `nestedWrite` where the store is opened from its own migration block.
  func enter<Value>(store: String?, _ body: () throws -> Value) throws -> Value {
    lock.lock()
    defer { lock.unlock() }
    guard !isOpening else {
      throw FiefError(.nestedWrite, "A store cannot be opened from its own migration block.", store: store)
    }
    isOpening = true
    defer { isOpening = false }
    return try body()
  }
}
