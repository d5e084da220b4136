/// Determines when a watcher compares the numbers of commits: a state machine without a clock and a file.
struct WatchSchedule {
  private enum Phase {
    /// Waits for an event, but not longer than until the given time, if there is one.
    case listening(until: Int?)
    /// Ignores events until a time. Then it listens for `then` milliseconds, or until an event if `then` is
    /// `nil`.
    case resting(until: Int, then: Int?)
  }

  /// The minimum time between two calls of the handler, in milliseconds.
  private static let restAfterCall = 3
  /// The minimum time after an event without a commit, in milliseconds. The system writes the pages of a
  /// large commit over some time.
  private static let restAfterEvent = 1
  private static let second = 1_000

  private var phase: Phase
  private var idle: Int?
  private var retry = 1

  /// - Parameters:
  ///   - now: The time in milliseconds.
  ///   - hasEvents: Whether the system reports writes. Otherwise the numbers are compared once per second.
  ///   - looksAtOnce: Whether to compare the numbers immediately.
  init(now: Int, hasEvents: Bool, looksAtOnce: Bool) {
    idle = hasEvents ? nil : Self.second
    phase = .listening(until: looksAtOnce ? now : idle.map { now + $0 })
  }

  /// Whether events count now.
  var listens: Bool { if case .listening = phase { true } else { false } }

  /// The time of the next step, or `nil` if only an event can cause it.
  var time: Int? {
    switch phase {
    case .listening(let time): time
    case .resting(let time, _): time
    }
  }

  /// Whether to compare the numbers now.
  mutating func isDue(now: Int, hasEvent: Bool) -> Bool {
    switch phase {
    case .listening(let time): return hasEvent || time.map { $0 <= now } == true
    case .resting(let time, let limit):
      if time <= now { phase = .listening(until: limit.map { now + $0 }) }
      return false
    }
  }

  /// Called when the system no longer reports writes.
  mutating func losesEvents() { idle = Self.second }

  /// Called after the numbers were compared.
  ///
  /// - Parameters:
  ///   - isSettled: Whether only an event can change the outcome.
  ///   - hasCalled: Whether the handler was called.
  mutating func looked(now: Int, isSettled: Bool, hasCalled: Bool) {
    retry = isSettled ? 1 : min(retry * 2, Self.second)
    phase = .resting(
      until: now + (hasCalled ? Self.restAfterCall : Self.restAfterEvent),
      then: isSettled ? idle : retry
    )
  }
}
