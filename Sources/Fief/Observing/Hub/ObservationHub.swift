import LMDB
import Synchronization

/// Tells the observers of a store what its commits have changed.
///
/// Whoever commits only leaves what was changed. One thread, the notifier, looks at it with the observers that it
/// concerns, and has their handlers called where they want to be called; it is there as long as there are observers.
/// The logic is that of ``ObservationMachine``, here are the lock and the threads.
// SAFETY: `core` is assigned once, before the store is handed out; everything else is behind the lock.
final class ObservationHub: @unchecked Sendable {
  struct State {
    var machine: ObservationMachine
    var observations: [ObservationMachine.ID: StoreObservation] = [:]
    /// Whether the notifier's thread runs.
    var isNotifying = false
    var isClosed = false
    /// The scopes in which handlers are called, by their threads.
    var scopes: [UInt: DeliveryScope] = [:]
  }

  private(set) weak var core: StoreCore?
  private let looked = Atomic(0)
  let state: OwnedLock<State>
  /// Wakes the notifier, and whoever waits until all is delivered.
  let changed = ObservationSignal()
  /// Whether a commit has to be told of. Apart from the rest: each write asks, and takes no lock.
  private let active = Atomic(false)

  init(isShared: Bool) { state = OwnedLock(State(machine: ObservationMachine(isShared: isShared))) }

  func attach(to core: StoreCore) { self.core = core }

  /// Whether anyone observes the store.
  var isActive: Bool { active.load(ordering: .acquiring) }

  /// Whether an observation goes on.
  func isActive(_ id: ObservationMachine.ID) -> Bool { state.withLock { $0.machine.isActive(id) } }

  /// How often an observation was looked at, for tests.
  var looks: Int { looked.load(ordering: .relaxed) }

  func noteLook() { looked.add(1, ordering: .relaxed) }

  // MARK: Observers

  /// Begins an observation that the notifier looks everything up for.
  func add(_ observation: StoreObservation) -> NotificationToken {
    add(observation, .waiting)
    return token(observation)
  }

  /// Begins an observation.
  ///
  /// - Parameter start: looks up what it begins with; what is committed from then on is not missed.
  /// - Throws: what `start` throws; ``FiefError`` where the store cannot be read.
  func add(_ observation: StoreObservation, _ start: (DeliveryScope) throws -> Void) throws -> NotificationToken {
    guard let core else { throw StoreCore.closedError("") }
    add(observation, .starting)
    do {
      let scope = try DeliveryScope(core)
      defer { scope.end() }
      try start(scope)
      act { $0.machine.didStart(observation.id, observation.interest, scope.commit) }
    } catch {
      remove(observation.id)
      throw core.described(error)
    }
    return token(observation)
  }

  private func add(_ observation: StoreObservation, _ phase: ObservationMachine.Phase) {
    let isClosed = state.withLock { state in
      if state.isClosed { return true }
      active.store(true, ordering: .releasing)
      observation.begin(state.machine.add(observation.interest, phase))
      state.observations[observation.id] = observation
      return false
    }
    if isClosed {
      let core = core
      observation.executor.enqueue { observation.fail(StoreCore.closedError(core?.name ?? "")) }
      return
    }
    startNotifier()
    changed.raise()
  }

  private func token(_ observation: StoreObservation) -> NotificationToken {
    NotificationToken(hub: self, id: observation.id) { [weak self] in self?.remove(observation.id) }
  }

  func remove(_ id: ObservationMachine.ID) {
    let observation = state.withLock { state in
      state.machine.remove(id)
      if state.machine.observations.isEmpty { active.store(false, ordering: .releasing) }
      return state.observations.removeValue(forKey: id)
    }
    observation?.end()
    changed.raise()
  }

  /// Ends all observations, and waits for the notifier to be done with the store.
  func close() {
    let ended = state.withLock { state in
      state.isClosed = true
      state.machine.removeAll()
      active.store(false, ordering: .releasing)
      let all = Array(state.observations.values)
      state.observations = [:]
      return all
    }
    for observation in ended { observation.end() }
    changed.raise()
  }

  // MARK: Commits

  /// A write is about to be committed.
  func willCommit() {
    if isActive { state.withLock { $0.machine.willCommit() } }
  }

  func didNotCommit() {
    if isActive { act { $0.machine.didNotCommit() } }
  }

  /// A write was committed.
  ///
  /// - Parameters:
  ///   - commits: its number; none where nothing was written.
  ///   - parts: what it changed.
  func didCommit(_ commits: [UInt64], _ parts: [CommittedChanges]) {
    if isActive { act { $0.machine.didCommit(commits, parts) } }
  }

  /// Has an observation look again though nothing was committed.
  func nudge(_ id: ObservationMachine.ID) { act { $0.machine.nudge(id) } }

  /// The file of the store has a commit, whoever made it.
  func poke(_ commit: UInt64) { act { $0.machine.poke(commit) } }

  /// Lets the machine hear of an event, and does what it says.
  func act(_ event: (inout State) -> ObservationMachine.Actions) {
    let (actions, scheduled) = state.withLock { state in
      let actions = event(&state)
      return (actions, actions.schedules.compactMap { state.observations[$0] })
    }
    if actions.wakesNotifier { changed.raise() }
    for observation in scheduled {
      observation.executor.enqueue { [weak self] in self?.deliver(observation) }
    }
  }
}
