import FiefCore

/// Limits how many calls begin in each time window, for example calls to a service with a rate limit.
///
/// ```swift
/// let throttle = Throttle(maximum: 10, per: .seconds(1))
/// let profile = try await throttle.run { try await api.profile(id) }
/// ```
/// The window slides: in no period of this length do more than `maximum` closures begin. Closures that fail
/// count too. The duration of closures does not matter, so more than `maximum` of them may be running. When
/// the limit allows a call, the call counts at once; if its actor is busy, the closure begins later, and
/// fewer other calls begin in the meantime. A throttle can be used from any task.
public final class Throttle: Sendable {
  private struct State {
    var machine: ThrottleMachine
    var calls: [ThrottleMachine.Call: CheckedContinuation<Bool, Never>] = [:]
    var last: ThrottleMachine.Call = 0

    /// The steps to take after releasing the lock.
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

  /// Creates a throttle.
  ///
  /// - Parameters:
  ///   - maximum: the maximum number of calls that begin in each window. If it is less than 1, every call
  ///     fails with `invalidValue`.
  ///   - window: the length of the window. If it is not positive, every call fails with `invalidValue`.
  ///   - clock: a monotonic clock. A test passes a clock that it advances manually.
  public init(maximum: Int, per window: Duration, clock: any Clock<Duration> = ContinuousClock()) {
    isPossible = maximum > 0 && window > .zero
    state = Lock(State(machine: ThrottleMachine(maximum: maximum, window: window.bounded)))
    self.clock = IntervalClock(clock)
  }

  /// The number of waiting calls; for tests.
  var waiting: Int { state.withLock { $0.machine.waitingCount } }

  /// Calls a closure as soon as the limit allows, in the order of the calls.
  ///
  /// - Parameter body: runs in the isolation of the caller.
  /// - Returns: the result of the closure.
  /// - Throws: the error of the closure; ``FiefError`` of code `cancelled` if the task was cancelled before
  ///   the closure was called. The closure is then not called and does not count.
  nonisolated(nonsending) public func run<Value>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    try check()
    guard !Task.isCancelled, await enter() else { throw Self.cancelled() }
    // The actor may have been busy since the call was allowed to begin.
    let isCancelled = Task.isCancelled
    carryOut { isCancelled ? $0.giveBack(at: $1) : $0.begin(at: $1) }
    if isCancelled { throw Self.cancelled() }
    return try await body()
  }

  /// Calls a closure if the limit allows it now.
  ///
  /// - Parameter body: called immediately.
  /// - Returns: the result of the closure.
  /// - Throws: the error of the closure; ``FiefError`` of code `throttled`, without calling the closure, if
  ///   too many calls have begun or are waiting. Its ``FiefError/retryAfter`` is the time until a call is
  ///   allowed, if no other call comes first.
  public func tryRun<Value>(_ body: () throws -> Value) throws -> Value {
    try beginAtOnce()
    return try body()
  }

  /// Calls a closure if the limit allows it now, like the synchronous method.
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
      "A throttle needs a positive window and at least one call per window."
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
      "Too many calls began within the throttle's window.",
      details: ["try again in \(wait)"]
    )
    error.retryAfter = wait
    throw error
  }

  /// Waits for a slot.
  ///
  /// - Returns: `false` if the task was cancelled before the call got a slot.
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
        // If the cancellation handler ran before the call was registered, it did not find the call.
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

  /// Changes the machine, and performs the resulting actions outside the lock.
  private func carryOut(_ change: (inout ThrottleMachine, Duration) -> [ThrottleMachine.Action]) {
    let now = clock.now()
    let steps = state.withLock { $0.steps(change(&$0.machine, now)) }
    for call in steps.resumed { call.resume(returning: true) }
    if steps.startsAlarm { Task.detached { await self.runAlarm() } }
  }

  /// Gives slots to waiting calls when they become free. Ends when no call waits, or when a call with a slot
  /// has to begin first.
  private func runAlarm() async {
    while true {
      let now = clock.now()
      let (steps, next) = state.withLock { state in
        let (actions, next) = state.machine.wake(at: now)
        return (state.steps(actions), next)
      }
      for call in steps.resumed { call.resume(returning: true) }
      guard let next else { return }
      // Only a cancelled task wakes early, and nothing cancels this task.
      try? await clock.sleep(next)
    }
  }
}
