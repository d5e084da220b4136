import Dispatch
import LMDB

/// The threads that call the handlers of observations without a queue, an executor or an actor.
///
/// They are not Dispatch threads, on which Swift's tasks run. An application that blocks all Dispatch threads
/// therefore still gets its notifications. Each handler that is due gets a thread, up to 64 threads; two idle
/// threads are kept.
final class DeliveryThreads: Sendable {
  private static let ofProcess = PerProcess { DeliveryThreads() }

  static var shared: DeliveryThreads { ofProcess.current }

  typealias Job = @Sendable () -> Void

  private static let mostIdle = 2
  private static let mostThreads = 64

  private struct State {
    /// The jobs in the order in which they were added.
    var jobs: [Job] = []
    var taken = 0
    var threads = 0
    var idle = 0
  }

  private let state = OwnedLock(State())
  private let signal = ObservationSignal()

  func enqueue(_ job: @escaping Job) {
    let needsThread = state.withLock { state in
      state.jobs.append(job)
      let waiting = state.jobs.count - state.taken
      guard waiting > state.idle, state.threads < Self.mostThreads else { return false }
      state.threads += 1
      return true
    }
    if needsThread {
      let isStarted = WriteQueueThread.start(name: "fief delivery") { self.run() }
      if !isStarted { doWithoutThread() }
    }
    signal.raise()
  }

  /// Handles a failure of the system to start a thread.
  private func doWithoutThread() {
    let isAlone = state.withLock { state in
      state.threads -= 1
      return state.threads == 0
    }
    // A running thread takes this job after its own.
    guard isAlone else { return }
    DispatchQueue.global().async { while let job = self.state.withLock({ self.take(&$0) }) { job() } }
  }

  private func run() {
    while true {
      let seen = signal.current
      switch state.withLock({ next(&$0) }) {
      case .job(let job): job()
      case .wait:
        signal.wait(after: seen)
        state.withLock { $0.idle -= 1 }
      case .end: return
      }
    }
  }

  private enum Next {
    case job(Job)
    case wait
    case end
  }

  private func next(_ state: inout State) -> Next {
    if let job = take(&state) { return .job(job) }
    if state.idle >= Self.mostIdle {
      state.threads -= 1
      return .end
    }
    state.idle += 1
    return .wait
  }

  private func take(_ state: inout State) -> Job? {
    guard state.taken < state.jobs.count else { return nil }
    let job = state.jobs[state.taken]
    // The thread that calls the handler releases the objects of its closure. Otherwise they would be released
    // here, under the lock.
    state.jobs[state.taken] = {}
    state.taken += 1
    if state.taken == state.jobs.count {
      state.jobs.removeAll(keepingCapacity: state.taken < 1024)
      state.taken = 0
    } else if state.taken >= 1024, state.taken * 2 >= state.jobs.count {
      state.jobs.removeFirst(state.taken)
      state.taken = 0
    }
    return job
  }
}
