import LMDB

/// Ranges of one tree, with filters for the entries in them.
struct TreeRanges {
  /// A condition on a column after the columns that define the ranges. It is checked on the bytes of the
  /// entry.
  struct Filter {
    /// The index of the column in the tree's columns.
    let column: Int
    let parts: [ByteRange]
  }

  let tree: PlannedTree
  /// The ranges, in order and without overlaps.
  var ranges: [ByteRange]
  var filters: [Filter] = []

  /// Calls `body` with the object key of each entry, range by range, until `body` returns false.
  ///
  /// - Returns: false if `body` returned false, true otherwise.
  func forEachKey(
    in transaction: LMDB.Transaction,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws -> Bool {
    for range in ranges {
      var goesOn = true
      try range.forEachRun(of: tree.database, in: transaction) { run in
        for index in 0..<run.count {
          let entry = run.key(index)
          guard passes(entry),
            let key = try objectKey(of: entry, value: run.value(index), in: range, transaction)
          else {
            continue
          }
          goesOn = try body(key)
          if !goesOn { return false }
        }
        return true
      }
      if !goesOn { return false }
    }
    return true
  }

  /// Returns the number of entries. The entries are read only if there are filters.
  func count(in transaction: LMDB.Transaction) throws -> Int {
    var count = 0
    guard filters.isEmpty else {
      _ = try forEachKey(in: transaction) { _ in
        count += 1
        return true
      }
      return count
    }
    for range in ranges {
      count += try range.withBounds { try transaction.exactCount(tree.database, from: $0, to: $1) }
    }
    return count
  }

  /// Returns the object key of an entry, or `nil` if the entry is damaged.
  @inline(__always)
  func objectKey(
    of entry: UnsafeRawBufferPointer,
    value: UnsafeRawBufferPointer,
    in range: ByteRange,
    _ transaction: LMDB.Transaction
  ) throws -> UnsafeRawBufferPointer? {
    switch tree.kind {
    case .records: return entry
    case .index: return try tree.objectKey(ofEntry: entry, value: value, in: transaction)
    case .backlinks:
      // Each range of backlinks has a single target.
      if !value.isEmpty { return value }
      guard entry.count > range.lower.count else { return nil }
      return UnsafeRawBufferPointer(rebasing: entry[range.lower.count...])
    }
  }

  /// Whether an entry passes the filters as far as it contains the values. A shortened entry may pass
  /// although the whole values would not.
  @inline(__always)
  func passes(_ entry: UnsafeRawBufferPointer) -> Bool { filters.isEmpty || isPassing(entry) }

  private func isPassing(_ entry: UnsafeRawBufferPointer) -> Bool {
    var decoder = KeyDecoder(entry)
    var column = 0
    for filter in filters {
      while column < filter.column {
        do { try decoder.skip() } catch { return true }
        column += 1
      }
      let rest = decoder.remaining
      let offset = entry.count - rest.count
      if offset >= PlannedTree.wholeCount { return true }
      // An entry may have been shortened after these bytes.
      let isLong = entry.count > PlannedTree.wholeCount
      let seen = isLong ? UnsafeRawBufferPointer(rebasing: entry[offset..<PlannedTree.wholeCount]) : rest
      let passes = filter.parts.contains { part in
        (!part.isBefore(seen) || (isLong && part.lower.starts(with: seen))) && !part.isBehind(seen)
      }
      guard passes else { return false }
    }
    return true
  }
}

extension ByteRange {
  /// Calls `body` with the bounds. A missing bound is `nil`.
  func withBounds<Result>(
    _ body: (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    try lower.withUnsafeBytes { lower in
      let lower = lower.isEmpty ? nil : lower
      guard let upper else { return try body(lower, nil) }
      return try upper.withUnsafeBytes { try body(lower, $0) }
    }
  }

  /// Calls `body` with the entries of the range in key order, until `body` returns false.
  func forEachRun(
    of database: Database,
    in transaction: LMDB.Transaction,
    _ body: (LeafRun) throws -> Bool
  ) throws {
    try withBounds { try transaction.forEachRun(database, from: $0, to: $1, body) }
  }
}
