/// Who has to look at what after which commits: the logic of a store's observations, without locks and threads.
///
/// Each observation is in one phase, and at most one thread at a time has it: the notifier while it looks, the
/// listener's executor while it delivers. What is committed meanwhile is kept for it, within a bound. Nothing here
/// waits for an observation, so that a commit costs the same however many there are and however slow they are.
///
/// Invariant: an observation that something is kept for is in a phase that ends with a look at it.
struct ObservationMachine {
  typealias ID = UInt64

  enum Phase: Equatable {
    /// It is being added: what comes is kept until it has a state to begin with.
    case starting
    /// There is nothing to look at.
    case idle
    /// The next round of the notifier looks at it.
    case waiting
    /// The notifier looks at it.
    case looking
    /// It has something to report, and its delivery is on the way to its executor.
    case scheduled
    /// Its delivery met a commit of this process that nobody has told of yet; it is scheduled again after that.
    case parked
    /// Its delivery looks at the newest state.
    case delivering
    /// Its handler is being called; nobody has it.
    case calling
    /// A write that it does not hear of has it.
    case held
  }

  struct Observation {
    var phase: Phase
    var interest: ObservationInterest
    var pending = PendingChanges()
    /// Whether a write that it does not hear of has it; in other phases than `held` something else comes to an end
    /// meanwhile.
    var isHeld = false
    /// Whether its delivery was left to the notifier before.
    var wasPostponed = false
    /// Whether there is something to report when its handler has returned.
    var hasNews = false

    fileprivate mutating func keep(_ change: (inout Observation) -> Void) { change(&self) }
  }

  /// What is to be done after an event.
  struct Actions: Equatable {
    /// Whether the notifier has something to do.
    var wakesNotifier = false
    /// Whose deliveries are to be put on their executors.
    var schedules: [ID] = []
  }

  /// How many changed objects are kept; where there are more, everything is looked at.
  let limit: Int
  /// Whether other processes can write to the store.
  let isShared: Bool
  var observations: [ID: Observation] = [:]
  var index = ObservationIndex()
  /// What was committed and is not handed on yet.
  var arrived: [CommittedChanges] = []
  var arrivedCount = 0
  /// The last commit that was told of or seen; nil as long as nobody has looked.
  var known: UInt64?
  /// The last commit whose changes were handed on: whoever reads an older state has to read again.
  var handed: UInt64 = 0
  /// Whether a write of this process may be seen before it is told of.
  var isCommitting = false
  /// Whether the file may have new commits of others.
  var isPoked = false
  /// Those that somebody looks at right now: what they will depend on is known afterwards.
  var atWork: Set<ID> = []
  private var last: ID = 0
  /// How often the first observation has come: a state that was read before may be older than what it has to see.
  private(set) var generation = 0
  private var parked: [ID] = []
  var waiting: [ID] = []

  init(isShared: Bool, limit: Int = 1 << 16) {
    self.isShared = isShared
    self.limit = limit
  }

  // MARK: Coming and going

  /// Adds an observation.
  ///
  /// - Parameter phase: `starting` where the caller looks up what it begins with, `waiting` where the notifier does,
  ///   `idle` where it begins with nothing.
  mutating func add(_ interest: ObservationInterest, _ phase: Phase) -> ID {
    if observations.isEmpty { generation += 1 }
    last += 1
    observations[last] = Observation(phase: phase, interest: interest)
    index.insert(last, interest)
    if phase == .starting { atWork.insert(last) }
    if phase == .waiting { waiting.append(last) }
    return last
  }

  /// The caller has looked up what an observation begins with.
  ///
  /// - Parameter commit: the commit whose state it has read.
  mutating func didStart(_ id: ID, _ interest: ObservationInterest, _ commit: UInt64) -> Actions {
    if known == nil { known = commit }
    return settle(id, interest)
  }

  /// Ends an observation: no delivery of it begins any more.
  mutating func remove(_ id: ID) {
    guard let observation = observations.removeValue(forKey: id) else { return }
    atWork.remove(id)
    index.remove(id, observation.interest)
    if observations.isEmpty { removeAll() }
  }

