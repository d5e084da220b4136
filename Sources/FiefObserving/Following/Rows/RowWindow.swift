import FiefCore

/// The first rows of a query: those that are wanted, and some that follow them.
struct RowWindow {
  var rows = ObservedRows.none
  /// Whether there are no others.
  var isComplete = true
  /// The cost of the lookup, in about rows.
  var cost = 0

  /// The number of rows that are kept behind those that are wanted.
  private static func margin(_ count: Int) -> Int { 16 + min(count / 4, 240) }

  /// The description of the wanted rows and those that follow.
  static func asked(_ description: QueryDescription) -> QueryDescription {
    var asked = description
    asked.offset = 0
    guard case .first(let count)? = description.limit else { return asked }
    let end = wanted(description).upperBound
    let (most, isTooMuch) = end.addingReportingOverflow(margin(max(count, 0)))
    asked.limit = isTooMuch ? nil : .first(most)
    return asked
  }

  /// The indexes of the wanted rows, as many as there may be.
  private static func wanted(_ description: QueryDescription) -> Range<Int> {
    let start = max(description.offset, 0)
    guard case .first(let count)? = description.limit else { return start..<Int.max }
    let (end, isTooMuch) = start.addingReportingOverflow(max(count, 0))
    return start..<(isTooMuch ? Int.max : end)
  }

  /// The rows that are wanted.
  func wanted(_ description: QueryDescription) -> ObservedRows { rows.slice(Self.wanted(description)) }

  /// Takes other rows, which may have become fewer or more.
  ///
  /// - Returns: false where some of the wanted ones are not among them.
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
