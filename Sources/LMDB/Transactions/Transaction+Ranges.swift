#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Transaction {
  /// Calls `body` with the entries of a range of keys, one page at a time, until it returns `false`.
  ///
  /// Keys are not compared during the iteration, because the end of the range is looked up once. Nothing may
  /// be changed in the transaction in the meantime.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - start: The smallest key, which need not exist; `nil` for the first entry.
  ///   - end: The key before which the range ends; `nil` for no end.
  ///   - reversed: Whether the last page comes first. The entries of a run are always in the order of their
  ///     keys.
  ///   - limit: The maximum number of entries in a run, at least one. By default, a run contains all entries
  ///     of a page.
  ///   - body: Receives the entries of one page that are in the range.
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

  /// Returns an estimate of the number of entries in a range of keys, from the pages above the entries.
  ///
  /// The estimate takes as long as looking up both keys. If both are in one page or in two adjacent pages,
  /// the number is exact, even if it is 0. Otherwise it is approximately right if the entries have similar
  /// sizes. In a write, the entries are counted.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - start: The smallest key; `nil` for the first entry.
  ///   - end: The key before which the range ends; `nil` for no end.
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

  /// Returns the number of entries in a range of keys. Reads only the head of each page.
  ///
  /// In a write, the entries are counted one by one.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - start: The smallest key; `nil` for the first entry.
  ///   - end: The key before which the range ends; `nil` for no end.
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

  /// Whether a key sorts before another one in the order of a database.
  static func precedes(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
    guard let wanted = SearchKey(second), let start = first.baseAddress else { return false }
    let common = min(first.count, second.count)
    let order = memcmp(start, wanted.start, common)
    return order != 0 ? order < 0 : first.count < second.count
  }
}
