import FiefCore

/// Lets identical queries that come within a window of time share one evaluation of one state.
///
/// ```swift
/// let coalescer = QueryCoalescer(window: .milliseconds(100))
/// let count = try await coalescer.count(orders.where { $0.isOpen })
/// let open = try await coalescer.frozen(orders.where { $0.isOpen })
/// let total = try await coalescer.value(of: orders, "total") { try $0.fetchSum(of: \.price) as Int }
/// ```
/// For a server whose clients ask for the same at the same time. Queries are identical where they are of one open store and
/// have the same class, conditions, order, distinct, cursors, offset and limit. The first one is evaluated at once, in the
/// newest state; the others within the window get its outcome, which is at most as old as the window: a caller that has
/// just written, and has to see it, asks the query itself. A failure is shared by those that wait for it and is not kept.
///
/// Objects are not shared between tasks, so that what is shared is `Sendable`: numbers, values, and ``FrozenResults``, which
/// have the keys of one state and read the objects for each caller.
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
    /// Whether a task drops the evaluations whose window is over.
    var isDropping = false
  }

  private let state = Lock(State())
  private let window: Duration
  private let clock: IntervalClock

  /// Makes a coalescer.
  ///
  /// - Parameters:
  ///   - window: how old a shared outcome may be. With one that is not positive each query is evaluated.
  ///   - clock: a monotonic clock; a test gives one that it moves by hand.
  public init(window: Duration = .milliseconds(50), clock: any Clock<Duration> = ContinuousClock()) {
    self.window = window.bounded
    self.clock = IntervalClock(clock)
  }

  /// The number of objects of results.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func count<Element: Object>(_ results: Results<Element>) async throws -> Int {
    try await value(of: results, "fief.count") { try $0.fetchCount() }
  }

  /// The objects of results and their order in one state.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func frozen<Element: Object>(_ results: Results<Element>) async throws -> FrozenResults<Element> {
    try await value(of: results, "fief.frozen") { try $0.fetchFrozen() }
  }

  /// A value that is computed from results.
  ///
  /// - Parameters:
  ///   - results: a query. Results of a `read { }` or a `write { }` are evaluated in the newest committed state, too.
  ///   - name: what is computed: calls with the same query, name and type of value share it.
  ///   - evaluate: computes the value, on a thread of Swift's, from the results in one state.
  /// - Throws: what the closure throws; ``FiefError`` for a closed store.
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
          // What the value keeps of the results goes on with the store, and not with this read.
          try evaluate(results.rebound(to: snapshot.context))
        }
      }
    }.value
    if let value = value as? Value { return value }
    throw FiefError(.invalidValue, "The shared value has another type.", store: core.name)
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
      // The other callers must not inherit the task-local values of the first one, such as its transaction.
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

  /// Drops evaluations when their windows are over, until none is left.
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
