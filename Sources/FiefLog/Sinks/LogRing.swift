import Fief

/// Keeps the last entries of a log.
final class LogRing: Sendable {
  private struct State {
    var entries: [LogEntry] = []
    /// The index of the oldest entry, which the next entry replaces if the ring is full.
    var next = 0
  }

  private let count: Int
  private let state = Lock(State())

  init(_ count: Int) { self.count = count }

  var entries: [LogEntry] {
    state.withLock { Array($0.entries[$0.next...] + $0.entries[..<$0.next]) }
  }

  func append(_ entry: LogEntry) {
    // The replaced entry is released outside the lock.
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
