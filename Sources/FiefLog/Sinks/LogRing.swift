import Fief

/// The last entries of a log.
final class LogRing: Sendable {
  private struct State {
    var entries: [LogEntry] = []
    /// The place of the oldest entry, and so of the next one, when all places are taken.
    var next = 0
  }

  private let count: Int
  private let state = Lock(State())

  init(_ count: Int) { self.count = count }

  var entries: [LogEntry] {
    state.withLock { Array($0.entries[$0.next...] + $0.entries[..<$0.next]) }
  }

  func append(_ entry: LogEntry) {
    // The entry that is replaced is released outside of the lock.
    let former = state.withLock { state -> LogEntry? in
      if state.entries.count < count {
        state.entries.append(entry)
        return nil
      }
      let former = state.entries[state.next]
      state.entries[state.next] = entry
      state.next = (state.next + 1) % count
      return former
    }
    withExtendedLifetime(former) {}
  }
}
