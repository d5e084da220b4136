import Foundation

/// The costs of access paths. The unit is the cost of reading one record in a scan.
extension PlanSearch {
  /// The cost of finding a record by its key. It is higher for larger trees, which are deeper and do not fit
  /// into the caches.
  ///
  /// Measured: a scan walks along pages and takes 9 ns per record, or about 13 ns with a condition; a lookup
  /// takes 230 ns with 100,000 objects and 350 ns with a million. A range of an index is therefore faster
  /// than a scan if it contains less than 7% of 100,000 objects or 5% of a million.
  var lookUp: Double {
    guard total > 1000 else { return 10 }
    return min(max(10, 18 + 9 * (log10(Double(total)) - 5)), 45)
  }

  /// The cost of a lookup in key order, in which consecutive keys are often near each other.
  var sortedLookUp: Double { lookUp * 0.7 }
  /// The cost of reading an entry of an index.
  static let entry = 0.6
  /// The cost of keeping and sorting a key.
  static let collecting = 1.5
  /// The cost of sorting a row.
  static let sorting = 4.0

  /// The maximum number of requested rows, or `nil` for all.
  var wanted: Int? {
    switch description.limit {
    case .first(let count)?, .last(let count)?:
      let sum = max(count, 0).addingReportingOverflow(max(description.offset, 0))
      return sum.overflow ? nil : sum.partialValue
    case nil: return nil
    }
  }

  /// Returns the number of rows that are read until enough rows are found.
  ///
  /// - Parameter unanswered: the conjuncts that must still be checked on the rows.
  func visited(_ rows: Int, unanswered: UInt64) -> Double {
    guard let wanted else { return Double(rows) }
    return min(Double(rows), Double(wanted) / selectivity(unanswered))
  }

  /// Returns the estimated share of rows that meet the conjuncts. A conjunct that no tree can count is
  /// assumed to keep 30% of the rows.
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

  /// Returns the cost of checking conjuncts on rows.
  func checking(_ rows: Double, unanswered: UInt64) -> Double {
    rows * 0.2 * Double((unanswered & allConjuncts).nonzeroBitCount)
  }

  /// Returns the cost of reading a restriction's rows in key order.
  func cost(_ restriction: Restriction) -> Double {
    var rows = visited(restriction.estimate, unanswered: ~restriction.used)
    // Only the keys are counted here.
    if purpose == .count, restriction.answered == allConjuncts { rows = 0 }
    return Double(restriction.entries) * Self.entry + Double(restriction.estimate) * Self.collecting + rows
      * sortedLookUp + checking(rows, unanswered: ~restriction.answered)
  }

  /// The cost of sorting all rows.
  var sortCost: Double {
    let rows = Double(total) * selectivity(allConjuncts)
    guard let wanted else { return rows * Self.sorting }
    return rows + min(rows, Double(wanted)) * Self.sorting
  }
}
