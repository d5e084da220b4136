import LMDB
import Synchronization

/// Deliveries: the calls of handlers, on the executors of their observations.
extension ObservationHub {
  /// Evaluates an observation in the newest snapshot and calls its handler in it.
  func deliver(_ observation: any StoreObservation) {
    guard let core, state.withLock({ $0.machine.beginDelivery(observation.id) }) else { return }
    do {
      if let label = observation.label {
        try StoreUsage.withLabel(label) { while try !deliver(observation, core) {} }
      } else {
        while try !deliver(observation, core) {}
      }
    } catch let error as LMDBError where error.isForNow {
      act { $0.machine.postpone(observation.id) }
    } catch {
      fail(observation, core.described(error))
    }
    raise()
  }

  /// - Returns: false if a newer snapshot has to be read.
  private func deliver(_ observation: any StoreObservation, _ core: StoreCore) throws -> Bool {
    let id = observation.id
    let scope = try DeliveryScope(core, isShown: observation.executor.showsSnapshot)
    defer { scope.end() }
    let delivery = retryingUntilPublished {
      $0.machine.pending(id, scope.commit)
    } isUnpublished: {
      if case .unpublished = $0 { true } else { false }
    }
    switch delivery {
    case .stale: return false
    case .unpublished:
      act { $0.machine.park(id) }
      return true
    case .none: return true
    case .evaluate(let pending):
      if !pending.isEmpty { _ = try observation.evaluate(pending, at: scope.state) }
    }
    guard let report = try observation.report(in: scope.snapshot) else {
      act { $0.machine.didDeliver(id, observation.interest) }
      return true
    }
    // The handler is not called after its token was invalidated.
    var isActive = false
    let restsUntil = observation.executor.interval.map { clock.now() + $0 }
    act { state in
      isActive = state.machine.beginCall(id, observation.interest, restsUntil: restsUntil)
      return ObservationMachine.Actions()
    }
    guard isActive else { return true }
    inScope(scope) { core.inSandboxes(report) }
    scope.end()
    // This must precede `didCall`, after which the machine would evaluate the observation again.
    if observation.hasEnded { remove(id) }
    act { $0.machine.didCall(id) }
    return true
  }

  /// Calls a closure in a scope, which ends early if the closure begins a write on this thread.
  private func inScope(_ scope: DeliveryScope, _ body: () -> Void) {
    let thread = currentThread()
    openScopes.add(1, ordering: .sequentiallyConsistent)
    defer { openScopes.subtract(1, ordering: .sequentiallyConsistent) }
    let outer = state.withLock { state in
      defer { state.scopes[thread] = scope }
      return state.scopes[thread]
    }
    defer { state.withLock { $0.scopes[thread] = outer } }
    scope.show(body)
  }

  /// Ends the scope of a handler that begins a write on this thread.
  package func endScopeForWriting() {
    // This is called even without observations, because the handler may have ended the last one.
    guard openScopes.load(ordering: .sequentiallyConsistent) > 0 else { return }
    state.withLock { $0.scopes.removeValue(forKey: currentThread()) }?.end()
  }
}
