import LMDB
import Synchronization

/// Tells the observers of a store what its commits have changed.
///
/// Whoever commits only leaves what was changed. One thread, the notifier, looks at it with the observers that it
/// concerns, and has their handlers called where they want to be called; it is there as long as there are observers.
/// The logic is that of ``ObservationMachine``, here are the lock and the threads.
// SAFETY: everything that changes is behind the lock, or atomic.
final class ObservationHub: @unchecked Sendable {
  struct State {
    var machine: ObservationMachine
    /// The store, which has the hub, as long as it is observed. A weak reference would make each retain of the store,
    /// and a read has several, take a detour.
    var core: StoreCore?
    var observations: [ObservationMachine.ID: StoreObservation] = [:]
    /// Those that have ended with an error, whose handlers have not been called with it yet.
    var failed: Set<ObservationMachine.ID> = []
    /// Whether somebody waits for the next event, whatever it is.
    var isAwaited = false
    /// Whether the notifier's thread runs.
    var isNotifying = false
    var isClosed = false
    /// The scopes in which handlers are called, by their threads.
    var scopes: [UInt: DeliveryScope] = [:]
  }

  private let looked = Atomic(0)
  let state: OwnedLock<State>
  /// Wakes the notifier, and whoever waits until all is delivered.
  let changed = ObservationSignal()
  /// Whether a commit has to be told of. Apart from the rest: each write asks, and takes no lock.
  private let active = Atomic(false)
  /// Whether the machine waits for the end of a commit. Written by the thread that commits, of which there is one.
  private let isCommitNoted = Atomic(false)
  /// How many handlers are being called in scopes; apart from the rest for the same reason.
  let openScopes = Atomic(0)

  /// Whether other processes can write to the store.
  private let isShared: Bool

  init(isShared: Bool) {
    self.isShared = isShared
    state = OwnedLock(State(machine: ObservationMachine(isShared: isShared)))
  }

  /// The store; nil where nobody observes it.
  var core: StoreCore? { state.withLock { $0.core } }

  /// Whether anyone observes the store.
  var isActive: Bool { active.load(ordering: .acquiring) }

  /// Whether an observation goes on.
  func isActive(_ id: ObservationMachine.ID) -> Bool { state.withLock { $0.machine.isActive(id) } }

  /// How often an observation was looked at, for tests.
  var looks: Int { looked.load(ordering: .relaxed) }

  func noteLook() { looked.add(1, ordering: .relaxed) }

  // MARK: Observers

  /// Begins an observation that the notifier looks everything up for.
  ///
  /// - Parameter core: the store that has this hub.
  func add(_ observation: StoreObservation, of core: StoreCore) -> NotificationToken {
    if !register(observation, of: core, .waiting) {
      state.withLock { state in
        observation.begin(state.machine.add(ObservationInterest(), .idle))
        state.machine.remove(observation.id)
        state.failed.insert(observation.id)
      }
      report(StoreCore.closedError(core.name), to: observation)
    }
    return token(observation)
  }

