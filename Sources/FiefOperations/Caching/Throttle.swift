import FiefCore

/// Lets at most a number of calls begin in each window of time, such as those to a service with a limit.
///
/// ```swift
/// let throttle = Throttle(maximum: 10, per: .seconds(1))
/// let profile = try await throttle.run { try await api.profile(id) }
/// ```
/// The window slides: in no stretch of time as long as the window do more closures begin. A closure that fails counts. How long
/// closures take does not matter, so that more than the greatest number may be going on. A call whose turn has come keeps its
/// place until its closure begins: while its actor is busy, fewer others begin. It can be used from any task.
public final class Throttle: Sendable {
  private struct State {
    var machine: ThrottleMachine
    var calls: [ThrottleMachine.Call: CheckedContinuation<Bool, Never>] = [:]
    var last: ThrottleMachine.Call = 0

    /// The steps that a thread takes after it has released the lock.
    struct Steps {
      var resumed: [CheckedContinuation<Bool, Never>] = []
      var startsAlarm = false
    }

    mutating func steps(_ actions: [ThrottleMachine.Action]) -> Steps {
      var steps = Steps()
      for action in actions {
        switch action {
        case .resume(let call): if let call = calls.removeValue(forKey: call) { steps.resumed.append(call) }
        case .startAlarm: steps.startsAlarm = true
        }
      }
      return steps
    }
  }

  private let state: Lock<State>
  private let clock: IntervalClock
  private let isPossible: Bool

  /// Makes a throttle.
  ///
  /// - Parameters:
  ///   - maximum: how many calls begin in each window at most; with fewer than one each call fails with `invalidValue`.
  ///   - window: the length of the window; with one that is not positive each call fails with `invalidValue`.
  ///   - clock: a monotonic clock; a test gives one that it moves by hand.
  public init(maximum: Int, per window: Duration, clock: any Clock<Duration> = ContinuousClock()) {
    isPossible = maximum > 0 && window > .zero
    state = Lock(State(machine: ThrottleMachine(maximum: maximum, window: window.bounded)))
    self.clock = IntervalClock(clock)
  }

  /// How many calls wait; for tests.
  var waiting: Int { state.withLock { $0.machine.waitingCount } }

  /// Calls a closure as soon as there is room, in the order of the calls.
  ///
  /// - Parameter body: is called where the caller is isolated.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws; ``FiefError`` of code `cancelled`, and the closure is not called, if the task was
  ///   cancelled before that. It takes no room then.
  nonisolated(nonsending) public func run<Value>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    try check()
    guard !Task.isCancelled, await enter() else { throw Self.cancelled() }
    // Its actor may have been busy since its turn came.
    let isCancelled = Task.isCancelled
    carryOut { isCancelled ? $0.giveBack(at: $1) : $0.begin(at: $1) }
    if isCancelled { throw Self.cancelled() }
    return try await body()
  }

  /// Calls a closure, if there is room.
  ///
  /// - Parameter body: is called at once.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws; ``FiefError`` of code `throttled`, and the closure is not called, where too many calls
  ///   have begun, or wait. Its ``FiefError/retryAfter`` is the time until there is room, if no other call takes it.
  public func tryRun<Value>(_ body: () throws -> Value) throws -> Value {
    try beginAtOnce()
    return try body()
  }

  /// Calls a closure, if there is room; as the form that does not wait.
  nonisolated(nonsending) public func tryRun<Value>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    try beginAtOnce()
    return try await body()
  }

  private func check() throws(FiefError) {
    if isPossible { return }
    throw FiefError(
      .invalidValue,
      "A throttle lets at least one call begin in a window, which is longer than nothing."
    )
  }

  private static func cancelled() -> FiefError {
    FiefError(.cancelled, "The task was cancelled while it waited for its turn.")
  }

  private func beginAtOnce() throws(FiefError) {
    try check()
    let now = clock.now()
    let wait = state.withLock { state -> Duration? in
      state.machine.enter(at: now) ? nil : state.machine.retryAfter(at: now)
    }
    guard let wait else { return carryOut { $0.begin(at: $1) } }
    var error = FiefError(
      .throttled,
      "Too many calls have begun in the time of the throttle.",
      details: ["there is room in \(wait)"]
    )
    error.retryAfter = wait
    throw error
  }

  /// Waits for a place.
  ///
  /// - Returns: false if the task was cancelled before the call had one.
  private nonisolated(nonsending) func enter() async -> Bool {
    let now = clock.now()
    let call = state.withLock { state -> ThrottleMachine.Call? in
      if state.machine.enter(at: now) { return nil }
      state.last += 1
      return state.last
    }
    guard let call else { return true }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.calls[call] = continuation }
        carryOut { $0.wait(call, at: $1) }
        // The handler finds a call that was not there yet when it ran.
        if Task.isCancelled { leave(call) }
      }
    } onCancel: {
      leave(call)
    }
  }

  private func leave(_ call: ThrottleMachine.Call) {
    let continuation = state.withLock { state in
      state.machine.leave(call) ? state.calls.removeValue(forKey: call) : nil
    }
    continuation?.resume(returning: false)
  }

  /// Makes a change of the machine, and does what follows from it outside of the lock.
  private func carryOut(_ change: (inout ThrottleMachine, Duration) -> [ThrottleMachine.Action]) {
    let now = clock.now()
    let steps = state.withLock { $0.steps(change(&$0.machine, now)) }
    for call in steps.resumed { call.resume(returning: true) }
    if steps.startsAlarm { Task.detached { await self.runAlarm() } }
  }

  /// Gives each waiting call a place when there is room for it. Ends when no call waits, or when a call has to begin first.
  private func runAlarm() async {
    while true {
      let now = clock.now()
      let (steps, next) = state.withLock { state in
        let (actions, next) = state.machine.wake(at: now)
        return (state.steps(actions), next)
      }
      for call in steps.resumed { call.resume(returning: true) }
      guard let next else { return }
      // Only a task that is cancelled wakes early, and nothing cancels this one.
      try? await clock.sleep(next)
    }
  }
}
