import FiefTorture
import Foundation

/// A count that threads wait for.
final class CountedCalls: @unchecked Sendable {
  // SAFETY: `number` is read and written only by a thread that holds the condition's lock.
  private let condition = NSCondition()
  private var number = 0

  var value: Int {
    condition.lock()
    defer { condition.unlock() }
    return number
  }

  func add(_ count: Int = 1) {
    condition.lock()
    number += count
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until the count is reached; false where that takes longer than ``ChildRun/hangLimit``.
  func wait(for count: Int) -> Bool {
    let end = Date(timeIntervalSinceNow: ChildRun.hangLimit)
    condition.lock()
    defer { condition.unlock() }
    while number < count { if !condition.wait(until: end) { return number >= count } }
    return true
  }
}

/// A result that another thread sets.
final class OwnedResult: @unchecked Sendable {
  // SAFETY: `result` is read and written only by a thread that holds the lock.
  private let lock = NSLock()
  private var result: Result<Void, any Error> = .success(())

  func set(_ result: Result<Void, any Error>) { lock.withLock { self.result = result } }
  func get() throws { try lock.withLock { result }.get() }
}
