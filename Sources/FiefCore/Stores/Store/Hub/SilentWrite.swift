import LMDB

/// The observations that a write holds because it does not notify them (`withoutNotifying`).
///
/// The write evaluates them in the snapshot on which it is based, and again with its own changes. Its own
/// changes are therefore never reported, but changes of other writes are. Notifications wait for the end of
/// the write; the write does not wait for handlers.
final class SilentWrite {
  private let hub: ObservationHub
  private let ids: Set<ObservationMachine.ID>
  private var held: [(observation: any StoreObservation, hasReport: Bool)] = []

  /// - Parameter ids: the observations that are not notified.
  init(_ hub: ObservationHub, _ ids: Set<ObservationMachine.ID>) {
    self.hub = hub
    self.ids = ids
  }

  /// Begins to hold the observations, when a write begins and each time it is repeated.
  ///
  /// - Parameters:
  ///   - state: the snapshot of the write before its first change, or the snapshot that it is based on.
  ///   - commit: the number of the commit on which the write is based.
  func begin(at state: ObservedState, commit: UInt64? = nil) {
    undo()
    for id in ids.sorted() {
      guard let (observation, pending) = hub.hold(id, commit ?? state.transaction.id &- 1) else { continue }
      held.append((observation, false))
      evaluate(held.count - 1) { try $0.evaluate(pending, at: state) }
    }
    held.removeAll { !hub.isActive($0.observation.id) }
  }

  /// Evaluates the observations with the changes of the write.
  func end(_ changes: ChangeSet?, at state: ObservedState) {
    let pending = PendingChanges(isUnknown: changes == nil, changes: changes ?? ChangeSet())
    for index in held.indices { evaluate(index) { try $0.evaluateSilently(pending, at: state) } }
  }

  private func evaluate(_ index: Int, _ body: (any StoreObservation) throws -> Bool) {
    let observation = held[index].observation
    do { held[index].hasReport = try body(observation) } catch {
      hub.fail(observation, hub.core?.described(error) ?? error)
    }
  }

  /// Releases the observations after the commit.
  ///
  /// - Parameter commit: the number of the commit; nil if nothing was changed.
  func didCommit(_ commit: UInt64?) {
    for (observation, hasReport) in held {
      hub.release(observation, hasReport: hasReport, commit ?? 0)
      if observation.hasEnded { hub.remove(observation.id) }
    }
    held = []
  }

  /// Releases the observations in their former state, after a rollback.
  func undo() {
    for (observation, _) in held {
      observation.undoSilentEvaluation()
      hub.release(observation, hasReport: false, nil)
    }
    held = []
  }
}

extension ObservationHub {
  /// Begins to hold an observation for a write, as soon as no other thread evaluates it.
  ///
  /// - Returns: the observation and its pending changes; nil if it has ended.
  fileprivate func hold(_ id: ObservationMachine.ID, _ commit: UInt64) -> (
    any StoreObservation, PendingChanges
  )? {
    while true {
      let seen = changed.current
      let (holding, observation) = state.withLock { state in
        let holding = state.machine.hold(id, commit)
        if case .busy = holding { state.isAwaited = true }
        return (holding, state.observations[id])
      }
      switch holding {
      case .busy: changed.wait(after: seen)
      case .ended: return nil
      case .held(let pending):
        // The machine has distributed changes to other observations too.
        raise()
        return observation.map { ($0, pending) }
      }
    }
  }

  fileprivate func release(_ observation: any StoreObservation, hasReport: Bool, _ commit: UInt64?) {
    act { $0.machine.release(observation.id, observation.interest, hasReport: hasReport, commit) }
    raise()
  }
}
