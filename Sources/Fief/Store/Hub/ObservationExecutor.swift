import Dispatch

/// The place where the handler of an observation is called.
enum ObservationExecutor: Sendable {
  /// A thread of the library's own.
  case any
  case queue(DispatchQueue)
  case executor(any TaskExecutor)
  case actor(any Actor)
  /// The task that waits for the next element of an asynchronous sequence.
  case pull(ObservationGate)

  /// The queue, or a thread of the library's own for nil.
  static func queue(_ queue: DispatchQueue?) -> ObservationExecutor { queue.map { .queue($0) } ?? .any }

  /// Calls a closure there.
  func enqueue(_ job: @escaping @Sendable () -> Void) {
    switch self {
    case .any: DeliveryThreads.shared.enqueue(job)
    case .queue(let queue): queue.async(execute: job)
    // Detached, so that the handler does not inherit the priority and the task-local values of the task that commits.
    case .executor(let executor): Task.detached(executorPreference: executor) { job() }
    case .actor(let actor): Task.detached { await Self.run(job, on: actor) }
    case .pull(let gate): gate.put(job)
    }
  }

  /// Calls a closure there, unless the token that is returned is invalidated before.
  func enqueueOnce(_ job: @escaping @Sendable () -> Void) -> NotificationToken {
    let isEnded = Lock(false)
    enqueue { if !isEnded.withLock({ $0 }) { job() } }
    return NotificationToken { isEnded.withLock { $0 = true } }
  }

  private static func run(_ job: () -> Void, on actor: isolated any Actor) { job() }
}
