import LMDB

extension PlanSearch {
  /// The number of entries in what conditions leave of a tree, about.
  func estimate(_ match: TreeMatch) throws -> Int {
    if match.isWhole, match.tree.isRecords { return match.ranges.count }
    if match.isWhole, case .index(let index) = match.tree.kind, index.entry.isUnique {
      // Nil is no value: there may be many of it.
      let isNull = match.tree.columns.contains { $0.type.isOptional }
      if !isNull { return match.ranges.count }
    }
    // Of many ranges some stand for all of them.
    let sample = 16
    let stride = max(match.ranges.count / sample, 1)
    var count = 0
    var looked = 0
    for index in Swift.stride(from: 0, to: match.ranges.count, by: stride) {
      count += try estimate(match.ranges[index], of: match.tree.database)
      looked += 1
    }
    if looked < match.ranges.count { count = count * match.ranges.count / max(looked, 1) }
    return count
  }

  private func estimate(_ range: ByteRange, of database: Database) throws -> Int {
    let transaction = try transaction
    guard transaction is LMDB.WriteTransaction else {
      return try range.withBounds { try transaction.estimatedCount(database, from: $0, to: $1) }
    }
    // In a write pages tell nothing, so that the first entries have to.
    let most = 256
    var count = 0
    try range.forEachRun(of: database, in: transaction) { run in
      count += run.count
      return count < most
    }
    return count < most ? count : max(count, try transaction.count(database) / 3)
  }
}
