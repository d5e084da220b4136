import Fief

/// A piece of work whose time is measured, with attributes and numbers.
///
/// ```swift
/// let trace = store.trace("fetch_user_profile")
/// trace["cache"] = "hit"
/// trace.increment("rows", by: 3)
/// trace.stop()
/// ```
/// A trace that is stopped is an entry of the level `debug`, whose fields are its attributes and numbers. One that is never stopped
/// counts nowhere. It has at most 25 attributes and 25 numbers, whose names have at most 40
/// characters and whose texts at most 100; what is beyond that is cut or left out. It can be used on any thread.
public final class StoreTrace: Sendable {
  /// How a trace has ended.
  public enum Outcome: Sendable {
    /// As it should.
    case succeeded
    /// With an error.
    case failed(any Error)

    var isFailure: Bool { if case .failed = self { true } else { false } }
  }

  private struct State: Sendable {
    var attributes: [String: String] = [:]
    var numbers: [String: Int] = [:]
    var outcome: Outcome?
    var duration: Duration?
  }

  /// The name, cut to 40 characters; that of a request to 200.
  public let name: String
  private let table: TraceTable
  private let start: ContinuousClock.Instant
  private let state = Lock(State())

  init(_ name: String, in table: TraceTable) {
    self.name = table.name(name)
    self.table = table
    start = table.now
  }

  /// An attribute; nil for none.
  public subscript(name: String) -> String? {
    get { state.withLock { $0.attributes[LogLimits.name(name)] } }
    set {
      let name = LogLimits.name(name)
      state.withLock { state in
        guard state.attributes[name] != nil || state.attributes.count < LogLimits.parameters else { return }
        state.attributes[name] = newValue.map(LogLimits.text)
      }
    }
  }

  /// The attributes.
  public var attributes: [String: String] { state.withLock { $0.attributes } }

  /// The numbers.
  public var numbers: [String: Int] { state.withLock { $0.numbers } }

  /// Adds to a number, which begins at zero. A sum that does not fit stays at the greatest or least number.
  ///
  /// - Parameters:
  ///   - name: the name of the number.
  ///   - amount: what is added.
  public func increment(_ name: String, by amount: Int = 1) {
    let name = LogLimits.name(name)
    state.withLock { state in
      guard state.numbers[name] != nil || state.numbers.count < LogLimits.parameters else { return }
      let (sum, overflows) = state.numbers[name, default: 0].addingReportingOverflow(amount)
      state.numbers[name] = overflows ? (amount < 0 ? .min : .max) : sum
    }
  }

  /// Ends the trace and counts it. Later calls do nothing.
  ///
  /// - Parameter outcome: how it has ended.
  public func stop(_ outcome: Outcome = .succeeded) {
    let duration = table.now - start
    let isFirst = state.withLock { state in
      if state.outcome != nil { return false }
      (state.outcome, state.duration) = (outcome, duration)
      return true
    }
    guard isFirst else { return }
    table.add(name, duration, isFailure: outcome.isFailure)
    StoreLog.log(
      .debug,
      "\(name): \(duration.milliseconds)\(outcome.isFailure ? ", failed" : "")",
      fields: fields,
      store: table.store,
      file: "",
      function: "",
      line: 0
    )
  }

  /// The attributes and the numbers. A number with the name of an attribute has a mark behind it.
  private var fields: [String: LogValue] {
    let (attributes, numbers) = state.withLock { ($0.attributes, $0.numbers) }
    var fields = attributes.mapValues(LogValue.string)
    for (name, number) in numbers { fields[attributes[name] == nil ? name : name + "#"] = .int(number) }
    return fields
  }

  /// How it has ended; nil where it has not.
  public var outcome: Outcome? { state.withLock { $0.outcome } }

  /// The time from its beginning to its end; nil where it has not ended.
  public var duration: Duration? { state.withLock { $0.duration } }
}

/// What the traces of one name have in common.
public struct TraceSummary: Sendable, Equatable {
  /// The number of traces that were stopped.
  public let count: Int
  /// The number of those that have failed.
  public let failures: Int
  /// The duration that half of the last 1,024 traces did not exceed.
  public let p50: Duration
  /// The duration that 95 of 100 of the last 1,024 traces did not exceed.
  public let p95: Duration
  /// The greatest duration of all.
  public let greatest: Duration
}
