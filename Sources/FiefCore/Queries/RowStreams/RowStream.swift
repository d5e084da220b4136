import LMDB

/// The rows of a query, read one by one in one or several transactions. Between two reads the stream keeps no
/// transaction open. The next read resumes at the row at which the previous read stopped.
///
/// If rows must be sorted, they are sorted at the first read, and the stream keeps their keys. For other
/// rows, ``keepRest(in:)`` finds the remaining keys. Rows that were deleted before a later read are skipped.
package final class RowStream {
  let query: PreparedQuery
  private(set) var isAtEnd = false
  /// The number of rows read so far. It is only incremented, so accesses cannot overlap.
  @exclusivity(unchecked) package private(set) var visited = 0
  /// The number of rows, if it is known before the first row is delivered.
  private(set) var found = 0
  /// The time taken by the reads, in nanoseconds, if it is measured.
  var nanoseconds = 0
  /// Whether the time was reported as too long.
  var isReported = false
  private var position: QueryPosition?
  private var sorted: SortedRows?
  private var keys: KeyQueue?
  private var seen: Set<[UInt8]> = []
  private var scratch = ValueWriter()
  private var skipped = 0
  private var delivered = 0
  private var sortedAt: UInt64 = 0
  private let limit: Int
  private var counted = (visited: 0, skipped: 0)

  package init(_ query: PreparedQuery) {
    self.query = query
    limit = if case .first(let count)? = query.description.limit { count } else { .max }
    isAtEnd = query.description.limit == .first(0) || query.description.limit == .last(0)
  }

  /// Whether the keys of all remaining rows are known.
  var knowsRest: Bool { isAtEnd || sorted != nil || keys != nil }

  /// Returns how many rows were read and how many of them the offset skipped, since the last call.
  func takeCounts() -> (visited: Int, skipped: Int) {
    defer { counted = (visited, skipped) }
    return (visited - counted.visited, skipped - counted.skipped)
  }

  /// Calls `body` with each remaining row until `body` returns false.
  @inline(__always)
  package func read(in environment: QueryEnvironment, _ body: (QueryRow) throws -> Bool) throws {
    if isAtEnd { return }
    guard query.isStreamed, query.isPlain, keys == nil else {
      return try readOtherwise(in: environment, body)
    }
    // This code is inline because it runs for each row of a scan.
    position = try query.access.forEachRow(in: environment, after: position) { row in
      visited &+= 1
      return try body(row)
    }
    isAtEnd = position == nil
  }

  @inline(never)
  private func readOtherwise(in environment: QueryEnvironment, _ body: (QueryRow) throws -> Bool) throws {
    if query.isStreamed, keys == nil { return try stream(in: environment, body) }
    if sorted == nil, keys == nil { try find(in: environment) }
    try lookUp(in: environment, body)
  }

  /// Finds the keys of the remaining rows, so that later reads return these rows even if other objects
  /// change.
  func keepRest(in environment: QueryEnvironment) throws {
    if knowsRest || !query.isStreamed { return }
    let most = limit - delivered
    var rest = KeyQueue()
    _ = try query.access.forEachRow(in: environment, after: position) { row in
      visited &+= 1
      switch try stage(row, in: environment) {
      case .out: return true
      case .end: return false
      case .wanted:
        environment.withIdentity(of: row, hasPlaces: query.hasPlaces) { rest.append($0) }
        return rest.count < most
      }
    }
    sortedAt = environment.transaction.id
    keys = rest
    position = nil
  }

  private func stream(in environment: QueryEnvironment, _ body: (QueryRow) throws -> Bool) throws {
    position = try query.access.forEachRow(in: environment, after: position) { row in
      visited &+= 1
      switch try stage(row, in: environment) {
      case .out: return true
      case .end:
        isAtEnd = true
        return false
      case .wanted: break
      }
      delivered += 1
      let wantsMore = try body(row)
      if delivered >= limit { isAtEnd = true }
      return wantsMore && !isAtEnd
    }
    if position == nil { isAtEnd = true }
  }

  private enum Stage { case wanted, out, end }

  /// Applies the steps that follow the order: distinct, bounds and offset.
  @inline(__always)
  private func stage(_ row: QueryRow, in environment: QueryEnvironment) throws -> Stage {
    if let distinct = query.distinct {
      scratch.removeAll()
      try distinct.append(row, in: environment, to: &scratch)
      if !seen.insert(scratch.bytes).inserted { return .out }
    }
    if let bounds = query.bounds {
      scratch.removeAll()
      try query.order.append(row, in: environment, to: &scratch)
      let result: Stage = scratch.withBytes { sortKey in
        environment.withIdentity(of: row, hasPlaces: query.hasPlaces) {
          if bounds.contain(sortKey, $0) { return .wanted }
          return bounds.isBehind(sortKey, $0) ? .end : .out
        }
      }
      if result != .wanted { return result }
    }
    if skipped < query.description.offset {
      skipped += 1
      return .out
    }
    return .wanted
  }

  // MARK: Sorting

  /// Finds the keys of all rows, in their order.
  private func find(in environment: QueryEnvironment) throws {
    sortedAt = environment.transaction.id
    if query.access.isReversed, query.distinct == nil {
      try findLast(in: environment)
    } else if query.access.isOrdered {
      try findLastOfOrdered(in: environment)
    } else {
      try sort(in: environment)
    }
    found = keys?.count ?? 0
  }

  /// Finds the last rows with an access path that starts at the last row.
  private func findLast(in environment: QueryEnvironment) throws {
    guard case .last(let count)? = query.description.limit else { return }
    var found: [ObjectKey] = []
    var total = 0
    let offset = query.description.offset
    _ = try query.access.forEachRow(in: environment) { row in
      visited &+= 1
      if let bounds = query.bounds, try !isContained(row, bounds, in: environment) { return true }
      if found.count < count { found.append(query.identity(of: row, in: environment)) }
      total += 1
      // The total number of rows matters only if the offset may skip some of the last rows.
      return total < count || (offset > 0 && total - count < offset)
    }
    found.removeLast(min(found.count, max(0, found.count - max(0, total - offset))))
    skipped = min(offset, total)
    found.reverse()
    keys = KeyQueue(found)
  }

  private func isContained(_ row: QueryRow, _ bounds: RowBounds, in environment: QueryEnvironment) throws
    -> Bool
  {
    scratch.removeAll()
    try query.order.append(row, in: environment, to: &scratch)
    return scratch.withBytes { sortKey in
      environment.withIdentity(of: row, hasPlaces: query.hasPlaces) { bounds.contain(sortKey, $0) }
    }
  }

  /// Finds the last rows with an access path that starts at the first row.
  private func findLastOfOrdered(in environment: QueryEnvironment) throws {
    guard case .last(let count)? = query.description.limit else { return }
    var last = LastKeys(count)
    _ = try query.access.forEachRow(in: environment) { row in
      visited &+= 1
      switch try stage(row, in: environment) {
      case .out: return true
      case .end: return false
      case .wanted:
        last.append(query.identity(of: row, in: environment))
        return true
      }
    }
    keys = KeyQueue(last.inOrder)
  }

  private func sort(in environment: QueryEnvironment) throws {
    let description = query.description
    var keep: Int?
    var isReversed = false
    if query.distinct == nil {
      switch description.limit {
      case .first(let count)?: keep = count.addingReportingOverflow(description.offset).partialValue
      case .last(let count)?:
        keep = count
        isReversed = true
      case nil: break
      }
      if let count = keep, count < 0 { keep = nil }
    }
    let sorter = RowSorter(
      query.order,
      extra: query.distinct,
      keep: keep,
      isReversed: isReversed,
      memory: query.memory,
      hasPlaces: query.hasPlaces,
      sealing: environment.transaction.sealing
    )
    let bounds = query.distinct == nil ? query.bounds : nil
    let isDone = try query.access.forEachBlock(in: environment) { block in
      visited &+= block.count
      try sorter.add(block, in: environment, if: bounds)
      return true
    }
    if !isDone {
      _ = try query.access.forEachRow(in: environment) { row in
        visited &+= 1
        try sorter.add(row, in: environment, if: bounds)
        return true
      }
    }
    let rows = try sorter.finish()
    guard query.isLast else {
      sorted = rows
      return
    }
    keys = KeyQueue(try lastKeys(of: rows, isReversed: isReversed, total: sorter.total))
  }

  /// Returns the keys of the last sorted rows. Reversed rows start with the last row.
  private func lastKeys(of rows: SortedRows, isReversed: Bool, total: Int) throws -> [ObjectKey] {
    guard case .last(let count)? = query.description.limit else { return [] }
    if isReversed {
      var keys: [ObjectKey] = []
      skipped = min(query.description.offset, total)
      let most = min(count, total - skipped)
      while keys.count < most, let key = try rows.next({ ObjectKey($0.key) }) { keys.append(key) }
      return keys.reversed()
    }
    var last = LastKeys(count)
    while let key = try nextWanted(of: rows, { ObjectKey($0.key) }) { last.append(key) }
    return last.inOrder
  }

  /// Returns the next sorted row that is distinct, between the bounds and beyond the offset.
  private func nextWanted<Value>(of rows: SortedRows, _ body: (SortedRow) throws -> Value) throws -> Value? {
    while true {
      let found: (stage: Stage, value: Value?)? = try rows.next { row in
        if query.distinct != nil {
          if !seen.insert([UInt8](row.extra)).inserted { return (.out, nil) }
          if let bounds = query.bounds, !bounds.contain(row.sortKey, row.key) {
            return (bounds.isBehind(row.sortKey, row.key) ? .end : .out, nil)
          }
        }
        if skipped < query.description.offset {
          skipped += 1
          return (.out, nil)
        }
        return (.wanted, try body(row))
      }
      guard let found, found.stage != .end else { return nil }
      if let value = found.value { return value }
    }
  }

  /// Delivers the rows whose keys were found.
  private func lookUp(in environment: QueryEnvironment, _ body: (QueryRow) throws -> Bool) throws {
    let records = query.table.records
    if records == nil, query.members == nil {
      isAtEnd = true
      return
    }
    // Rows that were found in the same snapshot are still in the collection. A write transaction has no fixed
    // snapshot.
    let isSame = environment.isStable && environment.transaction.id == sortedAt
    while delivered < limit {
      let wantsMore: Bool?
      if let sorted {
        wantsMore = try nextWanted(of: sorted) { row in
          delivered += 1
          return try deliver(row.key, records, isSame, in: environment, body)
        }
      } else {
        wantsMore = try keys?.next { try deliver($0, records, isSame, in: environment, body) }
      }
      guard let wantsMore else { break }
      if !wantsMore {
        isAtEnd = delivered >= limit
        return
      }
    }
    isAtEnd = true
  }

  private func deliver(
    _ identity: UnsafeRawBufferPointer,
    _ records: Database?,
    _ isSame: Bool,
    in environment: QueryEnvironment,
    _ body: (QueryRow) throws -> Bool
  ) throws -> Bool {
    try environment.withKey(of: identity, hasPlaces: query.hasPlaces) { key in
      // For an embedded object, the key is its record.
      guard let records else { return try body(try QueryRow(key: key, record: key, of: query.table)) }
      guard let record = try environment.transaction.get(records, key),
        let row = try environment.foundRow(of: query.table, key: key, record: record, if: nil)
      else { return true }
      if !isSame, let members = query.members, try !members.contains(key, in: environment) { return true }
      return try body(row)
    }
  }
}
