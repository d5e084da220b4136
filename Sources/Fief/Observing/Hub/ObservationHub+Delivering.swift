/// Deliveries, on the executors of the listeners.
extension ObservationHub {
  /// Brings an observation to the newest state and has its handler called in it.
  func deliver(_ observation: StoreObservation) {
    let id = observation.id
    guard let core, state.withLock({ $0.machine.beginDelivery(id) }) else { return }
    do {
      let scope = try DeliveryScope(core)
      let thread = AccessScope.currentThread
      let outer = state.withLock { state in
        defer { state.scopes[thread] = scope }
        return state.scopes[thread]
      }
      defer {
        state.withLock { $0.scopes[thread] = outer }
        scope.end()
      }
      guard let pending = state.withLock({ $0.machine.pending(id, scope.commit) }) else {
        return changed.raise()
      }
      if !pending.isEmpty { _ = try observation.look(pending, at: scope.state) }
      // Nothing is delivered after the end of the token.
      if state.withLock({ $0.machine.isActive(id) }) { try observation.deliver(in: scope.snapshot) }
    } catch {
      fail(observation, core.described(error))
    }
    act { $0.machine.didDeliver(id, observation.interest) }
    changed.raise()
  }

  /// Ends the scope of a handler that begins to write on this thread.
  func endScopeForWriting() {
    guard isActive else { return }
    state.withLock { $0.scopes.removeValue(forKey: AccessScope.currentThread) }?.end()
  }
}