  mutating func removeAll() {
    observations = [:]
    index = ObservationIndex()
    forgetCommits()
    waiting = []
    parked = []
    atWork = []
    known = nil
    handed = 0
    isPoked = false
  }

  mutating func forgetCommits() {
    arrived = []
    arrivedCount = 0
  }

  /// Whether the notifier has something to look at.
  var needsRound: Bool { !waiting.isEmpty || !arrived.isEmpty || isPoked }
  /// Whether something is not delivered yet.
  var isBusy: Bool {
    needsRound || (isCommitting && !observations.isEmpty)
      || observations.values.contains { $0.phase != .idle && $0.phase != .starting }
  }

  /// Has an observation look though nothing was committed.
  mutating func nudge(_ id: ID) -> Actions {
    keep(id) { $0.pending.isUnknown = true }
    return Actions(wakesNotifier: needsRound)
  }

  // MARK: Looking

  /// Whether a state can be looked at.
  enum Reading {
    /// It can.
    case good
    /// It has a commit of this process that nobody has told of yet: come again after that.
    case tooEarly
    /// Changes that it does not have were handed on already: read a newer one.
    case tooOld
  }

  /// What the notifier has to do with a state.
  enum Round {
    /// Begin again when the commit that goes on has been told of.
    case tooEarly
    /// Begin again.
    case tooOld
    case look([(id: ID, pending: PendingChanges)])
  }

  /// Begins a round of the notifier.
  ///
  /// - Parameters:
  ///   - commit: the commit whose state it reads.
  ///   - generation: that from before it began to read.
  mutating func beginRound(_ commit: UInt64, _ generation: Int) -> Round {
    if generation != self.generation { return .tooOld }
    switch learn(commit) {
    case .good: break
    case .tooEarly: return .tooEarly
    case .tooOld: return .tooOld
    }
    isPoked = false
    let ids = waiting
    waiting = []
    return .look(
      ids.compactMap { id in
        guard observations[id]?.phase == .waiting else { return nil }
        return take(id, .looking).map { (id, $0) }
      }
    )
  }

  /// The notifier has looked.
  ///
  /// - Parameter hasNews: whether there is something to report.
  mutating func didLook(_ id: ID, _ interest: ObservationInterest, hasNews: Bool) -> Actions {
    guard hasNews else { return settle(id, interest) }
    guard observations[id] != nil else { return Actions() }
    observations[id]?.phase = .scheduled
    endWork(id, interest)
    return Actions(schedules: [id])
  }

  // MARK: Delivering

  /// A delivery begins on its executor; false where the observation has ended.
  mutating func beginDelivery(_ id: ID) -> Bool {
    guard let observation = observations[id], observation.phase == .scheduled else { return false }
    observations[id]?.phase = observation.isHeld ? .held : .delivering
    observations[id]?.hasNews = false
    return !observation.isHeld
  }

  /// What a delivery has to do with a state.
  enum Delivery {
    /// Look at this, which may be nothing, and call the handler.
    case look(PendingChanges)
    /// Read a newer state, and ask again.
    case tooOld
    /// Ask again when the commit that goes on has been told of.
    case tooEarly
    /// Nothing now: the notifier looks first, or the observation has ended.
    case none
  }

  /// What is left to look at before the handler is called.
  ///
  /// - Parameter commit: the commit whose state the delivery reads.
  mutating func pending(_ id: ID, _ commit: UInt64) -> Delivery {
    guard observations[id] != nil else { return .none }
    switch learn(commit) {
    case .good: break
    case .tooOld: return .tooOld
    case .tooEarly: return .tooEarly
    }
    if needsNotifier(id) {
      observations[id]?.wasPostponed = true
      postpone(id)
      return .none
    }
    return take(id, .delivering).map { .look($0) } ?? .none
  }

