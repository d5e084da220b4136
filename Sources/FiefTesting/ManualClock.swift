import Fief
public import Foundation

/// A clock that a test sets and advances manually.
///
/// ```swift
/// let clock = ManualClock()
/// var options = StoreOptions()
/// options.clock = clock.read
/// options.intervalClock = clock.intervals
/// clock.advance(by: 3600)
/// ```
/// It can be used from any thread. Copies of ``read`` and ``intervals`` read the same clock.
public final class ManualClock: Sendable {
  private struct Sleeper {
    let end: Duration
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var now: Date
    var elapsed = Duration.zero
    var sleepers: [UInt64: Sleeper] = [:]
    var last: UInt64 = 0
  }

  private let state: Lock<State>

  /// Creates a clock that is stopped at a date, by default the beginning of 2001 (UTC).
  public init(_ start: Date = Date(timeIntervalSinceReferenceDate: 0)) { state = Lock(State(now: start)) }

  /// The time of the clock. It can also be set to an earlier time. Setting it does not affect ``intervals``.
  public var now: Date {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  /// A function that reads the clock, for `StoreOptions.clock`.
  public var read: @Sendable () -> Date { { self.now } }

  /// The clock as a monotonic clock, for `StoreOptions.intervalClock`, `Throttle` and `QueryCoalescer`.
  public var intervals: Intervals { Intervals(clock: self) }

  /// The number of tasks that sleep on ``intervals``. A test waits for them before it advances the clock.
  public var sleeping: Int { state.withLock { $0.sleepers.count } }

  /// Advances the clock, and wakes the tasks whose sleep is over.
  ///
  /// - Parameter seconds: the number of seconds. A negative number moves the clock back, but not its
  ///   ``intervals``, which never go back.
  public func advance(by seconds: TimeInterval) {
    let woken = state.withLock { state in
      state.now += seconds
      if seconds > 0 { state.elapsed += .seconds(seconds) }
      let over = state.sleepers.filter { $0.value.end <= state.elapsed }
      for number in over.keys { state.sleepers[number] = nil }
      return over.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume(returning: true) }
  }

  fileprivate var elapsed: Duration { state.withLock { $0.elapsed } }

  fileprivate func sleep(until end: Duration) async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.elapsed >= end { return true }
          state.sleepers[number] = Sleeper(end: end, continuation: continuation)
          return false
        }
        if isOver { continuation.resume(returning: true) }
        if Task.isCancelled { wake(number) }
      }
    } onCancel: {
      wake(number)
    }
    if !isOver { throw CancellationError() }
  }

  private func wake(_ number: UInt64) {
    state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(returning: false)
  }
}

extension ManualClock {
  /// A ``ManualClock`` as a monotonic clock, which stands still until it is advanced.
  public struct Intervals: Clock {
    /// A time on the clock.
    public struct Instant: InstantProtocol {
      fileprivate let elapsed: Duration

      /// Returns the time that is later by a duration.
      public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }

      /// Returns the duration until another time.
      public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }

      /// Returns whether the first time is earlier.
      public static func < (first: Instant, second: Instant) -> Bool { first.elapsed < second.elapsed }
    }

    fileprivate let clock: ManualClock

    /// The current time on the clock.
    public var now: Instant { Instant(elapsed: clock.elapsed) }

    /// The minimum difference between two times.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Suspends until the clock reaches a time.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try await clock.sleep(until: deadline.elapsed)
    }
  }
}
