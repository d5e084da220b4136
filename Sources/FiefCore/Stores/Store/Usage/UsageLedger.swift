import Foundation
import LMDB

/// The usage that a store saves, and its budgets. The logic is in ``BudgetMachine``.
package final class UsageLedger: Sendable {
  /// The usage of one type by a read or a commit.
  struct Entry: Sendable {
    let type: String
    let label: String?
    let counts: Usage.Counts
  }

  /// The minimum time between two commits that save the usage, in nanoseconds.
  private static let pause = 1_000_000_000

  private struct State {
    var machine: BudgetMachine
    /// The labels that are counted separately, in addition to the labels of budgets.
    var labels: Set<String> = []
    /// The time at which the usage was last saved, on the monotonic clock.
    var lastKept = 0
    /// Whether a commit that saves the usage is pending.
    var isKeeping = false
    /// Whether the last commit that should have saved the usage has failed.
    var hasFailed = false
    var shell: Shell?
  }

  /// The actions that the ledger triggers. They are never called under its lock.
  struct Shell: Sendable {
    /// Calls handlers later.
    let report: @Sendable ([BudgetNotice]) -> Void
    /// Submits work to the write queue; nil if the store is read-only.
    let keep: (@Sendable () -> Void)?
  }

  private let store: String
  private let clock: @Sendable () -> Date
  private let state: OwnedLock<State>

  /// - Parameter kept: the usage that is saved in the store.
  init(store: String, _ options: StoreOptions, kept: UsageRecord) {
    self.store = store
    clock = options.clock
    let machine = BudgetMachine(store: store, options.budgets, kept: kept, at: options.clock())
    state = OwnedLock(State(machine: machine))
  }

  /// Starts reporting and saving.
  func begin(_ shell: Shell) { state.withLock { $0.shell = shell } }

  /// Stops reporting and saving. Afterwards, only ``keep(_:in:)`` saves usage.
  func end() { state.withLock { $0.shell = nil } }

  func usage(per period: Budget.Period) -> Usage {
    let now = clock()
    return state.withLock { state in
      state.machine.move(to: now)
      return state.machine.known.usage(per: period, store: store)
    }
  }

  /// Whether some usage is not saved.
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

  /// Writes the sum into the store. The caller then calls ``didKeep()``, ``didNotKeep()`` or ``didFail()``.
  func keep(_ tree: Database, in transaction: LMDB.WritableTransaction) throws {
    let stored: UsageRecord
    do { stored = try UsageRecord.stored(tree, in: transaction) ?? UsageRecord() } catch let error
      as FiefError
    {
      // The stored usage is damaged, so counting starts again at zero.
      guard error.code == .damagedStore || error.code == .damagedRecord else { throw error }
      stored = UsageRecord()
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

  /// Ends saving after a failure, like ``didNotKeep()``.
  ///
  /// - Returns: whether this is the first failure since the usage was saved.
  func didFail() -> Bool {
    didNotKeep()
    return state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed
    }
  }
}
