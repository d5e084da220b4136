/// Iterates over the entries between two keys, one page at a time, in either direction.
@usableFromInline package struct RangeCursor {
  private let cursor: Cursor
  private let start: UnsafeRawBufferPointer?
  private let end: UnsafeRawBufferPointer?
  private let limit: Int
  /// The leaf and index of the beginning and the end of the range; `nil` with LMDB's cursor.
  private var first: (page: UnsafeRawPointer, index: Int)?
  private var last: (page: UnsafeRawPointer, index: Int)?
  private var isBegun = false
  private var isDone = false

  /// Creates a cursor for a range.
  ///
  /// The keys must stay valid until the last call.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - database: The database.
  ///   - start: The smallest key, which need not exist; `nil` for the first entry.
  ///   - end: The key before which the range ends; `nil` for no end.
  ///   - limit: The maximum number of entries in a run; at least one.
  @usableFromInline package init(
    _ transaction: Transaction,
    _ database: Database,
    from start: UnsafeRawBufferPointer?,
    to end: UnsafeRawBufferPointer?,
    atMost limit: Int = .max
  ) throws(LMDBError) {
    self.limit = limit
    cursor = try transaction.cursor(database)
    self.start = start.flatMap { $0.isEmpty ? nil : $0 }
    self.end = end
    if let end, end.isEmpty { isDone = true }
  }

  /// Returns the next entries of the range from one page, or `nil` at the end.
  @usableFromInline package mutating func next() throws(LMDBError) -> LeafRun? {
    if isDone { return nil }
    let goesOn = isBegun
    guard try goesOn ? cursor.next() : begin() else { return finish() }
    // One page may be enough. From the second page on, more pages are likely to be read.
    if goesOn, limit == .max { cursor.prefetchLeaf(beside: 1) }
    guard let end else { return try cursor.run(atMost: limit) }
    guard let leaf = cursor.leaf else {
      return Transaction.precedes(cursor.key, end) ? try cursor.run(atMost: limit) : finish()
    }
    guard let last else { return try cursor.run(atMost: limit) }
    guard leaf.start == last.page, last.index &- cursor.index <= limit else {
      return try cursor.run(atMost: limit)
    }
    isDone = true
    return try cursor.run(to: last.index)
  }

  /// Returns the previous entries of the range from one page, starting at the end of the range, or `nil` at
  /// the beginning.
  @usableFromInline package mutating func previous() throws(LMDBError) -> LeafRun? {
    if isDone { return nil }
    let goesOn = isBegun
    guard try goesOn ? cursor.previous() : beginAtEnd() else { return finish() }
    if goesOn, limit == .max { cursor.prefetchLeaf(beside: -1) }
    guard let start else { return try cursor.runBackward(atMost: limit) }
    guard let leaf = cursor.leaf else {
      return Transaction.precedes(cursor.key, start) ? finish() : try cursor.runBackward(atMost: limit)
    }
    guard let first, leaf.start == first.page, cursor.index &- first.index < limit else {
      return try cursor.runBackward(atMost: limit)
    }
    isDone = true
    return try cursor.runBackward(from: first.index)
  }

  private mutating func finish() -> LeafRun? {
    isDone = true
    return nil
  }

  /// Moves to the first entry. Returns `false` if the range is empty.
  private mutating func begin() throws(LMDBError) -> Bool {
    isBegun = true
    if let end, cursor.handle == nil {
      // The range ends before this entry, or with the last entry if there is no such entry. Its value may be
      // damaged.
      if try cursor.seekKey(atOrAfter: end), let leaf = cursor.leaf {
        last = (leaf.start, cursor.index)
      }
    }
    guard let start else { return try cursor.first() }
    guard try cursor.seek(atOrAfter: start) else { return false }
    if let end, last != nil { return Transaction.precedes(cursor.key, end) }
    return true
  }

  /// Moves to the last entry. Returns `false` if the range is empty.
  private mutating func beginAtEnd() throws(LMDBError) -> Bool {
    isBegun = true
    if let start, cursor.handle == nil {
      // The range begins with this entry. If there is no such entry, the range is empty.
      guard try cursor.seek(atOrAfter: start), let leaf = cursor.leaf else { return false }
      first = (leaf.start, cursor.index)
    }
    let found: Bool
    if let end { found = try cursor.seek(before: end) } else { found = try cursor.last() }
    guard found, let start, first != nil else { return found }
    return !Transaction.precedes(cursor.key, start)
  }
}
