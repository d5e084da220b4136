import FiefCore

/// Lets identical queries within a time window share one evaluation.
///
/// ```swift
/// let coalescer = QueryCoalescer(window: .milliseconds(100))
/// let count = try await coalescer.count(orders.where { $0.isOpen })
/// let open = try await coalescer.frozen(orders.where { $0.isOpen })
/// let total = try await coalescer.value(of: orders, "total") { try $0.fetchSum(of: \.price) as Int }
/// ```
/// Use it in a server whose clients request the same data at the same time. Queries are identical if they use
/// the same open store and have the same class, conditions, order, distinct properties, cursors, offset and
/// limit. The first query is evaluated immediately, in the newest state; later queries within the window
/// receive the same result. A result is at most as old as the window, so a caller that must see its own
/// preceding write runs the query itself. A failure is shared by the callers that wait for it, but is not
/// kept.
///
/// Objects cannot be shared between tasks. Shared results are therefore `Sendable`: numbers, values and
/// ``FrozenResults``, which contain the keys of one state and read the objects separately for each caller.
public final class QueryCoalescer: Sendable {
  private struct Key: Hashable, Sendable {
    let store: UInt64
    let type: ObjectIdentifier
    let query: QueryDescription
    let name: ExactText
    let value: ObjectIdentifier
  }

  private struct Evaluation {
    let number: UInt64
    let end: Duration
    let task: Task<any Sendable, any Error>
  }

  private struct State {
    var evaluations: [Key: Evaluation] = [:]
    var last: UInt64 = 0
    /// Whether a task is running that removes expired evaluations.
    var isDropping = false
  }

  private let state = Lock(State())
  private let window: Duration
  private let clock: IntervalClock

  /// Creates a coalescer.
  ///
  /// - Parameters:
  ///   - window: the maximum age of a shared result. If it is not positive, every query is evaluated.
  ///   - clock: a monotonic clock. A test passes a clock that it advances manually.
  public init(window: Duration = .milliseconds(50), clock: any Clock<Duration> = ContinuousClock()) {
    self.window = window.bounded
    self.clock = IntervalClock(clock)
  }

  /// Returns the number of objects that the results contain.
  ///
  /// - Throws: ``FiefError`` if the store is closed, a record is damaged or the query cannot be answered.
  public func count<Element: Object>(_ results: Results<Element>) async throws -> Int {
    try await value(of: results, "fief.count") { try $0.fetchCount() }
  }

  /// Returns a frozen copy of the results' objects and their order.
  ///
  /// - Throws: ``FiefError`` if the store is closed, a record is damaged or the query cannot be answered.
  public func frozen<Element: Object>(_ results: Results<Element>) async throws -> FrozenResults<Element> {
    try await value(of: results, "fief.frozen") { try $0.fetchFrozen() }
  }

  /// Returns a value that a closure computes from results.
  ///
  /// - Parameters:
  ///   - results: a query. Results of a `read { }` or a `write { }` are evaluated in the newest committed
  ///     state, too.
  ///   - name: a name for the computed value. Calls with the same query, name and value type share a result.
  ///   - evaluate: computes the value from the results in one state. It runs on a thread of Swift's
  ///     concurrency pool.
  /// - Throws: the error of the closure; ``FiefError`` if the store is closed.
  public func value<Element: Object, Value: Sendable>(
    of results: Results<Element>,
    _ name: String,
    _ evaluate: @escaping @Sendable (Results<Element>) throws -> Value
  ) async throws -> Value {
    let core = try results.observedStore()
    let key = Key(
      store: core.number,
      type: ObjectIdentifier(results.elementType),
      query: results.description,
      name: ExactText(name),
      value: ObjectIdentifier(Value.self)
    )
    let visible = results.context.visible
    let value = try await task(for: key) {
      try core.inSandboxes {
        try Store(.success(core), visible: visible).read { snapshot in
          // Results that the value keeps belong to the store, not to this read.
          try evaluate(results.rebound(to: snapshot.context))
        }
      }
    }.value
    if let value = value as? Value { return value }
    throw FiefError(.invalidValue, "The shared value has a different type.", store: core.name)
  }

  private func task(
    for key: Key,
    _ evaluate: @escaping @Sendable () throws -> any Sendable
  ) -> Task<any Sendable, any Error> {
    let now = clock.now()
    let (task, drops) = state.withLock { state in
      if let known = state.evaluations[key], now < known.end { return (known.task, false) }
      state.last += 1
      let number = state.last
      // Other callers must not inherit task-local values of the first caller, such as its transaction.
      let task = Task<any Sendable, any Error>.detached(priority: Task.currentPriority) { [self] in
        do { return try evaluate() } catch {
          forget(key, number)
          throw error
        }
      }
      guard window > .zero else { return (task, false) }
      state.evaluations[key] = Evaluation(number: number, end: now + window, task: task)
      defer { state.isDropping = true }
      return (task, !state.isDropping)
    }
    if drops { Task.detached { [weak self] in await self?.dropOld() } }
    return task
  }

  private func forget(_ key: Key, _ number: UInt64) {
    state.withLock { if $0.evaluations[key]?.number == number { $0.evaluations[key] = nil } }
  }

  /// Removes evaluations when their windows end, until none remain.
  private func dropOld() async {
    while true {
      try? await clock.sleep(clock.now() + window)
      let now = clock.now()
      let isEmpty = state.withLock { state in
        state.evaluations = state.evaluations.filter { $0.value.end > now }
        if state.evaluations.isEmpty { state.isDropping = false }
        return state.evaluations.isEmpty
      }
      if isEmpty { return }
    }
  }
}
