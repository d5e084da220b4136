/// Lets at most a number of calls begin in each window of time, such as those to a service with a limit.
///
/// ```swift
/// let throttle = Throttle(maximum: 10, per: .seconds(1))
/// let profile = try await throttle.run { try await api.profile(id) }
/// ```
/// The window slides: in no stretch of time as long as the window do more calls begin. A call that fails counts. How long
/// calls take does not matter, so that more than the greatest number may be going on. It can be used from any task.
public final class Throttle: Sendable {
  private struct State {
    var machine: ThrottleMachine
    var calls: [ThrottleMachine.Call: CheckedContinuation<Bool, Never>] = [:]
    var last: ThrottleMachine.Call = 0
    /// Whether a task waits for the next call that can begin.
    var hasAlarm = false
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
  /// - Throws: what the closure throws; ``FiefError`` of code `cancelled`, and the closure is not called, where the task was
  ///   cancelled before. It takes no room then.
  nonisolated(nonsending) public func run<Value>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    try check()
    guard !Task.isCancelled, await enter() else {
      throw FiefError(.cancelled, "The task was cancelled while it waited for its turn.")
    }
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

  private func beginAtOnce() throws(FiefError) {
    try check()
    let now = clock.now()
    let wait = state.withLock { state -> Duration? in
      state.machine.begin(at: now) ? nil : state.machine.retryAfter(at: now)
    }
    guard let wait else { return }
    var error = FiefError(
      .throttled,
      "Too many calls have begun in the time of the throttle.",
      details: ["there is room in \(wait)"]
    )
    error.retryAfter = wait
    throw error
  }

  /// Waits for the turn of a call; false where its task was cancelled before.
  private nonisolated(nonsending) func enter() async -> Bool {
    let now = clock.now()
    let call = state.withLock { state -> ThrottleMachine.Call? in
      if state.machine.begin(at: now) { return nil }
      state.last += 1
      return state.last
    }
    guard let call else { return true }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let needsAlarm = state.withLock { state in
          state.calls[call] = continuation
          state.machine.wait(call)
          defer { state.hasAlarm = true }
          return !state.hasAlarm
        }
        if needsAlarm { Task.detached { await self.beginWaiting() } }
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

  /// Begins the calls that wait, each when there is room for it, until none waits.
  private func beginWaiting() async {
    while true {
      let next = state.withLock { state in
        if state.machine.next == nil { state.hasAlarm = false }
        return state.machine.next
      }
      guard let next else { return }
      // Only a task that is cancelled wakes early, and nothing cancels this one.
      try? await clock.sleep(next)
      let now = clock.now()
      let begun = state.withLock { state in
        state.machine.beginWaiting(at: now).compactMap { state.calls.removeValue(forKey: $0) }
      }
      for call in begun { call.resume(returning: true) }
    }
  }
}