  /// Begins an observation.
  ///
  /// - Parameters:
  ///   - core: the store that has this hub.
  ///   - start: looks up what it begins with; what is committed from then on is not missed.
  /// - Throws: what `start` throws; ``FiefError`` where the store cannot be read. The handler hears of nothing then.
  func add(_ observation: StoreObservation, of core: StoreCore, _ start: (DeliveryScope) throws -> Void)
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
      // Without an end that it hears of: who began it hears of the error instead.
      _ = take(observation.id)
      changed.raise()
      throw core.described(error)
    }
    return token(observation)
  }

  /// - Returns: false where the store is closed.
  private func register(
    _ observation: StoreObservation,
    of core: StoreCore,
    _ phase: ObservationMachine.Phase
  ) -> Bool {
    let isOpen = state.withLock { state in
      if state.isClosed { return false }
      state.core = core
      active.store(true, ordering: .releasing)
      observation.begin(state.machine.add(observation.interest, phase))
      state.observations[observation.id] = observation
      return true
    }
    if isOpen {
      startNotifier()
      changed.raise()
    }
    return isOpen
  }

  private func token(_ observation: StoreObservation) -> NotificationToken {
    // Only the number: after the end nothing keeps the handler, whoever keeps the token.
    let id = observation.id
    return NotificationToken(hub: self, id: id) { [weak self] in self?.remove(id) }
  }

  func remove(_ id: ObservationMachine.ID) {
    take(id)?.end()
    changed.raise()
  }

  /// Ends an observation with an error, which its handler hears of unless the token ends before.
  func fail(_ observation: StoreObservation, _ error: any Error) {
    if take(observation.id, isFailed: true) != nil { report(error, to: observation) }
  }

  private func report(_ error: any Error, to observation: StoreObservation) {
    observation.executor.enqueue { [self] in
      if state.withLock({ $0.failed.remove(observation.id) != nil }) { observation.fail(error) }
    }
  }

  /// Takes an observation out; nil where it has ended already.
  ///
  /// - Parameter isFailed: whether its handler is to hear of an error.
  private func take(_ id: ObservationMachine.ID, isFailed: Bool = false) -> StoreObservation? {
    // The store may go with its last observation, and not under the lock of its own hub.
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

  /// Ends all observations; a round of the notifier and a handler that is being called end by themselves.
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
    changed.raise()
  }

  // MARK: Commits

  /// A write is about to be committed; always followed by one of the other two.
  ///
  /// In memory also where nobody observes: whoever begins to may see the commit before it is told of, and its number
  /// does not say so, which a commit that changes nothing has again.
  func willCommit() {
    guard isActive || !isShared else { return }
    isCommitNoted.store(true, ordering: .relaxed)
    state.withLock { $0.machine.willCommit() }
  }

  /// Whether the machine is to learn how a commit ended.
  ///
  /// Also where the last observation ended during the commit: the machine would wait for that commit for ever, and so
  /// would the next observation.
  private func takesEndOfCommit() -> Bool {
    isCommitNoted.exchange(false, ordering: .relaxed) || isActive || !isShared
  }

  func didNotCommit() {
    guard takesEndOfCommit() else { return }
    act { $0.machine.didNotCommit() }
    if isActive { changed.raise() }
  }

  /// A write was committed.
  ///
  /// - Parameters:
  ///   - commits: its number; none where nothing was written.
  ///   - parts: what it changed.
  func didCommit(_ commits: [UInt64], _ parts: [CommittedChanges]) {
    guard takesEndOfCommit() else { return }
    act { $0.machine.didCommit(commits, parts) }
    if isActive { changed.raise() }
  }

  /// Has an observation look again though nothing was committed.
  func nudge(_ id: ObservationMachine.ID) { act { $0.machine.nudge(id) } }

  /// The file of the store has a commit, whoever made it.
  func poke(_ commit: UInt64) { act { $0.machine.poke(commit) } }

  /// Asks until it is not too early: until a commit that is seen already is told of too.
  ///
  /// Whoever asked once only, and again with the next state, might meet one commit after another of a busy writer. But for
  /// a write to several stores it takes a moment; for that nobody waits, who might be in its way.
  ///
  /// - Parameter isTooEarly: says so of an answer.
  func asked<Answer>(
    _ ask: (inout State) -> Answer,
    isTooEarly: (Answer) -> Bool
  ) -> Answer {
    let end = ContinuousClock.now + .milliseconds(5)
    while true {
      let seen = changed.current
      let answer = state.withLock { state in
        let answer = ask(&state)
        if isTooEarly(answer) { state.isAwaited = true }
        return answer
      }
      guard isTooEarly(answer), ContinuousClock.now < end else { return answer }
      changed.wait(after: seen, milliseconds: 5)
    }
  }

  /// Lets the machine hear of an event, and does what it says.
  func act(_ event: (inout State) -> ObservationMachine.Actions) {
    let (actions, scheduled, isAwaited) = state.withLock { state in
      let actions = event(&state)
      defer { state.isAwaited = false }
      return (actions, actions.schedules.compactMap { state.observations[$0] }, state.isAwaited)
    }
    if actions.wakesNotifier || isAwaited { changed.raise() }
    for observation in scheduled {
      observation.executor.enqueue { [weak self] in self?.deliver(observation) }
    }
  }
}
