/// The attempts of an optimistic transaction, as a state machine that decides the next step after each
/// attempt. It uses no clock, randomness or tasks.
struct AttemptMachine {
  enum Outcome: Equatable {
    /// The attempt's writes were committed, or it had no writes and its reads were one committed state.
    case committed
    /// An object that the attempt read was changed in the meantime. Each line describes one changed object.
    case stale([String])
    /// The body or the commit failed.
    case failed
  }

  enum Action: Equatable {
    /// Call the body for an attempt. The first attempt has the number 1.
    case run(attempt: Int)
    /// Wait, then call ``waited(isCancelled:)``.
    case wait(Duration)
    /// End with the result of the body, or with its failure.
    case end
    /// End because the objects that the last attempt read were changed, as in all attempts before. Each line
    /// describes one changed object.
    case giveUp([String])
    /// End because the task was cancelled.
    case cancel
  }

  /// The longest wait between two attempts.
  static let longestWait = Duration.milliseconds(500)
  private static let firstWait = Duration.milliseconds(10)

  let maximumAttempts: Int
  private var attempt = 0

  /// - Parameter maximumAttempts: At least 1.
  init(maximumAttempts: Int) { self.maximumAttempts = maximumAttempts }

  mutating func begin(isCancelled: Bool) -> Action { next(isCancelled) }

  mutating func waited(isCancelled: Bool) -> Action { next(isCancelled) }

  /// - Parameter random: A random number, different for each call.
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

  /// Returns 10 ms times a power of two, at most ``longestWait``. Half of the time is fixed and half is
  /// random, so that transactions that conflicted once are unlikely to conflict again.
  static func wait(after attempt: Int, random: UInt64) -> Duration {
    // The sixth doubling already exceeds the longest wait.
    let doubled = firstWait * (1 << min(attempt - 1, 6))
    let half = min(doubled, longestWait) / 2
    return half + half * (Double(random >> 11) / Double(1 << 53))
  }
}
