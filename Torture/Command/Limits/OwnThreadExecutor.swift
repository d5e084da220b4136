import FiefTorture
import Foundation

/// Runs the jobs of a task on the thread that waits for it.
///
/// Where the address space is limited, Dispatch may be unable to start a thread for a task, and then tries again for ever in the
/// call that starts the task. What is looked at is the library, not Dispatch.
final class OwnThreadExecutor: TaskExecutor, @unchecked Sendable {
  // SAFETY: `jobs` is read and written only by a thread that holds the condition's lock.
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.lock()
    jobs.append(job)
    condition.signal()
    condition.unlock()
  }

  /// Runs jobs until `isEnded` says true after one of them; false where none comes within ``ChildRun/hangLimit``.
  func run(until isEnded: () -> Bool) -> Bool {
    while !isEnded() {
      guard let job = next() else { return false }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
    return true
  }

  private func next() -> UnownedJob? {
    let end = Date(timeIntervalSinceNow: ChildRun.hangLimit)
    condition.lock()
    defer { condition.unlock() }
    while jobs.isEmpty { guard condition.wait(until: end) else { return nil } }
    return jobs.removeFirst()
  }
}
