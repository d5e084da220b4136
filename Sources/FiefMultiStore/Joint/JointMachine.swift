/// The steps of a write to several stores, their order and the consequences of a failure: a state machine
/// without the stores.
///
/// Store 0 is the coordinator; the others are participants, in the order in which every process locks them.
/// The order guarantees:
/// - Nothing is decided while a store's transaction can still fail for a reason of the application's: all
///   transactions are open, and all changes made, before the coordinator commits.
/// - A participant's marker is durable before the decision is, and its transaction is begun after the marker's
///   commit and held beyond the decision. So a reader that sees the marker in a transaction of its own sees the
///   participant as it was before the decision, or as it was when it was begun.
/// - The coordinator is held from before the first marker to the decision: who holds it and sees no decision
///   knows that there will be none.
/// - Where it is not known whether the decision was made, the markers and the journals stay: no participant
///   is committed, none is released, and each is settled by the coordinator's decision when it can be read
///   again.
struct JointMachine: Sendable {
  /// An action that the machine asks for.
  enum Action: Hashable, Sendable {
    /// Begin the write transaction of a store, which is then held.
    case begin(Int)
    /// Put the marker in a participant, in a transaction of its own.
    case mark(Int)
    /// Make the changes in all stores, with their checks, and take the markers away with them.
    case run
    /// Write the changes of a participant's transaction into that of the coordinator.
    case journal(Int)
    /// Commit a held transaction; that of the coordinator is the decision.
    case commit(Int)
    /// Make a participant's changes, whose commit has failed, from the journal.
    case replay(Int)
    /// Remove the decision and the journals from the coordinator.
    case clean
    /// End all held transactions without keeping anything; let a store grow, where one is named.
    case abort(growing: Int?)
    /// Complete or drop the parts of another write to several stores in a store.
    case settle(Int)
    /// Take the marker of a participant away.
    case unmark(Int)
    /// Nothing more: every store has the changes, but for those that get them later.
    case decided(unfinished: [Int])
    /// Nothing more: no store has a change.
    case dropped
    /// Nothing more: whether it is decided is not known here. The markers and the journals stay as they are,
    /// and the recovery follows the coordinator's decision.
    case undecided
  }

  /// The outcome of an action.
  enum Event: Hashable, Sendable {
    case succeeded
    /// The stores that ``Action/run`` has changed.
    case changed([Bool])
    /// The map of a store was too small.
    case tooSmall(Int)
    /// A store has the marker of another write to several stores.
    case foreign(Int)
    case failed
    /// A commit may have taken place or not, and neither is known to be on the disk.
    case unknown
  }

  let count: Int
  private(set) var action: Action = .begin(0)
  private var changed: [Bool] = []
  private var unfinished: [Int] = []
  private var marked: Set<Int> = []
  /// The number of times that the write may begin again.
  private var attempts = 10_000
  private var restart: Action?

  /// - Parameter count: the number of stores, one at least.
  init(count: Int) { self.count = count }

  /// Whether the changes will take place.
  private(set) var isDecided = false
  /// Whether the decision may have been made: nothing that the recovery reads is changed any more.
  private var isUndecided = false

  /// Takes the end of the current action and goes to the next one.
  mutating func done(_ event: Event) {
    switch event {
    case .succeeded, .changed: action = following(event)
    case .tooSmall(let store): action = beginAgain(after: nil, growing: store)
    case .foreign(let store): action = beginAgain(after: .settle(store), growing: nil)
    case .unknown where action == .commit(0):
      isUndecided = true
      action = .abort(growing: nil)
    // The recovery determines the outcome of any other commit, and the decision does not depend on it.
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
    // A marker that was not removed is completed by the next process that finds it.
    case .clean: return .decided(unfinished: unfinished)
    case .unmark(let store): return afterUnmarking(store)
    case .mark(let store):
      // The commit of the marker may have taken place.
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
