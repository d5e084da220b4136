import LMDB

/// The observations that a write has, which do not hear of it.
///
/// What the write changes is part of what they were told then, and nothing that others have changed is: it brings them to
/// the state that it begins with, and from there to its own. They wait for its end; it waits for nobody's handler.
final class UnheardWrite {
  private let hub: ObservationHub
  private let ids: Set<ObservationMachine.ID>
  private var held: [(observation: StoreObservation, hasNews: Bool)] = []

  /// - Parameter ids: the observations that do not hear of it; nil where there are none.
  init?(_ hub: ObservationHub, _ ids: Set<ObservationMachine.ID>) {
    if ids.isEmpty { return nil }
    self.hub = hub
    self.ids = ids
  }

  /// The write begins, or begins again.
  ///
  /// - Parameters:
  ///   - state: the state of the write, in which it has changed nothing yet, or the one that it begins with.
  ///   - commit: the number of that one.
  func begin(at state: ObservedState, commit: UInt64? = nil) {
    undo()
    for id in ids.sorted() {
      guard let (observation, pending) = hub.hold(id, commit ?? state.transaction.id &- 1) else { continue }
      held.append((observation, false))
      look(held.count - 1) { try $0.look(pending, at: state) }
    }
    held.removeAll { !hub.isActive($0.observation.id) }
  }

  /// The write has changed what it changes.
  func end(_ changes: ChangeSet?, at state: ObservedState) {
    let pending = PendingChanges(isUnknown: changes == nil, changes: changes ?? ChangeSet())
    for index in held.indices { look(index) { try $0.lookUnheard(pending, at: state) } }
  }

  private func look(_ index: Int, _ body: (StoreObservation) throws -> Bool) {
    let observation = held[index].observation
    do { held[index].hasNews = try body(observation) } catch {
      hub.fail(observation, hub.core?.described(error) ?? error)
    }
  }

  /// The write is committed.
  ///
  /// - Parameter commit: its number; nil where it has changed nothing.
  func didCommit(_ commit: UInt64?) {
    for (observation, hasNews) in held {
      hub.release(observation, hasNews: hasNews, commit ?? 0)
      if observation.hasEnded { hub.remove(observation.id) }
    }
    held = []
  }

  /// The write has come to nothing.
  func undo() {
    for (observation, _) in held {
      observation.undoUnheard()
      hub.release(observation, hasNews: false, nil)
    }
    held = []
  }
}

extension ObservationHub {
  /// Has an observation for a write, as soon as nobody looks at it.
  ///
  /// - Returns: the observation, and what it has not looked at yet; nil where it has ended.
  fileprivate func hold(_ id: ObservationMachine.ID, _ commit: UInt64) -> (StoreObservation, PendingChanges)?
  {
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
        // What has arrived was handed on to others too.
        changed.raise()
        return observation.map { ($0, pending) }
      }
    }
  }

  fileprivate func release(_ observation: StoreObservation, hasNews: Bool, _ commit: UInt64?) {
    act { $0.machine.release(observation.id, observation.interest, hasNews: hasNews, commit) }
    changed.raise()
  }
}
