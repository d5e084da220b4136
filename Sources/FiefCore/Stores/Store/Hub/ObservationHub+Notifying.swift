import LMDB

/// The notifier: evaluates observations, in rounds of one snapshot each.
extension ObservationHub {
  func startNotifier() {
    let isNeeded = state.withLock { state in
      if state.isNotifying || state.isClosed { return false }
      state.isNotifying = true
      return true
    }
    if isNeeded { Self.endUnnotified(NotifierThreads.shared.add(self, notifierID)) }
  }

  /// Wakes the notifier, and all threads that wait for a change of the machine.
  func raise() {
    changed.raise()
    Self.endUnnotified(NotifierThreads.shared.raise(notifierID))
  }

  /// Ends the observations of stores that no thread evaluates.
  private static func endUnnotified(_ hubs: [ObservationHub]) {
    for hub in hubs {
      let all = hub.state.withLock { state in
        state.isNotifying = false
        return Array(state.observations.values)
      }
      for observation in all {
        hub.fail(observation, FiefError(.storage, "A thread could not be created.", store: hub.core?.name))
      }
    }
  }

  /// Evaluates the observations that are due. Only one thread at a time calls this.
  func notify() -> NotifierMachine.Outcome {
    watchOthers()
    let nextRestEnd = endRests()
    let (goesOn, needsRound) = state.withLock { state in
      // Set under the same lock as the end of the last observation, so that the next observation starts the
      // notifier again.
      if state.observations.isEmpty { state.isNotifying = false }
      return (state.isNotifying, state.machine.needsRound)
    }
    guard goesOn else {
      stopWatching()
      changed.raise()
      return .ended
    }
    switch needsRound ? runRound() : .waits {
    case .isDone:
      changed.raise()
      return .again
    case .waits: return .waits(until: nextRestEnd.map { time(of: $0) })
    case .hasNoReader: return .waits(until: writeQueueNow() + Self.pause)
    }
  }

  /// Ends the intervals of throttled observations that are over.
  ///
  /// - Returns: the time at which the next interval ends; nil if no observation is waiting for one.
  private func endRests() -> Duration? {
    guard let next = state.withLock({ $0.machine.nextRestEnd }) else { return nil }
    let now = clock.now()
    if next > now { return next }
    act { $0.machine.endRests(upTo: now) }
    return state.withLock { $0.machine.nextRestEnd }
  }

  /// Returns the time at which the notifier must wake to end an interval, in nanoseconds of the write queue's
  /// clock. If the intervals have another clock, for which no thread can wait, the notifier wakes earlier and
  /// reads that clock again.
  private func time(of end: Duration) -> Int {
    let rest = (end - clock.now()).nanoseconds
    // A sleeping task would not run while observers block all of Swift's threads.
    return writeQueueNow() + min(rest, clock.isSystem ? Self.longest : Self.look)
  }

  /// The longest time that the notifier sleeps, in nanoseconds: about a year.
  private static let longest = 1 << 55

  /// The time between two readings of a clock for which no thread can wait, in nanoseconds.
  private static let look = 2_000_000

  /// The outcome of a round.
  private enum Round {
    case isDone
    /// Nothing can be evaluated until the next commit.
    case waits
    /// No reader is available, or growth of the file waits for a reader to end. The round must be retried.
    case hasNoReader
  }

  /// The time until a round without a reader is retried, in nanoseconds.
  private static let pause = 20_000_000

  /// Begins to watch for commits of other processes, unless the store is in memory or is watched already.
  private func watchOthers() {
    let core = state.withLock { state -> StoreCore? in
      guard let core = state.core, !core.isInMemory, !state.isWatching else { return nil }
      state.isWatching = true
      return core
    }
    guard let core else { return }
    let watcher = CommitWatcher(sharingThread: core.environment)
    do {
      try watcher.start { [weak self] sighting in
        if case .commit(let number) = sighting { self?.noteCommitOfFile(number) }
      }
    } catch {
      // Without a watcher, commits of other processes are found with the next commit of this process.
      return core.report(core.described(error), type: nil, property: nil)
    }
    state.withLock { $0.watcher = watcher }
    // The watcher does not report commits that other processes made before it started.
    noteCommitOfFile(.max)
  }

  private func stopWatching() {
    let watcher = state.withLock { state in
      state.isWatching = false
      defer { state.watcher = nil }
      return state.watcher
    }
    watcher?.stop()
  }

  /// Evaluates the waiting observations in the newest snapshot.
  private func runRound() -> Round {
    guard let core, !core.isClosed else { return .waits }
    let generation = state.withLock { $0.machine.generation }
    let scope: DeliveryScope
    do { scope = try DeliveryScope(core) } catch let error as LMDBError where error.isForNow {
      return .hasNoReader
    } catch {
      let all = state.withLock { Array($0.observations.values) }
      for observation in all { fail(observation, core.described(error)) }
      return .isDone
    }
    defer { scope.end() }
    let round = retryingUntilPublished {
      $0.machine.beginRound(scope.commit, generation)
    } isUnpublished: {
      if case .unpublished = $0 { true } else { false }
    }
    let work: [(id: ObservationMachine.ID, pending: PendingChanges)]
    switch round {
    case .unpublished: return .waits
    case .stale: return .isDone
    case .evaluate(let items): work = items
    }
    for (id, pending) in work {
      guard let observation = state.withLock({ $0.observations[id] }) else { continue }
      do {
        noteEvaluation()
        let hasReport = try observation.evaluate(pending, at: scope.state)
        act { $0.machine.didEvaluate(observation.id, observation.interest, hasReport: hasReport) }
      } catch {
        fail(observation, core.described(error))
      }
    }
    return .isDone
  }

  /// Waits until the handlers have been called for all earlier commits.
  package func waitUntilDelivered() {
    while true {
      let seen = changed.current
      if !state.withLock({ $0.machine.isBusy }) { return }
      changed.wait(after: seen)
    }
  }
}

extension LMDBError {
  /// Whether the read can succeed when it is retried after other readers have ended.
  var isForNow: Bool { code == .readersFull || code == .readersBlockGrowth }
}
