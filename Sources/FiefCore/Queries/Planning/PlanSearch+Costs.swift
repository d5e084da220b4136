import Foundation

/// The costs of access paths, in records that a scan reads.
extension PlanSearch {
  /// The cost of finding a record by its key: trees that are deeper and do not fit the caches cost more.
  ///
  /// Measured: a scan goes along pages and takes 9 ns a record, and with a condition on it about 13; a lookup
  /// takes 230 ns at 100,000 objects and 350 at a million. So a range of an index takes less time than a scan
  /// below 7% of 100,000 objects and 5% of a million.
  var lookUp: Double {
    guard total > 1000 else { return 10 }
    return min(max(10, 18 + 9 * (log10(Double(total)) - 5)), 45)
  }

  /// Keys that are looked up in their order are often near each other.
  var sortedLookUp: Double { lookUp * 0.7 }
  /// The cost of reading an entry of an index.
  static let entry = 0.6
  /// The cost of keeping a key and of sorting it.
  static let collecting = 1.5
  /// The cost of sorting a row.
  static let sorting = 4.0

  /// The most rows that are asked for; nil for all.
  var wanted: Int? {
    switch description.limit {
    case .first(let count)?, .last(let count)?:
      let sum = max(count, 0).addingReportingOverflow(max(description.offset, 0))
      return sum.overflow ? nil : sum.partialValue
    case nil: return nil
    }
  }

  /// The number of rows, of so many, that are read before enough were found.
  ///
  /// - Parameter unanswered: the conjuncts that the rows are not known to fulfil.
  func visited(_ rows: Int, unanswered: UInt64) -> Double {
    guard let wanted else { return Double(rows) }
    return min(Double(rows), Double(wanted) / selectivity(unanswered))
  }

  /// The estimated share of rows that fulfil conjuncts: a conjunct that no tree can count is taken to leave a third.
  func selectivity(_ unanswered: UInt64) -> Double {
    guard total > 0 else { return 1 }
    var share = 1.0
    var rest = unanswered & allConjuncts
    for restriction in known.sorted(by: { $0.estimate < $1.estimate }) where restriction.used & rest != 0 {
      share *= min(max(Double(restriction.estimate) / Double(total), 1e-6), 1)
      rest &= ~restriction.used
    }
    return max(share * pow(0.3, Double(rest.nonzeroBitCount)), 1e-6)
  }

  /// The cost of checking conjuncts on rows.
  func checking(_ rows: Double, unanswered: UInt64) -> Double {
    rows * 0.2 * Double((unanswered & allConjuncts).nonzeroBitCount)
  }

  /// The cost of a restriction's rows in the order of their keys.
  func cost(_ restriction: Restriction) -> Double {
    var rows = visited(restriction.estimate, unanswered: ~restriction.used)
    // Only the keys are counted in this case.
    if purpose == .count, restriction.answered == allConjuncts { rows = 0 }
    return Double(restriction.entries) * Self.entry + Double(restriction.estimate) * Self.collecting + rows
      * sortedLookUp + checking(rows, unanswered: ~restriction.answered)
  }

  /// The cost of a sort of all rows.
  var sortCost: Double {
    let rows = Double(total) * selectivity(allConjuncts)
    guard let wanted else { return rows * Self.sorting }
    return rows + min(rows, Double(wanted)) * Self.sorting
  }
}
