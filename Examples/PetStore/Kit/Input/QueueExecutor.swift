import Dispatch

/// Runs an actor on a queue of its own, so that one that waits for a file or a pipe does not hold up a
/// thread of the cooperative pool.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// Makes an executor whose thread is named `label` in a debugger.
  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    queue.async { unowned.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
