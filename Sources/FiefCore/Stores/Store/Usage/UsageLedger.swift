import Foundation
import LMDB

/// The usage that a store keeps, and its budgets: the shell around ``BudgetMachine``.
package final class UsageLedger: Sendable {
  /// What a read or a commit has used of one type.
  struct Entry: Sendable {
    let type: String
    let label: String?
    let counts: Usage.Counts
  }

  /// The time between two commits that keep the usage, in nanoseconds.
  private static let pause = 1_000_000_000

  private struct State {
    var machine: BudgetMachine
    /// The labels that are told apart; those of budgets are beside them.
    var labels: Set<String> = []
    /// When the usage was kept last, by the clock of the system's running time.
    var lastKept = 0
    /// Whether a commit that keeps it is on its way.
    var isKeeping = false
    /// Whether the last commit that should have kept it has failed.
    var hasFailed = false
    var shell: Shell?
  }

  /// What the ledger has others do; none of it under its lock.
  struct Shell: Sendable {
    /// Calls handlers, later.
    let report: @Sendable ([BudgetNotice]) -> Void
    /// Leaves a work to the write queue; nil where the store is read only.
    let keep: (@Sendable () -> Void)?
  }

  private let store: String
  private let clock: @Sendable () -> Date
  private let state: OwnedLock<State>

  /// - Parameter kept: the usage that is in the store.
  init(store: String, _ options: StoreOptions, kept: KeptUsage) {
    self.store = store
    clock = options.clock
    let machine = BudgetMachine(store: store, options.budgets, kept: kept, at: options.clock())
    state = OwnedLock(State(machine: machine))
  }

  /// Begins to report and to keep.
  func begin(_ shell: Shell) { state.withLock { $0.shell = shell } }

  /// Ends it: what is used from here on is kept by ``keep(_:in:)`` only.
  func end() { state.withLock { $0.shell = nil } }

  func usage(per period: Budget.Period) -> Usage {
    let now = clock()
    return state.withLock { state in
      state.machine.move(to: now)
      return state.machine.known.usage(per: period, store: store)
    }
  }

  /// Whether there is usage that is not kept.
  var isPending: Bool { state.withLock { !$0.machine.pending.isEmpty } }

  func add(_ entries: [Entry]) {
    let now = clock()
    let (shell, notices, keeps) = state.withLock { state in
      let entries = entries.map { entry in
        let label = entry.label.map { state.labels.toldApart($0, besides: state.machine.labels) }
        return Entry(type: entry.type, label: label, counts: entry.counts)
      }
      let notices = state.machine.add(entries, at: now)
      let keeps =
        state.shell?.keep != nil && !state.isKeeping && writeQueueNow() - state.lastKept >= Self.pause
      if keeps { state.isKeeping = true }
      return (state.shell, notices, keeps)
    }
    if !notices.isEmpty { shell?.report(notices) }
    if keeps { shell?.keep?() }
  }

  /// Writes the sum into the store; ``didKeep()``, ``didNotKeep()`` or ``didFail()`` follows.
  func keep(_ tree: Database, in transaction: LMDB.WritableTransaction) throws {
    let stored: KeptUsage
    do { stored = try KeptUsage.stored(tree, in: transaction) ?? KeptUsage() } catch let error as FiefError {
      // What is kept from here on is right again.
      guard error.code == .damagedStore || error.code == .damagedRecord else { throw error }
      stored = KeptUsage()
    }
    try state.withLock { $0.machine.beginKeeping(stored) }.store(tree, in: transaction)
  }

  func didKeep() {
    let now = clock()
    let (shell, notices) = state.withLock { state in
      (state.isKeeping, state.hasFailed, state.lastKept) = (false, false, writeQueueNow())
      return (state.shell, state.machine.didKeep(at: now))
    }
    if !notices.isEmpty { shell?.report(notices) }
  }

  func didNotKeep() {
    state.withLock { state in
      (state.isKeeping, state.lastKept) = (false, writeQueueNow())
      state.machine.didNotKeep()
    }
  }

  /// As ``didNotKeep()``, for a failure.
  ///
  /// - Returns: whether it is the first one since the usage was kept.
  func didFail() -> Bool {
    didNotKeep()
    return state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed
    }
  }
}
