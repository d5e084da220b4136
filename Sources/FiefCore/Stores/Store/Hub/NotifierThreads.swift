import LMDB
import Synchronization

/// The threads that evaluate the observations of all stores: one or two sleeping threads, and more only while
/// several stores have commits.
///
/// ``NotifierMachine`` makes the decisions; this class adds the lock and the threads.
final class NotifierThreads: Sendable {
  private static let ofProcess = PerProcess { NotifierThreads() }

  static var shared: NotifierThreads { ofProcess.current }

  private struct State {
    var machine = NotifierMachine(mostThreads: 16)
    var hubs: [NotifierMachine.ID: ObservationHub] = [:]
  }

  private let state = OwnedLock(State())
  private let signal = ObservationSignal()

  private static let numbers = Atomic<UInt64>(0)

  /// Returns a new number that identifies a store.
  static func makeID() -> NotifierMachine.ID { numbers.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Evaluates the observations of a store as long as it has any.
  ///
  /// - Returns: the stores that no thread evaluates, because the system could not start one.
  func add(_ hub: ObservationHub, _ id: NotifierMachine.ID) -> [ObservationHub] {
    let action = state.withLock { state in
      state.hubs[id] = hub
      return state.machine.add(id)
    }
    return carryOut(action)
  }

  /// Requests an evaluation of a store's observations.
  func raise(_ id: NotifierMachine.ID) -> [ObservationHub] {
    carryOut(state.withLock { $0.machine.raise(id) })
  }

  private func carryOut(_ action: NotifierMachine.Action) -> [ObservationHub] {
    if action == .wake { signal.raise() }
    guard action == .startThread else { return [] }
    if WriteQueueThread.start(name: "fief notifier", body: { self.run() }) { return [] }
    return state.withLock { state in
      state.machine.startFailed().compactMap { state.hubs.removeValue(forKey: $0) }
    }
  }

  private func run() {
    var isNew = true
    while true {
      let seen = signal.current
      let (step, action, hub) = state.withLock {
        state -> (NotifierMachine.Step, NotifierMachine.Action, ObservationHub?) in
        let (step, action) = state.machine.next(now: writeQueueNow(), isNew: isNew)
        if case .work(let id) = step { return (step, action, state.hubs[id]) }
        return (step, action, nil)
      }
      isNew = false
      // If there is no other thread, this thread does the work later.
      _ = carryOut(action)
      switch step {
      case .work(let id):
        let outcome = hub?.notify() ?? .ended
        state.withLock { state in
          if !state.machine.done(id, outcome) { state.hubs[id] = nil }
        }
      case .sleep(let time):
        if let time {
          signal.wait(after: seen, nanoseconds: time - writeQueueNow())
        } else {
          signal.wait(after: seen)
        }
        state.withLock { $0.machine.woke() }
      case .end:
        // Another sleeping thread may have to wake up earlier now.
        return signal.raise()
      }
    }
  }
}
