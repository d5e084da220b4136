import Fief
import Foundation

/// The stopped traces of a store, by name.
final class TraceTable: Sendable {
  /// The maximum number of names.
  private static let mostNames = 256
  /// The number of durations per name from which percentiles are computed.
  private static let kept = 1024

  private struct Traces {
    var count = 0
    var failures = 0
    var greatest = Duration.zero
    var last: [Duration] = []
    var next = 0

    mutating func add(_ duration: Duration, isFailure: Bool) {
      count += 1
      if isFailure { failures += 1 }
      greatest = max(greatest, duration)
      if last.count < TraceTable.kept {
        last.append(duration)
      } else {
        last[next] = duration
        next = (next + 1) % TraceTable.kept
      }
    }

    var summary: TraceSummary {
      let sorted = last.sorted()
      // Returns the smallest duration that is not exceeded by the given percentage of traces.
      func percentile(_ part: Int) -> Duration { sorted[max(0, (sorted.count * part + 99) / 100 - 1)] }
      return TraceSummary(
        count: count,
        failures: failures,
        p50: percentile(50),
        p95: percentile(95),
        greatest: greatest
      )
    }
  }

  /// A clock. It is a struct, because the state of a lock must not be a bare function.
  private struct Clock: Sendable {
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
  }

  /// The name of the store, or `nil` for none.
  let store: String?
  private let clock = Lock(Clock())
  private let traces = Lock<[String: Traces]>([:])
  private let nameLength: Int

  init(store: String?, nameLength: Int = LogLimits.nameLength) {
    self.store = store
    self.nameLength = nameLength
  }

  private static let all = Lock(TraceTables())

  static func of(_ store: Store) -> TraceTable {
    all.withLock { $0.table(store.place) { TraceTable(store: store.storeName) } }
  }

  /// The traces of HTTP requests.
  static let requests = TraceTable(store: nil, nameLength: LogLimits.requestNameLength)

  /// Returns a name, truncated if it is too long.
  func name(_ name: String) -> String { LogLimits.name(name, length: nameLength) }

  var now: ContinuousClock.Instant { clock.withLock { $0 }.now() }

  /// Replaces the clock, for tests.
  func measure(by clock: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.clock.withLock { $0 = Clock(now: clock) }
  }

  func add(_ name: String, _ duration: Duration, isFailure: Bool) {
    traces.withLock { traces in
      guard traces[name] != nil || traces.count < Self.mostNames else { return }
      traces[name, default: Traces()].add(duration, isFailure: isFailure)
    }
  }

  func summary(_ name: String) -> TraceSummary? {
    traces.withLock { $0[self.name(name)] }?.summary
  }
}
