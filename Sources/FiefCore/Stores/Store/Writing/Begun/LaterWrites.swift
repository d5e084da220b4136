import LMDB

/// The numbers of writes that are begun later, and of handlers that are called after commits, until they are called.
package final class LaterWrites: Sendable {
  private struct State {
    var last: UInt32 = 0
    var waiting: Set<UInt32> = []
    var running = 0
  }

  private let state = OwnedLock(State())

  /// Whether any waits or runs.
  package var hasAny: Bool { state.withLock { !$0.waiting.isEmpty || $0.running > 0 } }

  /// - Returns: a number that no other one has which waits; never 0.
  func add() -> UInt32 {
    state.withLock { state in
      repeat { state.last &+= 1 } while state.last == 0 || !state.waiting.insert(state.last).inserted
      return state.last
    }
  }

  /// Calls a closure in place of a number that waits; does nothing for one that was cancelled.
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

  /// Calls a closure that counts as one of them.
  func running<Value>(_ body: () throws -> Value) rethrows -> Value {
    state.withLock { $0.running += 1 }
    defer { state.withLock { $0.running -= 1 } }
    return try body()
  }

  /// Takes a number that waits, whose turn has come.
  ///
  /// - Returns: whether it was waiting, and was not cancelled.
  func take(_ number: UInt32) -> Bool { state.withLock { $0.waiting.remove(number) != nil } }

  /// Forgets a number that waits.
  func cancel(_ number: UInt32) { state.withLock { _ = $0.waiting.remove(number) } }
}
