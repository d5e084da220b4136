#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Transaction {
  /// Calls `body` with the entries from one key on to another, a page at a time, until it returns false.
  ///
  /// Keys are not compared during the walk: the end of the range is looked up once. Nothing may be changed in
  /// the transaction meanwhile.
  /// - Parameters:
  ///   - database: the database.
  ///   - start: the least key, whether it exists or not; nil for the first entry.
  ///   - end: the key that is not part of the range any more, nor those after it; nil for all to the end.
  ///   - reversed: whether the last page comes first. The entries of a run are in the order of keys anyway.
  ///   - limit: the most entries of a run, which are all of a page else; at least one.
  ///   - body: the closure for the entries of one page that are in the range.
  @inlinable
  package final func forEachRun(
    _ database: Database,
    from start: UnsafeRawBufferPointer? = nil,
    to end: UnsafeRawBufferPointer? = nil,
    reversed: Bool = false,
    atMost limit: Int = .max,
    _ body: (LeafRun) throws -> Bool
  ) throws {
    var range = try RangeCursor(self, database, from: start, to: end, atMost: limit)
    while let run = try reversed ? range.previous() : range.next() {
      guard try body(run) else { return }
    }
  }

  /// The number of entries from one key on to another, from the pages above the entries only.
  ///
  /// The estimate takes as long as a lookup of both keys. Where both are in one page, or in two beside each
  /// other, the number is exact, also when it is 0; else it is about right where the entries are of about one
  /// size. In a write the entries are counted.
  /// - Parameters:
  ///   - database: the database.
  ///   - start: the least key; nil for the first entry.
  ///   - end: the key that is not part of the range any more; nil for all to the end.
  @usableFromInline package final func estimatedCount(
    _ database: Database,
    from start: UnsafeRawBufferPointer? = nil,
    to end: UnsafeRawBufferPointer? = nil
  ) throws(LMDBError) -> Int {
    if start == nil, end == nil { return try statedCount(database) }
    guard let bounds = try RangeBounds(self, database, from: start, to: end) else {
      return try countOneByOne(database, from: start, to: end)
    }
    return bounds.estimate()
  }

  /// The number of entries from one key on to another, without looking at more than the head of each page.
  ///
  /// In a write the entries are counted one by one.
  /// - Parameters:
  ///   - database: the database.
  ///   - start: the least key; nil for the first entry.
  ///   - end: the key that is not part of the range any more; nil for all to the end.
  @usableFromInline package final func exactCount(
    _ database: Database,
    from start: UnsafeRawBufferPointer? = nil,
    to end: UnsafeRawBufferPointer? = nil
  ) throws(LMDBError) -> Int {
    if start == nil, end == nil { return try count(database) }
    guard let bounds = try RangeBounds(self, database, from: start, to: end) else {
      return try countOneByOne(database, from: start, to: end)
    }
    return try bounds.count()
  }

  private final func countOneByOne(
    _ database: Database,
    from start: UnsafeRawBufferPointer?,
    to end: UnsafeRawBufferPointer?
  ) throws(LMDBError) -> Int {
    var range = try RangeCursor(self, database, from: start, to: end)
    var count = 0
    while let run = try range.next() { count += run.count }
    return count
  }

  /// Whether a key is before another one in the order of a database.
  static func precedes(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
    guard let wanted = SearchKey(second), let start = first.baseAddress else { return false }
    let common = min(first.count, second.count)
    let order = memcmp(start, wanted.start, common)
    return order != 0 ? order < 0 : first.count < second.count
  }
}
