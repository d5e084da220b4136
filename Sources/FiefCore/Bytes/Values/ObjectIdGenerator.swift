import Foundation
import LMDB

/// The source of new object identifiers, shared by the process.
final class ObjectIdGenerator: Sendable {
  static let shared = ObjectIdGenerator()

  private struct State {
    var process: pid_t
    /// Five random bytes: 40 bits.
    var random: UInt64
    var counter: UInt32

    init(process: pid_t) {
      self.process = process
      random = UInt64.random(in: 0..<(1 << 40))
      counter = UInt32.random(in: 0..<(1 << 24))
    }

    /// Returns the next identifier. The counter starts at a random number. When it wraps around, the
    /// identifiers of that second are not in order.
    mutating func next(seconds: UInt32) -> ObjectId {
      counter = (counter &+ 1) & 0xFF_FFFF
      return ObjectId(
        high: (UInt64(seconds) << 32) | (random >> 8),
        low: (UInt32(truncatingIfNeeded: random & 0xFF) << 24) | counter
      )
    }
  }

  private let state = OwnedLock(State(process: getpid()))

  func next() -> ObjectId {
    let seconds = UInt32(truncatingIfNeeded: time(nil))
    // A forked child must not continue the numbers of its parent.
    let process = getpid()
    return state.withLock { state in
      if state.process != process { state = State(process: process) }
      return state.next(seconds: seconds)
    }
  }
}
