import FiefCore

/// The fetches in progress in this process. ``FlightMachine`` has the logic; this class has the lock, the
/// tasks and the waiting calls.
final class Flights: Sendable {
  static let shared = Flights()
  /// The flight whose fetch runs in the current task.
  @TaskLocal private static var current: FlightMachine.Flight?

  /// Thrown if a call would wait for a fetch that waits for the call's own fetch. The first key is the key of
  /// the call.
  struct Cycle: Error {
    let keys: [FlightKey]
  }

  /// Fetches and saves an object. The parameter returns whether the object was invalidated since the fetch
  /// began.
  typealias Fetch = @Sendable (_ isOutdated: @Sendable () -> Bool) async throws -> Void

  private struct State {
    var machine = FlightMachine()
    var tasks: [FlightMachine.Flight: Task<Void, Never>] = [:]
    var calls: [FlightMachine.Waiter: CheckedContinuation<Result<Void, any Error>, Never>] = [:]
    var last: FlightMachine.Waiter = 0
  }

  private let state = Lock(State())

  /// Whether no fetch is in progress; for tests.
  var isEmpty: Bool { state.withLock { $0.machine.isEmpty && $0.tasks.isEmpty && $0.calls.isEmpty } }

  /// Returns the number of calls that wait for fetches of a store; for tests.
  func waiting(for store: UInt64) -> Int { state.withLock { $0.machine.waiting(for: store) } }

  /// Waits for the fetch of a key, and starts it if necessary.
  ///
  /// - Throws: the error of the fetch; ``FiefError`` of code `cancelled` if the task was cancelled;
  ///   ``Cycle``.
  nonisolated(nonsending) func join(_ key: FlightKey, _ fetch: @escaping Fetch) async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    let origin = Self.current
    let result: Result<Void, any Error> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (flight, cycle) = state.withLock { state in
          if let cycle = origin.flatMap({ state.machine.cycle(key, in: $0) }) {
            return (nil as FlightMachine.Flight?, cycle as [FlightKey]?)
          }
          state.calls[number] = continuation
          return (state.machine.join(key, number, in: origin), nil)
        }
        if let cycle { return continuation.resume(returning: .failure(Cycle(keys: cycle))) }
        if let flight { start(flight, fetch) }
        // If the cancellation handler ran before the call was registered, it did not find the call.
        if Task.isCancelled { leave(number) }
      }
    } onCancel: {
      leave(number)
    }
    try result.get()
  }

  /// Starts a background fetch of a key, unless a fetch of the key is in progress.
  func refresh(_ key: FlightKey, _ fetch: @escaping Fetch) {
    if let flight = state.withLock({ $0.machine.join(key, nil) }) { start(flight, fetch) }
  }

  /// If a fetch of the key is in progress, makes it fetch again.
  func invalidate(_ key: FlightKey) { state.withLock { $0.machine.invalidate(key) } }

  private func start(_ flight: FlightMachine.Flight, _ fetch: @escaping Fetch) {
    // A detached task, because cancelling the first call must not cancel the fetch for the others, and
    // because they must not inherit task-local values of the first call, such as its transaction.
    let task = Task.detached(priority: Task.currentPriority) { [self] in
      do {
        try await Self.$current.withValue(flight) {
          try await fetch { self.state.withLock { $0.machine.takeOutdated(flight) } }
        }
        land(flight, .success(()))
      } catch {
        land(flight, .failure(error))
      }
    }
    let isOnItsWay = state.withLock { state in
      guard state.machine.isOnItsWay(flight) else { return false }
      state.tasks[flight] = task
      return true
    }
    // The flight has already ended, or its only call left before the task was stored.
    if !isOnItsWay { task.cancel() }
  }

  private func land(_ flight: FlightMachine.Flight, _ result: Result<Void, any Error>) {
    let calls = state.withLock { state in
      state.tasks[flight] = nil
      return state.machine.land(flight).compactMap { state.calls.removeValue(forKey: $0) }
    }
    for call in calls { call.resume(returning: result) }
  }

  private func leave(_ number: FlightMachine.Waiter) {
    let (call, task) = state.withLock { state in
      switch state.machine.leave(number) {
      case .tooLate:
        return (nil as CheckedContinuation<Result<Void, any Error>, Never>?, nil as Task<Void, Never>?)
      case .left: return (state.calls.removeValue(forKey: number), nil)
      case .cancels(let flight):
        return (state.calls.removeValue(forKey: number), state.tasks.removeValue(forKey: flight))
      }
    }
    task?.cancel()
    call?.resume(
      returning: .failure(FiefError(.cancelled, "The task was cancelled while an object was fetched."))
    )
  }
}
