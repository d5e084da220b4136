import FiefCore

/// The first rows of a query: the wanted rows and some that follow them.
struct RowWindow {
  var rows = ObservedRows.none
  /// Whether `rows` are all rows of the query.
  var isComplete = true
  /// The cost of running the query, measured roughly in rows.
  var cost = 0

  /// Returns the number of rows that are kept after the wanted ones.
  private static func margin(_ count: Int) -> Int { 16 + min(count / 4, 240) }

  /// Returns a query for the wanted rows and the rows kept after them.
  static func asked(_ description: QueryDescription) -> QueryDescription {
    var asked = description
    asked.offset = 0
    guard case .first(let count)? = description.limit else { return asked }
    let end = wanted(description).upperBound
    let (most, isTooMuch) = end.addingReportingOverflow(margin(max(count, 0)))
    asked.limit = isTooMuch ? nil : .first(most)
    return asked
  }

  /// Returns the range of the wanted rows. It may extend beyond the existing rows.
  private static func wanted(_ description: QueryDescription) -> Range<Int> {
    let start = max(description.offset, 0)
    guard case .first(let count)? = description.limit else { return start..<Int.max }
    let (end, isTooMuch) = start.addingReportingOverflow(max(count, 0))
    return start..<(isTooMuch ? Int.max : end)
  }

  /// Returns the wanted rows.
  func wanted(_ description: QueryDescription) -> ObservedRows { rows.slice(Self.wanted(description)) }

  /// Replaces the rows. Their number may have changed.
  ///
  /// - Returns: `false` if wanted rows are missing.
  mutating func replace(_ new: ObservedRows, _ description: QueryDescription) -> Bool {
    rows = new
    guard case .first(let count)? = description.limit else { return true }
    let end = Self.wanted(description).upperBound
    if !isComplete, new.count < end { return false }
    let margin = Self.margin(max(count, 0))
    if new.count > end, new.count - end > 2 * margin {
      rows = new.slice(0..<(end + margin))
      isComplete = false
    }
    return true
  }
}
