import Fief

/// A measured piece of work, with attributes and numbers.
///
/// ```swift
/// let trace = store.trace("fetch_user_profile")
/// trace["cache"] = "hit"
/// trace.increment("rows", by: 3)
/// trace.stop()
/// ```
/// A stopped trace is logged as an entry of level `debug`, whose fields are its attributes and numbers. A
/// trace that is never stopped is not counted. A trace has at most 25 attributes and 25 numbers. Names have
/// at most 40 characters and texts at most 100; longer ones are truncated, and further attributes and numbers
/// are ignored. A trace can be used from any thread.
public final class StoreTrace: Sendable {
  /// The outcome of a trace.
  public enum Outcome: Sendable {
    /// The work succeeded.
    case succeeded
    /// The work failed with an error.
    case failed(any Error)

    var isFailure: Bool { if case .failed = self { true } else { false } }
  }

  private struct State: Sendable {
    var attributes: [String: String] = [:]
    var numbers: [String: Int] = [:]
    var outcome: Outcome?
    var duration: Duration?
  }

  /// The name, truncated to 40 characters, or to 200 for a request.
  public let name: String
  private let table: TraceTable
  private let start: ContinuousClock.Instant
  private let state = Lock(State())

  init(_ name: String, in table: TraceTable) {
    self.name = table.name(name)
    self.table = table
    start = table.now
  }

  /// The attribute with a name, or `nil` if it is not set.
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

  /// Adds to a number, which starts at zero. On overflow the number becomes the maximum or minimum of its
  /// type.
  ///
  /// - Parameters:
  ///   - name: the name of the number.
  ///   - amount: the amount to add.
  public func increment(_ name: String, by amount: Int = 1) {
    let name = LogLimits.name(name)
    state.withLock { state in
      guard state.numbers[name] != nil || state.numbers.count < LogLimits.parameters else { return }
      let (sum, overflows) = state.numbers[name, default: 0].addingReportingOverflow(amount)
      state.numbers[name] = overflows ? (amount < 0 ? .min : .max) : sum
    }
  }

  /// Ends the trace and counts it. Later calls have no effect.
  ///
  /// - Parameter outcome: the outcome of the trace.
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

  /// The attributes and numbers. A number with the same name as an attribute gets the suffix `#`.
  private var fields: [String: LogValue] {
    let (attributes, numbers) = state.withLock { ($0.attributes, $0.numbers) }
    var fields = attributes.mapValues(LogValue.string)
    for (name, number) in numbers { fields[attributes[name] == nil ? name : name + "#"] = .int(number) }
    return fields
  }

  /// The outcome, or `nil` if the trace has not ended.
  public var outcome: Outcome? { state.withLock { $0.outcome } }

  /// The duration of the trace, or `nil` if it has not ended.
  public var duration: Duration? { state.withLock { $0.duration } }
}

/// A summary of the traces with one name.
public struct TraceSummary: Sendable, Equatable {
  /// The number of stopped traces.
  public let count: Int
  /// The number of failed traces.
  public let failures: Int
  /// The median duration of the last 1,024 traces.
  public let p50: Duration
  /// The 95th percentile of the durations of the last 1,024 traces.
  public let p95: Duration
  /// The longest duration of all traces.
  public let greatest: Duration
}
