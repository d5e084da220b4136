import LMDB

extension PlanSearch {
  /// Returns the approximate number of entries in the ranges of a tree that the conditions allow.
  func estimate(_ match: TreeMatch) throws -> Int {
    if match.isWhole, match.tree.isRecords { return match.ranges.count }
    if match.isWhole, case .index(let index) = match.tree.kind, index.entry.isUnique {
      // A unique index may have many entries with nil.
      let isNull = match.tree.columns.contains { $0.type.isOptional }
      if !isNull { return match.ranges.count }
    }
    return try estimate(match.ranges, of: match.tree.database)
  }

  /// Returns the approximate number of entries between the description's bounds.
  ///
  /// - Parameters:
  ///   - entries: the number without bounds.
  ///   - order: the order in which the tree is walked, or `nil` if it is not the order of the description.
  func bounded(_ entries: Int, _ match: TreeMatch, _ order: WalkOrder?) throws -> Int {
    guard let order, description.start != nil || description.end != nil,
      let bounds = try bounds(ranges(match, order), match, order)
    else { return entries }
    var left = try estimate(bounds.ranges, of: match.tree.database)
    // The ranges contain all entries of the groups in which the bounds are.
    for bound in bounds.groups {
      let group = ByteRange(prefix: bound.group)
      let rest = try group.intersection(bound.rest).map { try estimate($0, of: match.tree.database) } ?? 0
      left -= max(0, try estimate(group, of: match.tree.database) - rest)
    }
    return min(entries, max(0, left))
  }

  private func estimate(_ ranges: [ByteRange], of database: Database) throws -> Int {
    // If there are many ranges, the estimate is based on a sample.
    let sample = 16
    let stride = max(ranges.count / sample, 1)
    var count = 0
    var looked = 0
    for index in Swift.stride(from: 0, to: ranges.count, by: stride) {
      count += try estimate(ranges[index], of: database)
      looked += 1
    }
    if looked < ranges.count { count = count * ranges.count / max(looked, 1) }
    return count
  }

  private func estimate(_ range: ByteRange, of database: Database) throws -> Int {
    let transaction = try transaction
    guard transaction is LMDB.WritableTransaction else {
      return try range.withBounds { try transaction.estimatedCount(database, from: $0, to: $1) }
    }
    // In a write transaction pages cannot be used for an estimate, so the first entries are counted.
    let most = 256
    var count = 0
    try range.forEachRun(of: database, in: transaction) { run in
      count += run.count
      return count < most
    }
    return count < most ? count : max(count, try transaction.statedCount(database) / 3)
  }
}
