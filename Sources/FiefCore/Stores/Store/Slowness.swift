import LMDB

/// The durations beyond which queries and commits are events, and the clock that measures them.
struct Slowness: Sendable {
  /// In nanoseconds; nil where queries are not measured.
  let query: Int?
  /// In nanoseconds; nil where commits are not measured.
  let commit: Int?
  private let clock: (@Sendable () -> Int)?

  /// - Parameters:
  ///   - query: the limit of queries in seconds.
  ///   - commit: the limit of commits in seconds.
  ///   - clock: gives nanoseconds; nil for that of the system.
  init(query: Double?, commit: Double?, clock: (@Sendable () -> Int)?) {
    self.query = Self.nanoseconds(query)
    self.commit = Self.nanoseconds(commit)
    self.clock = clock
  }

  private static func nanoseconds(_ seconds: Double?) -> Int? {
    guard let seconds, !seconds.isNaN else { return nil }
    return Int(exactly: (max(0, seconds) * 1e9).rounded()) ?? .max
  }

  var now: Int { clock?() ?? writeQueueNow() }
}
