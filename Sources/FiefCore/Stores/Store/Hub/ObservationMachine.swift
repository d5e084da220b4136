/// A state machine without locks and threads that decides which observations are evaluated after which
/// commits.
///
/// Each observation is in one phase, and at most one thread at a time works on it: the notifier that
/// evaluates it or the executor that delivers it. Changes of later commits are kept as pending, up to a
/// limit. A commit never waits for an observation, so its cost depends neither on the number of observations
/// nor on the speed of their handlers.
///
/// Invariant: every phase of an observation with pending changes leads to its evaluation.
package struct ObservationMachine {
  package typealias ID = UInt64

  enum Phase: Equatable {
    /// The caller reads the first state. Until then, changes are kept as pending.
    case starting
    /// The observation has no pending changes.
    case idle
    /// The next round of the notifier evaluates the observation.
    case waiting
    /// The notifier evaluates the observation.
    case evaluating
    /// The handler must be called, and the delivery is enqueued on the executor.
    case scheduled
    /// The delivery has read an unpublished commit of this process. It is scheduled again when that commit is
    /// published.
    case parked
    /// The delivery evaluates the observation in the newest snapshot.
    case delivering
    /// The handler is being called. In this phase, only a write that holds the observation evaluates it.
    case calling
    /// A write that does not notify the observation holds it.
    case held
    /// The interval since the last call is not over. Until then, changes are kept as pending.
    case resting
  }

  struct Observation {
    var phase: Phase
    var interest: ObservationInterest
    var pending = PendingChanges()
    /// Whether a write holds the observation. Its phase may still be different from `held` if a delivery or a
    /// handler had begun before.
    var isHeld = false
    /// Whether the delivery was postponed until the notifier had evaluated the observation.
    var wasPostponed = false
    /// Whether the handler must be called again after it returns, or after the interval.
    var hasReport = false
    /// Whether the interval since the last call is not over.
    var isResting = false

    fileprivate mutating func update(_ change: (inout Observation) -> Void) { change(&self) }
  }

  /// The actions for the hub after an event.
  struct Actions: Equatable {
    /// Whether to wake the notifier.
    var wakesNotifier = false
    /// The observations whose deliveries must be enqueued on their executors.
    var schedules: [ID] = []
  }

  /// The maximum number of changed objects that are kept. If there are more, everything is evaluated.
  let limit: Int
  /// Whether other processes can write to the store.
  let isShared: Bool
  var observations: [ID: Observation] = [:]
  var index = ObservationIndex()
  /// The published changes that have not been distributed to observations yet.
  var undistributed: [CommittedChanges] = []
  var undistributedCount = 0
  /// The last commit that was published or read; nil before the first one.
  var known: UInt64?
  /// The last commit whose changes were distributed. A reader of an older snapshot must read a newer one.
  var distributed: UInt64 = 0
  /// Whether a commit of this process is announced. Readers may see it before it is published.
  var isCommitting = false
  /// Whether the file may have new commits of other processes.
  var mayHaveForeignCommits = false
  /// The observations that are being evaluated. Their interest is only known afterwards, so they get all
  /// changes.
  var inEvaluation: Set<ID> = []
  private var last: ID = 0
  /// The number of times that observations were added to an empty machine. The notifier discards a snapshot
  /// from an earlier generation: it may be older than the commit at which the new observation begins.
  private(set) var generation = 0
  private var parked: [ID] = []
  var waiting: [ID] = []
  /// The ends of the intervals of throttled observations, including some observations that have ended.
  var rests = ObservationRests()

  init(isShared: Bool, limit: Int = 1 << 16) {
    self.isShared = isShared
    self.limit = limit
  }

  // MARK: Adding and removing

  /// Adds an observation.
  ///
  /// - Parameter phase: `starting` if the caller reads the first state, `waiting` if the notifier does,
  ///   `idle` if there is no first state.
  mutating func add(_ interest: ObservationInterest, _ phase: Phase) -> ID {
    if observations.isEmpty { generation += 1 }
    last += 1
    observations[last] = Observation(phase: phase, interest: interest)
    index.insert(last, interest)
    if phase == .starting { inEvaluation.insert(last) }
    if phase == .waiting { waiting.append(last) }
    return last
  }

  /// Records that the caller has read the first state of an observation.
  ///
  /// - Parameter commit: the commit of the snapshot that the caller has read.
  mutating func didStart(_ id: ID, _ interest: ObservationInterest, _ commit: UInt64) -> Actions {
    if known == nil { known = commit }
    return finish(id, interest)
  }

  /// Ends an observation. No delivery of the observation begins afterwards.
  mutating func remove(_ id: ID) {
    guard let observation = observations.removeValue(forKey: id) else { return }
    inEvaluation.remove(id)
    index.remove(id, observation.interest)
    if observations.isEmpty { removeAll() }
    dropEndedRests()
  }

  mutating func removeAll() {
    observations = [:]
    index = ObservationIndex()
    forgetUndistributed()
    waiting = []
    parked = []
    rests = ObservationRests()
    inEvaluation = []
    known = nil
    distributed = 0
    mayHaveForeignCommits = false
  }

  mutating func forgetUndistributed() {
    undistributed = []
    undistributedCount = 0
  }

  /// Whether the notifier has something to evaluate or to distribute.
  var needsRound: Bool { !waiting.isEmpty || !undistributed.isEmpty || mayHaveForeignCommits }
  /// Whether a handler must still be called, or may have to be called.
  var isBusy: Bool {
    needsRound || (isCommitting && !observations.isEmpty)
      || observations.values.contains(where: \.isBusy)
  }

  /// Makes the changes of an observation unknown, so that it is evaluated again without a commit.
  mutating func reevaluate(_ id: ID) -> Actions {
    updatePending(of: id) { $0.pending.makeUnknown() }
    return Actions(wakesNotifier: needsRound)
  }

  // MARK: Evaluating

  /// Whether observations can be evaluated in a snapshot.
  enum SnapshotState {
    /// They can be evaluated.
    case good
    /// The snapshot contains an unpublished commit of this process. Retry when that commit is published.
    case unpublished
    /// Changes of a later commit were already distributed. Read a newer snapshot.
    case stale
  }

  /// The notifier's decision about a snapshot.
  enum Round {
    /// Retry when the announced commit is published.
    case unpublished
    /// Retry with a newer snapshot.
    case stale
    case evaluate([(id: ID, pending: PendingChanges)])
  }

  /// Begins a round of the notifier.
  ///
  /// - Parameters:
  ///   - commit: the commit of the notifier's snapshot.
  ///   - generation: the value of ``generation`` before the snapshot was read.
  mutating func beginRound(_ commit: UInt64, _ generation: Int) -> Round {
    if generation != self.generation { return .stale }
    switch distribute(upTo: commit) {
    case .good: break
    case .unpublished: return .unpublished
    case .stale: return .stale
    }
    mayHaveForeignCommits = false
    let ids = waiting
    waiting = []
    return .evaluate(
      ids.compactMap { id in
        guard observations[id]?.phase == .waiting else { return nil }
        return take(id, .evaluating).map { (id, $0) }
      }
    )
  }

  /// Records that the notifier has evaluated an observation.
  ///
  /// - Parameter hasReport: whether the handler has to be called.
  mutating func didEvaluate(_ id: ID, _ interest: ObservationInterest, hasReport: Bool) -> Actions {
    guard hasReport else { return finish(id, interest) }
    guard observations[id] != nil else { return Actions() }
    observations[id]?.phase = .scheduled
    endEvaluation(id, interest)
    return Actions(schedules: [id])
  }

  // MARK: Delivering

  /// Begins a delivery on its executor. Returns false if the observation has ended or a write holds it.
  mutating func beginDelivery(_ id: ID) -> Bool {
    guard let observation = observations[id], observation.phase == .scheduled else { return false }
    observations[id]?.phase = observation.isHeld ? .held : .delivering
    observations[id]?.hasReport = false
    return !observation.isHeld
  }

  /// A delivery's decision about a snapshot.
  enum Delivery {
    /// Evaluate the observation with these changes, which may be empty, and call the handler.
    case evaluate(PendingChanges)
    /// Read a newer snapshot and try again.
    case stale
    /// Ask again when the announced commit is published.
    case unpublished
    /// Do nothing: the notifier evaluates the observation first, or the observation has ended.
    case none
  }

  /// Returns the changes to evaluate before the handler is called.
  ///
  /// - Parameter commit: the commit of the delivery's snapshot.
  mutating func pending(_ id: ID, _ commit: UInt64) -> Delivery {
    guard observations[id] != nil else { return .none }
    switch distribute(upTo: commit) {
    case .good: break
    case .stale: return .stale
    case .unpublished: return .unpublished
    }
    if needsNotifier(id) {
      observations[id]?.wasPostponed = true
      postpone(id)
      return .none
    }
    return take(id, .delivering).map { .evaluate($0) } ?? .none
  }

  /// Whether there are so many pending changes that the notifier evaluates them instead of the observation's
  /// executor. This happens at most once per delivery, so that a busy writer cannot postpone it forever.
  private func needsNotifier(_ id: ID) -> Bool {
    guard let observation = observations[id], !observation.wasPostponed else { return false }
    return observation.pending.isUnknown || observation.pending.changes.count > Self.mostAtDelivery
  }

  /// The maximum number of changed objects that are evaluated on the observation's executor.
  private static let mostAtDelivery = 256

  /// Suspends a delivery until the announced commit is published.
  mutating func park(_ id: ID) -> Actions {
    guard observations[id]?.phase == .delivering else { return Actions() }
    observations[id]?.phase = .parked
    parked.append(id)
    return isCommitting ? Actions() : Actions(schedules: unpark())
  }

  /// Suspends a delivery until the notifier has evaluated the observation.
  @discardableResult
  mutating func postpone(_ id: ID) -> Actions {
    guard observations[id]?.phase == .delivering else { return Actions() }
    observations[id]?.phase = .waiting
    waiting.append(id)
    return Actions(wakesNotifier: true)
  }

  /// Records that a delivery is about to call the handler. Returns false if the observation has ended.
  ///
  /// - Parameter restsUntil: the time before which the handler is not called again; nil if its calls are not
  ///   throttled.
  mutating func beginCall(_ id: ID, _ interest: ObservationInterest, restsUntil: Duration? = nil) -> Bool {
    guard observations[id]?.phase == .delivering else { return false }
    endEvaluation(id, interest)
    observations[id]?.phase = .calling
    observations[id]?.wasPostponed = false
    if let restsUntil { rest(id, until: restsUntil) }
    return true
  }

  /// Records that the handler of an observation has returned.
  mutating func didCall(_ id: ID) -> Actions {
    guard let observation = observations[id], observation.phase == .calling else { return Actions() }
    if observation.isHeld {
      observations[id]?.phase = .held
      return Actions()
    }
    return finish(id, hasReport: observation.hasReport)
  }

  /// Records that a delivery has ended without a call of the handler.
  mutating func didDeliver(_ id: ID, _ interest: ObservationInterest) -> Actions { finish(id, interest) }

  /// Whether an observation has not ended.
  func isActive(_ id: ID) -> Bool { observations[id] != nil }

  // MARK: Parts

  /// Schedules the parked deliveries.
  mutating func unpark() -> [ID] {
    let ids = parked.filter { observations[$0]?.phase == .parked }
    parked = []
    for id in ids { observations[id]?.phase = .scheduled }
    return ids
  }

  /// Adds to the pending changes of an observation. An idle observation is evaluated in the next round.
  mutating func updatePending(of id: ID, _ change: (inout Observation) -> Void) {
    guard let phase = observations[id]?.phase else { return }
    observations[id]?.update(change)
    guard phase == .idle, observations[id]?.pending.isEmpty == false else { return }
    observations[id]?.phase = .waiting
    waiting.append(id)
  }

  mutating func take(_ id: ID, _ phase: Phase) -> PendingChanges? {
    guard let pending = observations[id]?.pending else { return nil }
    observations[id]?.pending = PendingChanges()
    observations[id]?.phase = phase
    inEvaluation.insert(id)
    return pending
  }

  /// Ends an evaluation. The observation depends on `interest` from now on. Pending changes on which it does
  /// not depend are dropped.
  mutating func endEvaluation(_ id: ID, _ interest: ObservationInterest) {
    inEvaluation.remove(id)
    if let changes = observations[id]?.pending.changes, !changes.isEmpty || !changes.places.isEmpty {
      observations[id]?.pending.changes = changes.concerning(interest)
    }
    guard let old = observations[id]?.interest, old != interest else { return }
    index.remove(id, old)
    index.insert(id, interest)
    observations[id]?.interest = interest
  }

  private mutating func finish(_ id: ID, _ interest: ObservationInterest) -> Actions {
    guard observations[id] != nil else { return Actions() }
    endEvaluation(id, interest)
    return finish(id, hasReport: false)
  }

  /// Chooses the next phase of an observation on which no thread works any more.
  mutating func finish(_ id: ID, hasReport: Bool) -> Actions {
    observations[id]?.wasPostponed = false
    if observations[id]?.isResting == true {
      observations[id]?.phase = .resting
      observations[id]?.hasReport = hasReport
      return Actions()
    }
    if hasReport {
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
