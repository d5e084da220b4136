import LMDB

/// The durations after which queries and commits are reported as slow, and the clock that measures them.
struct Slowness: Sendable {
  /// The limit in nanoseconds; nil if queries are not measured.
  let query: Int?
  /// The limit in nanoseconds; nil if commits are not measured.
  let commit: Int?
  private let clock: (@Sendable () -> Int)?

  /// - Parameters:
  ///   - query: the limit of queries in seconds.
  ///   - commit: the limit of commits in seconds.
  ///   - clock: returns nanoseconds; nil for the system's clock.
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
