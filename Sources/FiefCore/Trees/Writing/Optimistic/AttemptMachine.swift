/// The attempts of an optimistic transaction: what follows the end of each of them. A value without time, randomness and tasks.
struct AttemptMachine {
  enum Outcome: Equatable {
    /// The attempt's writes were committed, or it had none and what it read was one state.
    case committed
    /// Something that it read was changed; a line for each object.
    case stale([String])
    /// The body or the commit failed.
    case failed
  }

  enum Action: Equatable {
    /// Call the body, for the attempt with a number from 1.
    case run(attempt: Int)
    /// Wait, then call ``waited(isCancelled:)``.
    case wait(Duration)
    /// End with the value of the body, or with the failure.
    case end
    /// End because what was read changed in each attempt; the lines are those of the last one.
    case giveUp([String])
    /// End because the task was cancelled.
    case cancel
  }

  /// The longest wait between two attempts.
  static let longestWait = Duration.milliseconds(500)
  private static let firstWait = Duration.milliseconds(10)

  let maximumAttempts: Int
  private var attempt = 0

  /// - Parameter maximumAttempts: 1 at least.
  init(maximumAttempts: Int) { self.maximumAttempts = maximumAttempts }

  mutating func begin(isCancelled: Bool) -> Action { next(isCancelled) }

  mutating func waited(isCancelled: Bool) -> Action { next(isCancelled) }

  /// - Parameter random: any number, another one each time.
  func ended(_ outcome: Outcome, isCancelled: Bool, random: UInt64) -> Action {
    switch outcome {
    case .committed, .failed: return .end
    case .stale(let lines):
      if attempt >= maximumAttempts { return .giveUp(lines) }
      return isCancelled ? .cancel : .wait(Self.wait(after: attempt, random: random))
    }
  }

  private mutating func next(_ isCancelled: Bool) -> Action {
    if isCancelled { return .cancel }
    attempt += 1
    return .run(attempt: attempt)
  }

  /// 10 ms times a power of two, at most ``longestWait``: half of it fixed, the other half random, so that transactions that met
  /// once do not meet again.
  static func wait(after attempt: Int, random: UInt64) -> Duration {
    // The sixth doubling is beyond the longest wait.
    let doubled = firstWait * (1 << min(attempt - 1, 6))
    let half = min(doubled, longestWait) / 2
    return half + half * (Double(random >> 11) / Double(1 << 53))
  }
}
