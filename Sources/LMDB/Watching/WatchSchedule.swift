/// Decides when a watcher compares the numbers of commits: a state machine without a clock and a file.
struct WatchSchedule {
  private enum Phase {
    /// Waits for an event, or for a time.
    case listening(until: Int?)
    /// Ignores events until a time. Then it listens for `then` milliseconds, or until an event if that is nil.
    case resting(until: Int, then: Int?)
  }

  /// The least time between a call of the handler and the next one, in milliseconds.
  private static let restAfterCall = 3
  /// The least time after an event without a commit, because the system writes the pages of a large commit over some time.
  private static let restAfterEvent = 1
  private static let second = 1_000

  private var phase: Phase
  private var idle: Int?
  private var retry = 1

  /// - Parameters:
  ///   - now: the time in milliseconds.
  ///   - hasEvents: whether the system reports writes; otherwise the numbers are compared once in a second.
  ///   - looksAtOnce: whether the numbers are compared at once.
  init(now: Int, hasEvents: Bool, looksAtOnce: Bool) {
    idle = hasEvents ? nil : Self.second
    phase = .listening(until: looksAtOnce ? now : idle.map { now + $0 })
  }

  /// Whether events count now.
  var listens: Bool { if case .listening = phase { true } else { false } }

  /// The time of the next step; nil if there is none before an event.
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

  /// The system reports no writes any more.
  mutating func losesEvents() { idle = Self.second }

  /// The numbers were compared.
  ///
  /// - Parameters:
  ///   - isSettled: whether only an event can change the outcome.
  ///   - hasCalled: whether the handler was called.
  mutating func looked(now: Int, isSettled: Bool, hasCalled: Bool) {
    retry = isSettled ? 1 : min(retry * 2, Self.second)
    phase = .resting(
      until: now + (hasCalled ? Self.restAfterCall : Self.restAfterEvent),
      then: isSettled ? idle : retry
    )
  }
}
