import LMDB

/// The ranges of a tree that the conditions allow.
struct TreeMatch {
  let tree: PlannedTree
  /// The ranges in the order of the tree. They cover the whole tree if no condition refers to its first
  /// column.
  var ranges: [ByteRange]
  var filters: [TreeRanges.Filter] = []
  /// The number of leading columns that have exactly one value.
  var fixedColumns = 0
  /// Whether every column is restricted to single values.
  var isWhole = false
  var used: UInt64 = 0
  var answered: UInt64 = 0
  /// The approximate number of entries.
  var estimate = 0

  /// Whether the conditions restrict the tree.
  var isRestricted: Bool { ranges != [.all] }
  /// Whether the entries come in the order of the objects' keys.
  var isInKeyOrder: Bool { tree.isRecords || (ranges.count == 1 && isWhole) || ranges.isEmpty }
  var source: TreeRanges { TreeRanges(tree: tree, ranges: ranges, filters: filters) }
}

extension PlanSearch {
  /// The maximum number of ranges that lists of values may produce.
  private static let mostRanges = 512

  func match(_ tree: PlannedTree) throws -> TreeMatch {
    var match = TreeMatch(tree: tree, ranges: [.all])
    var prefixes: [[UInt8]] = [[]]
    var bound = 0
    var isCut = false
    for (place, column) in tree.columns.enumerated() {
      let left = columnSet(column, isFolded: tree.isFolded)
      guard let set = left.set, prefixes.count * set.parts.count <= Self.mostRanges else { break }
      match.used |= left.used
      match.answered |= left.answered
      bound = place + 1
      if set.parts.isEmpty {
        match.ranges = []
        return match
      }
      if set.isPoints {
        if match.fixedColumns == place, set.parts.count == 1, set.isExact { match.fixedColumns += 1 }
        prefixes = prefixes.flatMap { prefix in set.parts.map { prefix + $0.range.lower } }
        match.isWhole = bound == tree.columns.count
        continue
      }
      match.ranges = prefixes.flatMap { prefix in
        set.parts.map { part in
          ByteRange(
            lower: prefix + part.range.lower,
            upper: part.range.upper.map { prefix + $0 } ?? keySuccessor(ofPrefix: prefix)
          )
        }
      }
      prefixes = []
      break
    }
    if bound == 0 { return match }
    if !prefixes.isEmpty { match.ranges = prefixes.map { ByteRange(prefix: $0) } }
    if !tree.isRecords, !tree.isBacklinks { isCut = Self.cut(&match.ranges) }
    if isCut {
      match.answered = 0
      match.fixedColumns = 0
      match.isWhole = false
    } else {
      addFilters(to: &match, from: bound)
    }
    match.estimate = try estimate(match)
    return match
  }

  /// Adds filters for columns that the ranges do not cover. Filters are checked on the entries.
  private func addFilters(to match: inout TreeMatch, from first: Int) {
    let tree = match.tree
    guard !tree.isRecords, first < tree.columns.count else { return }
    for place in first..<tree.columns.count {
      let left = columnSet(tree.columns[place], isFolded: tree.isFolded)
      guard let set = left.set, set.parts.count <= 64 else { continue }
      match.filters.append(TreeRanges.Filter(column: place, parts: set.parts.map(\.range)))
      match.used |= left.used
      // A shortened entry does not contain the whole value.
      if !tree.mayBeCut { match.answered |= left.answered }
    }
  }

  /// Shortens bounds to the length at which entries are shortened. Returns whether any bound was too long.
  private static func cut(_ ranges: inout [ByteRange]) -> Bool {
    let limit = ElementBounds.limit
    guard ranges.contains(where: { $0.lower.count > limit || ($0.upper?.count ?? 0) > limit }) else {
      return false
    }
    let parts = ranges.map { range in
      var range = range
      if range.lower.count > limit { range.lower = Array(range.lower[..<limit]) }
      if let upper = range.upper, upper.count > limit {
        range.upper = keySuccessor(ofPrefix: Array(upper[..<limit]))
      }
      return ElementSet.Part(range: range, isPoint: false)
    }
    ranges = ElementSet.union([ElementSet(parts: parts, isExact: false)]).parts.map(\.range)
    return true
  }

  /// Returns the keys of the objects that conditions on the objects themselves allow.
  func matchOfObjects() -> TreeMatch? {
    var match = TreeMatch(tree: PlannedTree(keysOf: table, records: records), ranges: [.all])
    for (index, conjunct) in conjuncts.enumerated() where conjunct.subject == .object {
      guard let keys = Self.keys(conjunct.condition) else { continue }
      let ranges = Set(keys).sorted().map {
        ByteRange(lower: $0.bytes, upper: ByteRange.successor(of: $0.bytes))
      }
      match.ranges = ranges
      match.used = 1 << UInt64(index)
      match.answered = match.used
      match.isWhole = true
      match.estimate = ranges.count
      return match
    }
    return nil
  }

  private static func keys(_ condition: QueryCondition) -> [ObjectKey]? {
    var values: [QueryValue]
    switch condition {
    case .comparison(.path, .equal, .value(let value), _), .comparison(.value(let value), .equal, .path, _):
      values = [value]
    case .oneOf(_, let list, _): values = list
    default: return nil
    }
    var keys: [ObjectKey] = []
    for value in values {
      guard case .object(_, let key) = value else { return nil }
      // LMDB allows neither longer keys nor empty ones.
      if let key, ObjectKey.lengths.contains(key.bytes.count) { keys.append(key) }
    }
    return keys
  }
}
