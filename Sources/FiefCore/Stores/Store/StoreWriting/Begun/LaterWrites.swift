import LMDB

/// The numbers of writes that will begin later, and of handlers that will be called after commits.
package final class LaterWrites: Sendable {
  private struct State {
    var last: UInt32 = 0
    var waiting: Set<UInt32> = []
    var running = 0
  }

  private let state = OwnedLock(State())

  /// Whether a write or a handler is waiting or running.
  package var hasAny: Bool { state.withLock { !$0.waiting.isEmpty || $0.running > 0 } }

  /// - Returns: a number that differs from all waiting numbers, and is never 0.
  func add() -> UInt32 {
    state.withLock { state in
      repeat { state.last &+= 1 } while state.last == 0 || !state.waiting.insert(state.last).inserted
      return state.last
    }
  }

  /// Removes a waiting number and calls a closure. Does nothing if the number was cancelled.
  func run(_ number: UInt32, _ body: () -> Void) {
    let isWaiting = state.withLock { state in
      guard state.waiting.remove(number) != nil else { return false }
      state.running += 1
      return true
    }
    guard isWaiting else { return }
    defer { state.withLock { $0.running -= 1 } }
    body()
  }

  /// Calls a closure that counts as a running write.
  func running<Value>(_ body: () throws -> Value) rethrows -> Value {
    state.withLock { $0.running += 1 }
    defer { state.withLock { $0.running -= 1 } }
    return try body()
  }

  /// Removes a waiting number whose turn has come.
  ///
  /// - Returns: whether it was waiting, and was not cancelled.
  func take(_ number: UInt32) -> Bool { state.withLock { $0.waiting.remove(number) != nil } }

  /// Removes a waiting number, so that its closure is not called.
  func cancel(_ number: UInt32) { state.withLock { _ = $0.waiting.remove(number) } }
}
