import Fief
import LMDB

/// Finds the children of a query in one transaction.
struct TreeWindow {
  private let query: TreeQuery
  private let nodes: TreeNodes
  private let order: TreeOrder
  private let range: TreeRange

  init(_ query: TreeQuery, in nodes: TreeNodes) {
    self.query = query
    self.nodes = nodes
    order = query.effectiveOrder
    range = query.range
  }

  /// Returns the children within the bounds and the limit, in the order of the query.
  func entries() throws -> [TreeQuery.Entry] {
    let place = TreePlace(query.reference.location)
    return order == .key ? try entriesByKey(of: place) : try scannedEntries(of: place)
  }

  /// Returns a child if it exists and is within the bounds; the limit does not matter.
  ///
  /// - Parameter key: the child's name; in a group its path.
  func entry(ofKey key: String) throws -> TreeQuery.Entry? {
    let entry = TreeQuery.Entry(key: key, sortKey: TreeSortKey())
    let place = TreePlace(query.location(of: entry))
    nodes.count(1)
    guard try nodes.exists(place) else { return nil }
    let result = TreeQuery.Entry(key: key, sortKey: try sortKey(ofKey: key, at: place))
    return range.contains(result.sortKey) ? result : nil
  }

  /// - Parameter place: the place of the child.
  private func sortKey(ofKey key: String, at place: TreePlace) throws -> TreeSortKey {
    var sortKey = TreeSortKey()
    if order != .key { sortKey.append(try nodes.sortValue(at: place, order)) }
    if query.isGroup { sortKey.append(TreePath(valid: key)) } else { sortKey.append(name: key) }
    return sortKey
  }

  // MARK: Scanning

  /// Walks through the window only.
  private func entriesByKey(of place: TreePlace) throws -> [TreeQuery.Entry] {
    let isBackward = query.limit?.isLast ?? false
    let bound = isBackward ? query.end : query.start
    let start = bound.flatMap { bound in
      bound.value.string.map { ChildNames.Bound(name: $0, isIncluded: bound.isIncluded) }
    }
    var names = try ChildNames(nodes, of: place, from: start, isBackward: isBackward)
    var entries: [TreeQuery.Entry] = []
    defer { nodes.count(max(entries.count, 1)) }
    while entries.count < query.limit?.count ?? .max, let name = try names.next() {
      var sortKey = TreeSortKey()
      sortKey.append(name: name)
      if isBackward ? range.isBefore(sortKey) : range.isAfter(sortKey) { break }
      entries.append(TreeQuery.Entry(key: name, sortKey: sortKey))
    }
    if isBackward { entries.reverse() }
    return entries
  }

  /// Reads the order of all children, and keeps the children in the window.
  private func scannedEntries(of place: TreePlace) throws -> [TreeQuery.Entry] {
    var names = try ChildNames(nodes, of: place)
    var buffer = WindowBuffer(query.limit)
    var count = 0
    defer { nodes.count(max(count, 1)) }
    while let name = try names.next() {
      count += 1
      let sortKey = try sortKey(ofKey: name, at: place.appending(name))
      if range.contains(sortKey) { buffer.append(TreeQuery.Entry(key: name, sortKey: sortKey)) }
    }
    return buffer.sorted()
  }
}

/// Collects the children of a window in any order. Its memory is proportional to the limit.
private struct WindowBuffer {
  private let limit: TreeQuery.Limit?
  private var entries: [TreeQuery.Entry] = []
  /// The number of children at which those outside of the window are dropped.
  private let most: Int

  init(_ limit: TreeQuery.Limit?) {
    self.limit = limit
    let (twice, overflows) = (limit?.count ?? .max).multipliedReportingOverflow(by: 2)
    most = overflows ? .max : max(twice, 256)
  }

  mutating func append(_ entry: TreeQuery.Entry) {
    entries.append(entry)
    if entries.count >= most { entries = sorted() }
  }

  func sorted() -> [TreeQuery.Entry] {
    let sorted = entries.sorted { $0.sortKey < $1.sortKey }
    return switch limit {
    case nil: sorted
    case .first(let count)?: Array(sorted.prefix(count))
    case .last(let count)?: Array(sorted.suffix(count))
    }
  }
}

extension TreeNodes {
  /// Returns the value that orders a child.
  ///
  /// - Parameter place: the place of the child.
  func sortValue(at place: TreePlace, _ order: TreeOrder) throws -> TreeSortValue {
    let place = order.names.reduce(place) { $0.appending($1) }
    guard let segment = try segment(of: place) else { return .absent }
    let prefix = NodeKey.prefix(segment, place.last)
    let cursor = try cursor()
    guard try prefix.withUnsafeBytes({ try cursor.seek(atOrAfter: $0) }), cursor.key.hasPrefix(prefix) else {
      return .absent
    }
    // The entry of the place itself would come first.
    guard let (_, found) = NodeKey.read(cursor.key) else { throw damaged("A key of a tree is damaged.") }
    if found.count > place.last.count { return .node }
    return switch try content(of: cursor.key, cursor.value) {
    case .leaf(let value): .leaf(value)
    case .anchor: .node
    }
  }
}
