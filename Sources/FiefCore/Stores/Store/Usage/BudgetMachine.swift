import Foundation

/// The state of a store's budgets: the usage, the usage that is not saved yet, and the fractions that were
/// reported.
struct BudgetMachine {
  private let store: String
  private let budgets: [Budget]
  /// The labels of budgets, which are always counted separately.
  let labels: Set<String>
  /// The known usage of all processes, including this one.
  private(set) var known: UsageRecord
  /// The usage of this process that is not saved yet.
  private(set) var pending = UsageRecord()
  /// For each budget, the number of fractions that were reported and their window.
  private var reported: [(window: Int64, count: Int)]
  /// The usage that a pending commit saves. Saving may begin several times.
  private var keeping: (own: UsageRecord, sum: UsageRecord)?

  /// - Parameter kept: the saved usage of the store. Fractions that it has already reached are not reported.
  init(store: String, _ budgets: [Budget], kept: UsageRecord, at date: Date) {
    self.store = store
    self.budgets = budgets
    labels = Set(budgets.compactMap(\.label))
    known = kept
    known.move(to: date)
    pending.move(to: date)
    reported = budgets.map { _ in (0, 0) }
    _ = notices()
  }

  /// Adds usage, and returns the notices to report.
  mutating func add(_ entries: [UsageLedger.Entry], at date: Date) -> [BudgetNotice] {
    known.move(to: date)
    pending.move(to: date)
    for entry in entries {
      known.add(entry)
      pending.add(entry)
    }
    return notices()
  }

  /// Moves to the windows that contain a time. Called before the usage is read.
  mutating func move(to date: Date) {
    known.move(to: date)
    pending.move(to: date)
  }

  /// Returns the usage to save: the sum of the stored usage and the usage of this process since the last
  /// save.
  mutating func beginKeeping(_ stored: UsageRecord) -> UsageRecord {
    var sum = stored
    sum.add(pending, besides: labels)
    keeping = (pending, sum)
    return sum
  }

  /// Ends saving after the commit, and returns the notices to report for the usage of other processes.
  mutating func didKeep(at date: Date) -> [BudgetNotice] {
    guard let keeping else { return [] }
    self.keeping = nil
    pending.remove(keeping.own)
    known = keeping.sum
    known.add(pending, besides: labels)
    move(to: date)
    return notices()
  }

  /// Ends saving without a commit.
  mutating func didNotKeep() { keeping = nil }

  private mutating func notices() -> [BudgetNotice] {
    var notices: [BudgetNotice] = []
    for (index, budget) in budgets.enumerated() {
      let window = known[budget.period]
      if reported[index].window != window.number { reported[index] = (window.number, 0) }
      if reported[index].count == budget.fractions.count { continue }
      let used = window.counts(of: budget.subject)[budget.quantity]
      while reported[index].count < budget.fractions.count {
        let fraction = budget.fractions[reported[index].count]
        if used < budget.threshold(fraction) { break }
        reported[index].count += 1
        notices.append(
          BudgetNotice(
            store: store,
            budget: budget,
            fraction: fraction,
            used: used,
            since: budget.period.start(of: window.number)
          )
        )
      }
    }
    return notices
  }
}

extension Budget {
  fileprivate var label: String? { if case .label(let name) = subject { name } else { nil } }
}
