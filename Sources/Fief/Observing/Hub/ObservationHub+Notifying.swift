import Foundation
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
      switch needsRound ? runRound() : .waits {
      case .isDone: changed.raise()
      case .waits: changed.wait(after: seen)
      case .hasNoReader: usleep(Self.pause)
      }
    }
  }

  /// What came of a round.
  private enum Round {
    case isDone
    /// A commit is to be waited for.
    case waits
    /// All readers are taken, or one of them is in the way, which they are not for ever.
    case hasNoReader
  }

  /// Microseconds until a reader is asked for again.
  private static var pause: UInt32 { 20_000 }

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

  /// Looks at the newest state.
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
    let round = asked {
      $0.machine.beginRound(scope.commit, generation)
    } isTooEarly: {
      if case .tooEarly = $0 { true } else { false }
    }
    let work: [(id: ObservationMachine.ID, pending: PendingChanges)]
    switch round {
    case .tooEarly: return .waits
    case .tooOld: return .isDone
    case .look(let items): work = items
    }
    for (id, pending) in work {
      guard let observation = state.withLock({ $0.observations[id] }) else { continue }
      do {
        noteLook()
        let hasNews = try observation.look(pending, at: scope.state)
        act { $0.machine.didLook(observation.id, observation.interest, hasNews: hasNews) }
      } catch {
        fail(observation, core.described(error))
      }
    }
    return .isDone
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

extension LMDBError {
  /// Whether a read that fails so succeeds when readers have ended.
  var isForNow: Bool { code == .readersFull || code == .readersBlockGrowth }
}
