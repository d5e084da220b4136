/// A monotonic clock whose instants are durations since it was wrapped.
package struct IntervalClock: Sendable {
  /// Returns the time on the clock.
  package let now: @Sendable () -> Duration
  /// Suspends until a time on the clock.
  package let sleep: @Sendable (_ end: Duration) async throws -> Void
  /// Whether the clock runs like the system's clock, so that a thread can wait for a time on it.
  let isSystem: Bool

  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    isSystem = clock is ContinuousClock || clock is SuspendingClock
  }

  /// The system's clock. Its types are known statically, so that the runtime does not have to look them up.
  static var system: IntervalClock {
    let start = ContinuousClock.now
    return IntervalClock(
      now: { start.duration(to: .now) },
      sleep: { try await ContinuousClock().sleep(until: start.advanced(by: $0), tolerance: nil) }
    )
  }

  private init(
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (_ end: Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
    isSystem = true
  }
}

extension Duration {
  /// The duration, limited so that it can be added to times on a clock without overflow: at most about 34,000
  /// years.
  package var bounded: Duration { min(self, .seconds(1 << 40)) }

  /// The duration in nanoseconds, rounded up; `Int.max` if it does not fit.
  var nanoseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLong) = whole.addingReportingOverflow((attoseconds + 999_999_999) / 1_000_000_000)
    return overflow || isTooLong ? .max : Int(clamping: sum)
  }
}
