/// Collects the children of a window. Its memory is proportional to the limit.
struct EntryWindow {
  private let limit: TreeSelection.Limit?
  private var entries: [TreeSelection.Entry] = []
  /// The number of children at which those outside of the window are dropped.
  private let most: Int

  init(_ limit: TreeSelection.Limit?) {
    self.limit = limit
    let (twice, overflows) = (limit?.count ?? .max).multipliedReportingOverflow(by: 2)
    most = overflows ? .max : max(twice, 256)
  }

  var count: Int { entries.count }

  mutating func append(_ entry: TreeSelection.Entry) {
    entries.append(entry)
    if entries.count >= most { entries = sorted() }
  }

  /// Returns the children in the order in which they were added, or backward.
  func entries(isBackward: Bool) -> [TreeSelection.Entry] { isBackward ? entries.reversed() : entries }

  /// Returns the children of the window in their order.
  func sorted() -> [TreeSelection.Entry] {
    let sorted = entries.sorted { $0.sortKey < $1.sortKey }
    return switch limit {
    case nil: sorted
    case .first(let count)?: Array(sorted.prefix(count))
    case .last(let count)?: Array(sorted.suffix(count))
    }
  }
}
