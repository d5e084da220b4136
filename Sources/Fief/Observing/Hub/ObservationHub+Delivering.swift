import LMDB
import Synchronization

/// Deliveries, on the executors of the listeners.
extension ObservationHub {
  /// Brings an observation to the newest state and has its handler called in it.
  func deliver(_ observation: StoreObservation) {
    guard let core, state.withLock({ $0.machine.beginDelivery(observation.id) }) else { return }
    do {
      while try !deliver(observation, core) {}
    } catch let error as LMDBError where error.isForNow {
      act { $0.machine.postpone(observation.id) }
    } catch {
      fail(observation, core.described(error))
    }
    changed.raise()
  }

  /// - Returns: false where a newer state has to be read.
  private func deliver(_ observation: StoreObservation, _ core: StoreCore) throws -> Bool {
    let id = observation.id
    let scope = try DeliveryScope(core)
    defer { scope.end() }
    switch state.withLock({ $0.machine.pending(id, scope.commit) }) {
    case .tooOld: return false
    case .none: return true
    case .look(let pending):
      if !pending.isEmpty { _ = try observation.look(pending, at: scope.state) }
    }
    // Nothing is delivered after the end of the token.
    if isActive(id) {
      try inScope(scope) { try core.inSandboxes { try observation.deliver(in: scope.snapshot) } }
    }
    scope.end()
    act { $0.machine.didDeliver(id, observation.interest) }
    return true
  }

  /// Calls a closure while a scope is the one that a write on this thread ends.
  private func inScope(_ scope: DeliveryScope, _ body: () throws -> Void) rethrows {
    let thread = AccessScope.currentThread
    openScopes.add(1, ordering: .sequentiallyConsistent)
    defer { openScopes.subtract(1, ordering: .sequentiallyConsistent) }
    let outer = state.withLock { state in
      defer { state.scopes[thread] = scope }
      return state.scopes[thread]
    }
    defer { state.withLock { $0.scopes[thread] = outer } }
    try body()
  }

  /// Ends the scope of a handler that begins to write on this thread.
  func endScopeForWriting() {
    // Not only while somebody observes: the handler may have ended the last observation.
    guard openScopes.load(ordering: .sequentiallyConsistent) > 0 else { return }
    state.withLock { $0.scopes.removeValue(forKey: AccessScope.currentThread) }?.end()
  }
}