  /// Whether there is so much to look at that the notifier does it, and not the listener's executor. Once for each
  /// delivery, so that it comes to an end however much is committed.
  private func needsNotifier(_ id: ID) -> Bool {
    guard let observation = observations[id], !observation.wasPostponed else { return false }
    return observation.pending.isUnknown || observation.pending.changes.count > Self.mostAtDelivery
  }

  /// So many changed objects are looked at on the listener's executor.
  private static let mostAtDelivery = 256

  /// A delivery waits for the commit that goes on to be told of.
  mutating func park(_ id: ID) -> Actions {
    guard observations[id]?.phase == .delivering else { return Actions() }
    observations[id]?.phase = .parked
    parked.append(id)
    return isCommitting ? Actions() : Actions(schedules: unpark())
  }

  /// A delivery leaves it to the notifier to look again.
  @discardableResult
  mutating func postpone(_ id: ID) -> Actions {
    guard observations[id]?.phase == .delivering else { return Actions() }
    observations[id]?.phase = .waiting
    waiting.append(id)
    return Actions(wakesNotifier: true)
  }

  /// A delivery has looked, and its handler is about to be called; false where the observation has ended.
  mutating func beginCall(_ id: ID, _ interest: ObservationInterest) -> Bool {
    guard observations[id]?.phase == .delivering else { return false }
    endWork(id, interest)
    observations[id]?.phase = .calling
    observations[id]?.wasPostponed = false
    return true
  }

  /// The handler of an observation has returned.
  mutating func didCall(_ id: ID) -> Actions {
    guard let observation = observations[id], observation.phase == .calling else { return Actions() }
    if observation.isHeld {
      observations[id]?.phase = .held
      return Actions()
    }
    return settle(id, hasNews: observation.hasNews)
  }

  /// A delivery has found nothing to report.
  mutating func didDeliver(_ id: ID, _ interest: ObservationInterest) -> Actions { settle(id, interest) }

  /// Whether an observation goes on.
  func isActive(_ id: ID) -> Bool { observations[id] != nil }

  // MARK: Parts

  /// Has the parked deliveries scheduled.
  mutating func unpark() -> [ID] {
    let ids = parked.filter { observations[$0]?.phase == .parked }
    parked = []
    for id in ids { observations[id]?.phase = .scheduled }
    return ids
  }

  /// Keeps changes for an observation, which is looked at when its phase allows it.
  mutating func keep(_ id: ID, _ change: (inout Observation) -> Void) {
    guard let phase = observations[id]?.phase else { return }
    observations[id]?.keep(change)
    guard phase == .idle, observations[id]?.pending.isEmpty == false else { return }
    observations[id]?.phase = .waiting
    waiting.append(id)
  }

  mutating func take(_ id: ID, _ phase: Phase) -> PendingChanges? {
    guard let pending = observations[id]?.pending else { return nil }
    observations[id]?.pending = PendingChanges()
    observations[id]?.phase = phase
    atWork.insert(id)
    return pending
  }

  /// Somebody has looked: from now on it depends on `interest`, and what came meanwhile is what that says.
  mutating func endWork(_ id: ID, _ interest: ObservationInterest) {
    atWork.remove(id)
    if let changes = observations[id]?.pending.changes, !changes.isEmpty {
      observations[id]?.pending.changes = changes.concerning(interest)
    }
    guard let old = observations[id]?.interest, old != interest else { return }
    index.remove(id, old)
    index.insert(id, interest)
    observations[id]?.interest = interest
  }

  private mutating func settle(_ id: ID, _ interest: ObservationInterest) -> Actions {
    guard observations[id] != nil else { return Actions() }
    endWork(id, interest)
    return settle(id, hasNews: false)
  }

  /// Nobody has an observation any more.
  mutating func settle(_ id: ID, hasNews: Bool) -> Actions {
    observations[id]?.wasPostponed = false
    if hasNews {
      observations[id]?.phase = .scheduled
      return Actions(schedules: [id])
    }
    if observations[id]?.pending.isEmpty != false {
      observations[id]?.phase = .idle
      return Actions()
    }
    observations[id]?.phase = .waiting
    waiting.append(id)
    return Actions(wakesNotifier: true)
  }
}
