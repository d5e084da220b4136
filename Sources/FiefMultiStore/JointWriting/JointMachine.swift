/// The steps of a write to several stores, their order and the consequences of failures: a state machine that
/// does not access the stores.
///
/// Store 0 is the coordinator. The others are participants, in the order in which every process locks them.
/// The order of the steps guarantees:
/// - The decision is made only when the application can no longer cause a failure: all transactions are open
///   and all changes are made before the coordinator commits.
/// - A participant's marker is durable before the decision. The participant's transaction begins after the
///   marker's commit and stays open until after the decision. Therefore a reader that sees the marker sees,
///   in the same transaction, the participant's state from before the decision.
/// - The coordinator is locked from before the first marker until the decision. A process that locks it and
///   sees no decision knows that there will be none.
/// - If it is unknown whether the decision was made, the markers and journals stay. No participant is
///   committed or released. Each is completed or dropped, according to the coordinator's decision, when that
///   can be read again.
struct JointMachine: Sendable {
  /// An action that the machine's owner performs next.
  enum Action: Hashable, Sendable {
    /// Begin the write transaction of a store and keep it open.
    case begin(Int)
    /// Write the marker to a participant, in a separate transaction.
    case mark(Int)
    /// Make and check the changes in all stores, and remove the markers in the same transactions.
    case run
    /// Write the changes of a participant's transaction to the coordinator's transaction.
    case journal(Int)
    /// Commit an open transaction. The coordinator's commit is the decision.
    case commit(Int)
    /// Apply a participant's changes from the journal, because its commit has failed.
    case replay(Int)
    /// Remove the decision and the journals from the coordinator.
    case clean
    /// Roll back all open transactions, and grow a store if one is named.
    case abort(growing: Int?)
    /// Complete or drop the changes that another write to several stores has left in a store.
    case settle(Int)
    /// Remove the marker from a participant.
    case unmark(Int)
    /// Finished: every store has the changes, except the unfinished ones, which receive them later.
    case decided(unfinished: [Int])
    /// Finished: no store has any change.
    case dropped
    /// Finished: it is unknown in this process whether the write was decided. The markers and journals stay,
    /// and the recovery follows the coordinator's decision.
    case undecided
  }

  /// The outcome of an action.
  enum Event: Hashable, Sendable {
    case succeeded
    /// Reports for each store whether ``Action/run`` has changed it.
    case changed([Bool])
    /// The map of a store was too small.
    case tooSmall(Int)
    /// A store has the marker of a different write to several stores.
    case foreign(Int)
    case failed
    /// It is unknown whether a commit succeeded or reached the disk.
    case unknown
  }

  let count: Int
  private(set) var action: Action = .begin(0)
  private var changed: [Bool] = []
  private var unfinished: [Int] = []
  private var marked: Set<Int> = []
  /// The number of times that the write may still be restarted.
  private var attempts = 10_000
  private var restart: Action?

  /// - Parameter count: the number of stores, at least one.
  init(count: Int) { self.count = count }

  /// Whether the decision was made, so that every store will get its changes.
  private(set) var isDecided = false
  /// Whether the decision may have been made. If so, the machine no longer changes anything that the recovery
  /// reads.
  private var isUndecided = false

  /// Ends the current action and determines the next one.
  mutating func done(_ event: Event) {
    switch event {
    case .succeeded, .changed: action = following(event)
    case .tooSmall(let store): action = beginAgain(after: nil, growing: store)
    case .foreign(let store): action = beginAgain(after: .settle(store), growing: nil)
    case .unknown where action == .commit(0):
      isUndecided = true
      action = .abort(growing: nil)
    // The other commits do not affect the decision. If one of them fails, the recovery completes its store.
    case .failed, .unknown: action = followingFailure()
    }
  }

  private mutating func following(_ event: Event) -> Action {
    switch action {
    case .begin(0): return afterMarking(0)
    case .mark(let store):
      marked.insert(store)
      return afterMarking(store)
    case .begin(let store): return store + 1 < count ? .begin(store + 1) : .run
    case .run:
      if case .changed(let changed) = event { self.changed = changed }
      return afterJournal(0)
    case .journal(let store): return afterJournal(store)
    case .commit(let store):
      isDecided = true
      return afterCommit(store)
    case .replay(let store):
      unfinished.removeAll { $0 == store }
      return afterReplay(store)
    case .clean: return .decided(unfinished: unfinished)
    case .abort:
      defer { restart = nil }
      return isUndecided ? .undecided : restart ?? afterUnmarking(0)
    case .settle: return .begin(0)
    case .unmark(let store): return afterUnmarking(store)
    case .decided, .dropped, .undecided: return action
    }
  }

  private mutating func followingFailure() -> Action {
    switch action {
    case .commit(let store) where store > 0:
      unfinished.append(store)
      return afterCommit(store)
    case .replay(let store): return afterReplay(store)
    // The next process that finds a remaining marker completes it.
    case .clean: return .decided(unfinished: unfinished)
    case .unmark(let store): return afterUnmarking(store)
    case .mark(let store):
      // The marker may have been committed.
      marked.insert(store)
      return .abort(growing: nil)
    case .abort, .settle:
      restart = nil
      return isUndecided ? .undecided : afterUnmarking(0)
    case .decided, .dropped, .undecided: return action
    case .begin, .run, .journal, .commit: return .abort(growing: nil)
    }
  }

  private mutating func beginAgain(after action: Action?, growing: Int?) -> Action {
    attempts -= 1
    restart = attempts > 0 ? action ?? .begin(0) : nil
    return .abort(growing: growing)
  }

  private func afterMarking(_ store: Int) -> Action {
    if store + 1 < count { return .mark(store + 1) }
    return count > 1 ? .begin(1) : .run
  }

  private func afterJournal(_ store: Int) -> Action {
    for next in (store + 1)..<max(count, store + 1) where changed[next] { return .journal(next) }
    return .commit(0)
  }

  private func afterCommit(_ store: Int) -> Action {
    if store + 1 < count { return .commit(store + 1) }
    return afterReplay(0)
  }

  private func afterReplay(_ store: Int) -> Action {
    if let next = unfinished.first(where: { $0 > store }) { return .replay(next) }
    return changed.dropFirst().contains(true) ? .clean : .decided(unfinished: unfinished)
  }

  private func afterUnmarking(_ store: Int) -> Action {
    if let next = marked.filter({ $0 > store }).min() { return .unmark(next) }
    return .dropped
  }
}
