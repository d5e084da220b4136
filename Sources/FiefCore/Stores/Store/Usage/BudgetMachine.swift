import Foundation

/// The state of a store's budgets: what is used, what of it is not kept yet, and the fractions that were reported.
struct BudgetMachine {
  private let store: String
  private let budgets: [Budget]
  /// The labels that budgets are about, which are always told apart.
  let labels: Set<String>
  /// The usage as far as it is known, that of this process included.
  private(set) var known: KeptUsage
  /// The usage of this process that is not kept.
  private(set) var pending = KeptUsage()
  /// The number of fractions of each budget that were reported, and in which window.
  private var reported: [(window: Int64, count: Int)]
  /// The usage that a commit keeps which has not ended; it may be begun several times.
  private var keeping: (own: KeptUsage, sum: KeptUsage)?

  /// - Parameter kept: the usage that the store has kept. What is reached by it is not reported.
  init(store: String, _ budgets: [Budget], kept: KeptUsage, at date: Date) {
    self.store = store
    self.budgets = budgets
    labels = Set(budgets.compactMap(\.label))
    known = kept
    known.move(to: date)
    pending.move(to: date)
    reported = budgets.map { _ in (0, 0) }
    _ = notices()
  }

  /// Adds what was used, and returns what is to be reported.
  mutating func add(_ entries: [UsageLedger.Entry], at date: Date) -> [BudgetNotice] {
    known.move(to: date)
    pending.move(to: date)
    for entry in entries {
      known.add(entry)
      pending.add(entry)
    }
    return notices()
  }

  /// Moves to the windows of a time, for a reader of the usage.
  mutating func move(to date: Date) {
    known.move(to: date)
    pending.move(to: date)
  }

  /// The sum to be kept, of what is in the store and what this process has used since.
  mutating func beginKeeping(_ stored: KeptUsage) -> KeptUsage {
    var sum = stored
    sum.add(pending, besides: labels)
    keeping = (pending, sum)
    return sum
  }

  /// Ends it after the commit, and returns what is to be reported of the usage of other processes.
  mutating func didKeep(at date: Date) -> [BudgetNotice] {
    guard let keeping else { return [] }
    self.keeping = nil
    pending.remove(keeping.own)
    known = keeping.sum
    known.add(pending, besides: labels)
    move(to: date)
    return notices()
  }

  /// Ends it without a commit.
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
