import Dispatch

/// The place where the handler of an observation is called, and the least time between two calls.
package struct ObservationExecutor: Sendable {
  private enum Place {
    /// A thread of the library's own.
    case any
    case queue(DispatchQueue)
    case executor(any TaskExecutor)
    case actor(any Actor)
    /// The task that waits for the next element of an asynchronous sequence.
    case pull(ObservationGate)
  }

  private let place: Place
  /// The least time from the beginning of a call to the beginning of the next one; nil where calls are not throttled.
  private(set) var interval: Duration?

  private init(_ place: Place) { self.place = place }

  /// The queue, or a thread of the library's own for nil.
  package static func queue(_ queue: DispatchQueue?) -> ObservationExecutor {
    ObservationExecutor(queue.map { .queue($0) } ?? .any)
  }

  package static func executor(_ executor: any TaskExecutor) -> ObservationExecutor {
    ObservationExecutor(.executor(executor))
  }

  package static func actor(_ actor: any Actor) -> ObservationExecutor { ObservationExecutor(.actor(actor)) }

  /// The task that waits for the next element of an asynchronous sequence.
  package static func pull(_ gate: ObservationGate) -> ObservationExecutor {
    ObservationExecutor(.pull(gate))
  }

  /// The same place, with at most one call in each interval; nil, and an interval that is not positive, leave all calls.
  package func every(_ interval: Duration?) -> ObservationExecutor {
    var executor = self
    executor.interval = interval.flatMap { $0 > .zero ? $0.bounded : nil }
    return executor
  }

  /// Whether it is the main actor or the main queue.
  var isMain: Bool {
    switch place {
    case .actor(let actor): actor === MainActor.shared
    case .queue(let queue): queue === DispatchQueue.main
    case .any, .executor, .pull: false
    }
  }

  /// Calls a closure there.
  func enqueue(_ job: @escaping @Sendable () -> Void) {
    switch place {
    case .any: DeliveryThreads.shared.enqueue(job)
    case .queue(let queue): queue.async(execute: job)
    // Detached, so that the handler does not inherit the priority and the task-local values of the task that commits.
    case .executor(let executor): Task.detached(executorPreference: executor) { job() }
    case .actor(let actor): Task.detached { await Self.run(job, on: actor) }
    case .pull(let gate): gate.put(job)
    }
  }

  /// Calls a closure there, unless the token that is returned is invalidated before.
  package func enqueueOnce(_ job: @escaping @Sendable () -> Void) -> NotificationToken {
    let isEnded = Lock(false)
    enqueue { if !isEnded.withLock({ $0 }) { job() } }
    return NotificationToken { isEnded.withLock { $0 = true } }
  }

  private static func run(_ job: () -> Void, on actor: isolated any Actor) { job() }
}
