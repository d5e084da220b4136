extension Transaction {
  /// Calls `body` with the entries from one key on to another, a page at a time, until it returns false.
  ///
  /// Keys are not compared on the way: where the range ends is looked up once. Nothing may be changed in the
  /// transaction meanwhile.
  /// - Parameters:
  ///   - database: the database.
  ///   - start: the least key, whether it exists or not; nil for the first entry.
  ///   - end: the key that is not part of the range any more, nor those after it; nil for all to the end.
  ///   - reversed: whether the last page comes first. The entries of a run are in the order of keys anyway.
  ///   - body: what to do with the entries of one page that are in the range.
  public final func forEachRun(
    _ database: Database,
    from start: UnsafeRawBufferPointer? = nil,
    to end: UnsafeRawBufferPointer? = nil,
    reversed: Bool = false,
    _ body: (LeafRun) throws -> Bool
  ) throws {
    let cursor = try cursor(database)
    if reversed {
      var found = try end.map { try cursor.seek(before: $0) } ?? cursor.last()
      while found {
        if let start, Transaction.precedes(cursor.key, start) { return }
        guard let run = try cursor.runBackward(), try body(run) else { return }
        found = try cursor.previous()
      }
      return
    }
    var found = try start.map { try cursor.seek(atOrAfter: $0) } ?? cursor.first()
    while found {
      if let end, !Transaction.precedes(cursor.key, end) { return }
      guard let run = try cursor.run(), try body(run) else { return }
      found = try cursor.next()
    }
  }

  /// The number of entries from one key on to another, from the pages above the entries only.
  ///
  /// It takes as long as a look-up of both keys. Where both are in one page, or in two beside each other, the
  /// number is exact, also when it is 0; else it is about right where the entries are of about one size.
  /// In a write it may be the number of all entries.
  /// - Parameters:
  ///   - database: the database.
  ///   - start: the least key; nil for the first entry.
  ///   - end: the key that is not part of the range any more; nil for all to the end.
  public final func estimatedCount(
    _ database: Database,
    from start: UnsafeRawBufferPointer? = nil,
    to end: UnsafeRawBufferPointer? = nil
  ) throws(LMDBError) -> Int {
    try exactCount(database, from: start, to: end)
  }

  /// The number of entries from one key on to another, without looking at more than the head of each page.
  ///
  /// - Parameters:
  ///   - database: the database.
  ///   - start: the least key; nil for the first entry.
  ///   - end: the key that is not part of the range any more; nil for all to the end.
  public final func exactCount(
    _ database: Database,
    from start: UnsafeRawBufferPointer? = nil,
    to end: UnsafeRawBufferPointer? = nil
  ) throws(LMDBError) -> Int {
    if start == nil, end == nil { return try count(database) }
    let cursor = try cursor(database)
    var found: Bool
    if let start { found = try cursor.seek(atOrAfter: start) } else { found = try cursor.first() }
    var count = 0
    while found {
      if let end, !Transaction.precedes(cursor.key, end) { break }
      count += 1
      found = try cursor.next()
    }
    return count
  }

  /// Whether a key is before another one in the order of a database.
  static func precedes(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
    first.lexicographicallyPrecedes(second)
  }
}
