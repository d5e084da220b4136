import LMDB
import Synchronization

/// The hub that notifies the observers of a store of its commits.
///
/// A commit publishes its changes to the hub and does not wait. The notifier, one of the ``NotifierThreads``
/// at a time, evaluates the observations that depend on the changes and enqueues the calls of their handlers
/// on their executors. ``ObservationMachine`` contains the logic, and the hub contains the lock.
// SAFETY: each mutable property is atomic or accessed only under the lock.
package final class ObservationHub: @unchecked Sendable {
  struct State {
    var machine: ObservationMachine
    /// The store that owns the hub; nil while there are no observations. A weak reference would make every
    /// retain of the store slower, and a read has several retains.
    var core: StoreCore?
    var observations: [ObservationMachine.ID: any StoreObservation] = [:]
    /// The observations that have failed but whose handlers have not received the error yet.
    var failed: Set<ObservationMachine.ID> = []
    /// Whether a thread is waiting for the next event of the machine.
    var isAwaited = false
    /// Whether the notifier is evaluating the store.
    var isNotifying = false
    /// Whether the notifier has begun to watch for commits of other processes. The watcher is nil if that
    /// failed.
    var isWatching = false
    var watcher: CommitWatcher?
    var isClosed = false
    /// The scopes of the handlers that are being called, by thread.
    var scopes: [UInt: DeliveryScope] = [:]
  }

  private let evaluated = Atomic(0)
  let state: OwnedLock<State>
  /// Wakes the threads that wait for a change of the machine, such as those in ``waitUntilDelivered()``.
  let changed = ObservationSignal()
  /// The number that identifies the store to the notifier.
  let notifierID = NotifierThreads.makeID()
  /// Whether commits must be published. It is atomic, so that a write of a store without observers takes no
  /// lock.
  private let active = Atomic(false)
  /// Whether the machine is waiting for the end of a commit. Only the committing thread sets it.
  private let isCommitNoted = Atomic(false)
  /// The number of handlers that are being called in scopes. It is atomic, so that a write outside handlers
  /// takes no lock.
  let openScopes = Atomic(0)

  /// Whether other processes can write to the store.
  private let isShared: Bool
  /// The clock that measures the intervals of throttled observations.
  let clock: IntervalClock

  init(isShared: Bool, clock: IntervalClock = .system) {
    self.isShared = isShared
    self.clock = clock
    state = OwnedLock(State(machine: ObservationMachine(isShared: isShared)))
  }

  /// The store; nil while it has no observations.
  var core: StoreCore? { state.withLock { $0.core } }

  /// Whether the store has observations.
  var isActive: Bool { active.load(ordering: .acquiring) }

  /// Whether an observation has not ended.
  package func isActive(_ id: ObservationMachine.ID) -> Bool { state.withLock { $0.machine.isActive(id) } }

  /// The number of evaluations by the notifier; read by tests.
  var evaluations: Int { evaluated.load(ordering: .relaxed) }

  func noteEvaluation() { evaluated.add(1, ordering: .relaxed) }

  // MARK: Observers

  /// Begins an observation whose first state the notifier reads.
  ///
  /// - Parameter core: the store that owns this hub.
  package func add(_ observation: any StoreObservation, of core: StoreCore) -> NotificationToken {
    if !register(observation, of: core, .waiting) {
      state.withLock { state in
        observation.id = state.machine.add(ObservationInterest(), .idle)
        state.machine.remove(observation.id)
        state.failed.insert(observation.id)
      }
      report(StoreCore.closedError(core.name), to: observation)
    }
    return token(observation)
  }

  /// Begins an observation whose first state is read before this method returns.
  ///
  /// - Parameters:
  ///   - core: the store that owns this hub.
  ///   - start: reads the first state; each later commit is evaluated.
  /// - Throws: any error of `start`; ``FiefError`` if the store cannot be read. In these cases the handler is
  ///   not called.
  package func add(
    _ observation: any StoreObservation,
    of core: StoreCore,
    _ start: (DeliveryScope) throws -> Void
  )
    throws
    -> NotificationToken
  {
    guard register(observation, of: core, .starting) else { throw StoreCore.closedError(core.name) }
    do {
      let scope = try DeliveryScope(core)
      defer { scope.end() }
      try start(scope)
      act { $0.machine.didStart(observation.id, observation.interest, scope.commit) }
    } catch {
      // The caller of this method receives the error, so the handler does not.
      _ = take(observation.id)
      raise()
      throw core.described(error)
    }
    return token(observation)
  }

  /// - Returns: false if the store is closed.
  private func register(
    _ observation: any StoreObservation,
    of core: StoreCore,
    _ phase: ObservationMachine.Phase
  ) -> Bool {
    let isOpen = state.withLock { state in
      if state.isClosed { return false }
      state.core = core
      active.store(true, ordering: .releasing)
      observation.id = state.machine.add(observation.interest, phase)
      state.observations[observation.id] = observation
      return true
    }
    if isOpen {
      startNotifier()
      raise()
    }
    return isOpen
  }

  private func token(_ observation: any StoreObservation) -> NotificationToken {
    // The token refers only to the id of the observation, so that an ended observation and its handler are
    // released although the token still exists.
    let id = observation.id
    return NotificationToken(hub: self, id: id) { [weak self] in self?.remove(id) }
  }

  func remove(_ id: ObservationMachine.ID) {
    take(id)?.end()
    raise()
  }

  /// Ends an observation with an error. Its handler is called with the error, unless the token is invalidated
  /// first.
  func fail(_ observation: any StoreObservation, _ error: any Error) {
    if take(observation.id, isFailed: true) != nil { report(error, to: observation) }
  }

  private func report(_ error: any Error, to observation: any StoreObservation) {
    observation.executor.enqueue { [self] in
      if state.withLock({ $0.failed.remove(observation.id) != nil }) { observation.fail(error) }
    }
  }

  /// Removes an observation and returns it, or nil if it has already ended.
  ///
  /// - Parameter isFailed: whether its handler will be called with an error.
  private func take(_ id: ObservationMachine.ID, isFailed: Bool = false) -> (any StoreObservation)? {
    // This may be the last reference to the store, which must not be released under the lock of its own hub.
    let (observation, core) = state.withLock { state in
      state.machine.remove(id)
      let observation = state.observations.removeValue(forKey: id)
      if observation != nil, isFailed { state.failed.insert(id) } else { state.failed.remove(id) }
      guard state.observations.isEmpty else { return (observation, StoreCore?.none) }
      active.store(false, ordering: .releasing)
      defer { state.core = nil }
      return (observation, state.core)
    }
    withExtendedLifetime(core) {}
    return observation
  }

  /// Ends all observations. It does not wait for a round of the notifier or for a handler that is being
  /// called.
  func close() {
    let (ended, core) = state.withLock { state in
      state.isClosed = true
      state.machine.removeAll()
      active.store(false, ordering: .releasing)
      let all = Array(state.observations.values)
      state.observations = [:]
      defer { state.core = nil }
      return (all, state.core)
    }
    withExtendedLifetime(core) { for observation in ended { observation.end() } }
    raise()
  }

  // MARK: Commits

  /// Announces a commit. ``didNotCommit()`` or ``didCommit(_:_:)`` always follows.
  ///
  /// A store in memory announces every commit, even without observations. An observation that begins during a
  /// commit may read the commit before it is published. It cannot recognize such a commit by its number,
  /// because a commit without changes repeats the previous number.
  func willCommit() {
    guard isActive || !isShared else { return }
    isCommitNoted.store(true, ordering: .relaxed)
    state.withLock { $0.machine.willCommit() }
  }

  /// Returns whether the end of a commit must be passed to the machine.
  ///
  /// This is also the case if the last observation ended during the commit. Otherwise the machine would wait
  /// forever for the end of that commit, and so would the next observation.
  private func takesEndOfCommit() -> Bool {
    isCommitNoted.exchange(false, ordering: .relaxed) || isActive || !isShared
  }

  func didNotCommit() {
    guard takesEndOfCommit() else { return }
    act { $0.machine.didNotCommit() }
    if isActive { raise() }
  }

  /// Publishes a commit.
  ///
  /// - Parameters:
  ///   - commits: the number of the commit; empty if nothing was written.
  ///   - parts: the changes of the commit.
  func didCommit(_ commits: [UInt64], _ parts: [CommittedChanges]) {
    guard takesEndOfCommit() else { return }
    act { $0.machine.didCommit(commits, parts) }
    if isActive { raise() }
  }

  /// Requests another evaluation of an observation, without a commit.
  package func reevaluate(_ id: ObservationMachine.ID) { act { $0.machine.reevaluate(id) } }

  /// Records that the file has a commit, which may come from another process.
  func noteCommitOfFile(_ commit: UInt64) { act { $0.machine.noteCommitOfFile(commit) } }

  /// Retries a request to the machine until every commit that this reader sees has been published, for at
  /// most 5 ms.
  ///
  /// A reader that retried with a newer snapshot instead might see an unpublished commit of a busy writer
  /// each time. The limit is necessary for writes to several stores, because the reader would block their
  /// commit.
  ///
  /// - Parameter isUnpublished: returns whether an answer means that the snapshot contains a commit that is
  ///   not published yet.
  func retryingUntilPublished<Answer>(
    _ ask: (inout State) -> Answer,
    isUnpublished: (Answer) -> Bool
  ) -> Answer {
    let end = ContinuousClock.now + .milliseconds(5)
    while true {
      let seen = changed.current
      let answer = state.withLock { state in
        let answer = ask(&state)
        if isUnpublished(answer) { state.isAwaited = true }
        return answer
      }
      guard isUnpublished(answer), ContinuousClock.now < end else { return answer }
      changed.wait(after: seen, nanoseconds: 5_000_000)
    }
  }

  /// Passes an event to the machine and carries out the actions that it returns.
  func act(_ event: (inout State) -> ObservationMachine.Actions) {
    let (actions, scheduled, isAwaited) = state.withLock { state in
      let actions = event(&state)
      defer { state.isAwaited = false }
      return (actions, actions.schedules.compactMap { state.observations[$0] }, state.isAwaited)
    }
    if actions.wakesNotifier || isAwaited { raise() }
    for observation in scheduled {
      observation.executor.enqueue { [weak self] in self?.deliver(observation) }
    }
  }
}
