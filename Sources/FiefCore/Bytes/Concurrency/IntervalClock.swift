/// A monotonic clock with its instants as durations since it was wrapped.
package struct IntervalClock: Sendable {
  /// The time on the clock.
  package let now: @Sendable () -> Duration
  /// Suspends until a time on the clock.
  package let sleep: @Sendable (_ end: Duration) async throws -> Void
  /// Whether it runs as the system's does, so that a thread can wait for a time on it.
  let isSystem: Bool

  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    isSystem = clock is ContinuousClock || clock is SuspendingClock
  }

  /// The system's clock. The types are known, so that the runtime has to look for none.
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
  /// An interval that can be added to times on a clock without overflow: about 34,000 years at most.
  package var bounded: Duration { min(self, .seconds(1 << 40)) }

  /// The duration in nanoseconds, rounded up; the greatest number where there are more.
  var nanoseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLong) = whole.addingReportingOverflow((attoseconds + 999_999_999) / 1_000_000_000)
    return overflow || isTooLong ? .max : Int(clamping: sum)
  }
}
