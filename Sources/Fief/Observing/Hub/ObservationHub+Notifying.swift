import LMDB

/// The notifier: looks at what was committed, in rounds of one state each.
extension ObservationHub {
  func startNotifier() {
    let isNeeded = state.withLock { state in
      if state.isNotifying || state.isClosed { return false }
      state.isNotifying = true
      return true
    }
    guard isNeeded else { return }
    let isStarted = WriteQueueThread.start(name: "fief notifier") { [weak self] in self?.notify() }
    if isStarted { return }
    let all = state.withLock { state in
      state.isNotifying = false
      return Array(state.observations.values)
    }
    for observation in all {
      fail(observation, FiefError(.storage, "The system has no thread to give.", store: core?.name))
    }
  }

  private func notify() {
    let watcher = watchOthers()
    defer { watcher?.stop() }
    while true {
      let seen = changed.current
      let (goesOn, needsRound) = state.withLock { state in
        // Decided together with the end of the last observation: the next one starts another thread.
        if state.observations.isEmpty { state.isNotifying = false }
        return (state.isNotifying, state.machine.needsRound)
      }
      guard goesOn else { return changed.raise() }
      if needsRound, runRound() {
        changed.raise()
      } else {
        changed.wait(after: seen)
      }
    }
  }

  /// Begins to watch for commits of other processes, where there can be others.
  private func watchOthers() -> CommitWatcher? {
    guard let core, !core.isInMemory else { return nil }
    let watcher = CommitWatcher(core.environment, threadName: "fief.others")
    do {
      try watcher.start { [weak self] sighting in
        if case .commit(let number) = sighting { self?.poke(number) }
      }
    } catch {
      // Commits of others are seen with the next one of this process then.
      core.report(core.described(error), type: nil, property: nil)
      return nil
    }
    // What others have committed before is not told of.
    poke(.max)
    return watcher
  }

  /// Looks at the newest state; false where a commit is to be waited for.
  private func runRound() -> Bool {
    guard let core, !core.isClosed else { return false }
    let scope: DeliveryScope
    do { scope = try DeliveryScope(core) } catch {
      let all = state.withLock { Array($0.observations.values) }
      for observation in all { fail(observation, core.described(error)) }
      return true
    }
    defer { scope.end() }
    let (work, comesAgain) = state.withLock { state -> ([(StoreObservation, PendingChanges)], Bool) in
      switch state.machine.beginRound(scope.commit) {
      case .look(let work):
        return (work.compactMap { item in state.observations[item.id].map { ($0, item.pending) } }, true)
      case .tooOld: return ([], true)
      case .tooEarly: return ([], false)
      }
    }
    guard comesAgain else { return false }
    for (observation, pending) in work {
      do {
        noteLook()
        let hasNews = try observation.look(pending, at: scope.state)
        act { $0.machine.didLook(observation.id, observation.interest, hasNews: hasNews) }
      } catch {
        fail(observation, core.described(error))
      }
    }
    return true
  }

  /// Ends an observation with an error, which its handler hears of.
  func fail(_ observation: StoreObservation, _ error: any Error) {
    guard take(observation.id) != nil else { return }
    observation.executor.enqueue { observation.fail(error) }
  }

  /// Waits until everything that was committed before has been delivered.
  package func waitUntilDelivered() {
    while true {
      let seen = changed.current
      if !state.withLock({ $0.machine.isBusy }) { return }
      changed.wait(after: seen)
    }
  }
}
