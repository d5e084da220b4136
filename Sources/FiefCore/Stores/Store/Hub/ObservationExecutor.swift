import Dispatch

/// The queue, executor, actor or thread on which the handler of an observation is called, and the minimum
/// time between two calls.
package struct ObservationExecutor: Sendable {
  private enum Place {
    /// A thread of the library.
    case any
    case queue(DispatchQueue)
    case executor(any TaskExecutor)
    case actor(any Actor)
    /// The task that waits for the next element of an asynchronous sequence.
    case pull(ObservationGate)
  }

  private let place: Place
  /// The minimum time from the beginning of a call to the beginning of the next; nil if calls are not
  /// throttled.
  private(set) var interval: Duration?
  /// Whether all reads of the handler, including reads of kept results, use its snapshot.
  private(set) var showsSnapshot = false

  private init(_ place: Place) { self.place = place }

  /// Returns an executor for a queue, or for a thread of the library if `queue` is nil.
  package static func queue(_ queue: DispatchQueue?) -> ObservationExecutor {
    ObservationExecutor(queue.map { .queue($0) } ?? .any)
  }

  package static func executor(_ executor: any TaskExecutor) -> ObservationExecutor {
    ObservationExecutor(.executor(executor))
  }

  package static func actor(_ actor: any Actor) -> ObservationExecutor { ObservationExecutor(.actor(actor)) }

  /// Returns an executor for the task that waits for the next element of an asynchronous sequence.
  package static func pull(_ gate: ObservationGate) -> ObservationExecutor {
    ObservationExecutor(.pull(gate))
  }

  /// Returns the same executor with at most one call per interval. If the interval is nil or not positive,
  /// calls are not throttled.
  package func every(_ interval: Duration?) -> ObservationExecutor {
    var executor = self
    executor.interval = interval.flatMap { $0 > .zero ? $0.bounded : nil }
    return executor
  }

  /// Returns the same executor for a handler whose reads all use the snapshot of the change.
  package func showingSnapshot() -> ObservationExecutor {
    var executor = self
    executor.showsSnapshot = true
    return executor
  }

  /// Whether the executor is the main actor or the main queue.
  var isMain: Bool {
    switch place {
    case .actor(let actor): actor === MainActor.shared
    case .queue(let queue): queue === DispatchQueue.main
    case .any, .executor, .pull: false
    }
  }

  /// Calls a closure on the executor.
  func enqueue(_ job: @escaping @Sendable () -> Void) {
    switch place {
    case .any: DeliveryThreads.shared.enqueue(job)
    case .queue(let queue): queue.async(execute: job)
    // Detached, so that the handler does not inherit the priority and the task-local values of the committing
    // task.
    case .executor(let executor): Task.detached(executorPreference: executor) { job() }
    case .actor(let actor): Task.detached { await Self.run(job, on: actor) }
    case .pull(let gate): gate.put(job)
    }
  }

  /// Calls a closure on the executor, unless the returned token is invalidated first.
  package func enqueueOnce(_ job: @escaping @Sendable () -> Void) -> NotificationToken {
    let isEnded = Lock(false)
    enqueue { if !isEnded.withLock({ $0 }) { job() } }
    return NotificationToken { isEnded.withLock { $0 = true } }
  }

  private static func run(_ job: () -> Void, on actor: isolated any Actor) { job() }
}
