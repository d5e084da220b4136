import Fief
public import Foundation

/// A clock that a test sets and moves by hand.
///
/// ```swift
/// let clock = ManualClock()
/// var options = StoreOptions()
/// options.clock = clock.read
/// clock.advance(by: 3600)
/// ```
/// It can be used on any thread. Copies of ``read`` read the same clock.
public final class ManualClock: Sendable {
  private let state: Lock<Date>

  /// Makes a clock that stands at a date, by default at the beginning of 2001 (UTC).
  public init(_ start: Date = Date(timeIntervalSinceReferenceDate: 0)) { state = Lock(start) }

  /// The time of the clock; it can be set to an earlier one, too.
  public var now: Date {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// The reading of the clock as a function, for `StoreOptions.clock`.
  public var read: @Sendable () -> Date { { self.now } }

  /// Moves the clock.
  ///
  /// - Parameter seconds: how far; a negative number moves it back.
  public func advance(by seconds: TimeInterval) { state.withLock { $0 += seconds } }
}
