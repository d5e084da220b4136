import LMDB
import Synchronization

/// Threads for work items that may block for long, because threads of the cooperative pool must not block.
///
/// ``BackgroundMachine`` decides which item runs next. This class adds the lock and the threads.
package final class BackgroundThreads: Sendable {
  private static let ofProcess = PerProcess { BackgroundThreads(mostThreads: 64) }
  private static let transfersOfProcess = PerProcess { BackgroundThreads(mostThreads: 16) }

  /// The threads for writes and openings.
  package static var shared: BackgroundThreads { ofProcess.current }

  /// The threads for imports and exports. These may take minutes, and writes and openings do not wait for them.
  package static var transfers: BackgroundThreads { transfersOfProcess.current }

  /// The group of work items that run one after the other.
  package enum Lane: Hashable, Sendable {
    /// Writes to several stores with the same first store.
    case writes(ObjectIdentifier?)
    /// Openings of a named store by a manager.
    case opening(ObjectIdentifier, ExactText)
    /// A work item that waits for no other one.
    case single(ObjectIdentifier)
  }

  /// A flag that indicates whether the task of a work item was cancelled.
  package final class Cancellation: Sendable {

    package init() {}
    private let flag = Atomic(false)

    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }
  }

  /// A closure that runs a work item. If it receives an error, it ends the item with this error.
  private typealias Job = @Sendable (FiefError?) -> Void
  private typealias Machine = BackgroundMachine<Lane>

  private struct State {
    var machine: Machine
    var jobs: [Machine.Work: Job] = [:]
  }

  private let state: Lock<State>

  init(mostThreads: Int) { state = Lock(State(machine: Machine(mostThreads: mostThreads))) }

  /// The number of work items that have not begun, for tests.
  var waiting: Int { state.withLock { $0.machine.waitingCount } }

  /// Calls a closure on a thread of the library with the label of the task, and suspends until the closure
  /// has returned.
  ///
  /// - Parameters:
  ///   - lane: the lane in which the closure waits, or `nil` if it waits for no other work item.
  ///   - cancellation: cancelled together with the task, even after the closure was called.
  /// - Throws: the error of the closure; ``FiefError`` of code `cancelled` if the task is cancelled before
  ///   the closure is called, of code `storage` if the system cannot start a thread.
  package nonisolated(nonsending) func run<Value: Sendable>(
    inLineOf lane: Lane? = nil,
    cancellation: Cancellation = Cancellation(),
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let label = StoreUsage.label
    let lane = lane ?? .single(ObjectIdentifier(cancellation))
    let work = Lock<Machine.Work?>(nil)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (number, startsThread) = state.withLock { state in
          let (number, startsThread) = state.machine.add(to: lane)
          state.jobs[number] = { error in
            if let error { return continuation.resume(throwing: error) }
            continuation.resume(with: Result { try StoreUsage.withLabel(label, body) })
          }
          return (number, startsThread)
        }
        work.withLock { $0 = number }
        if startsThread { startThread() }
        // The cancellation handler may have been called before the work had a number.
        if cancellation.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancellation.cancel()
      if let number = work.withLock({ $0 }) { cancel(number) }
    }
  }

  /// Returns the error of a write whose task was cancelled before the write began.
  package static func cancelled(store: String? = nil) -> FiefError {
    FiefError(.cancelled, "The task was cancelled before it began; nothing was done.", store: store)
  }

  private func cancel(_ work: Machine.Work) {
    let job = state.withLock { $0.machine.cancel(work) ? $0.jobs.removeValue(forKey: work) : nil }
    job?(Self.cancelled())
  }

  private func startThread() {
    if WriteQueueThread.start(name: "fief.background", body: { self.runAll() }) { return }
    let failed = state.withLock { state in
      state.machine.startFailed().compactMap { state.jobs.removeValue(forKey: $0) }
    }
    for job in failed { job(FiefError(.storage, "A thread could not be created.")) }
  }

  private func runAll() {
    var lane: Lane?
    while true {
      let next = state.withLock { state -> (job: Job?, lane: Lane)? in
        guard let next = state.machine.next(after: lane) else { return nil }
        return (state.jobs.removeValue(forKey: next.work), next.lane)
      }
      guard let next else { return }
      lane = next.lane
      next.job?(nil)
    }
  }
}
