/// A page of objects of any class.
struct ObjectPage {
  private(set) var objects: [ObjectBase] = []
  let ends: PageEnds
  var hasMore = false
  private let size: Int

  init(of size: Int, _ ends: PageEnds) {
    self.size = size
    self.ends = ends
    objects.reserveCapacity(min(size, 64))
  }

  /// Adds the object of a row. If the page is full, sets `hasMore` and returns false.
  @inline(__always)
  mutating func append(_ row: QueryRow, _ order: RowOrder, in running: QueryRunning) throws -> Bool {
    if objects.count == size {
      hasMore = true
      return false
    }
    if objects.isEmpty { try ends.begin(at: row, order, in: running.environment) }
    objects.append(try running.object(row))
    if objects.count == size {
      try ends.end(at: row, order, in: running.environment)
    } else {
      ends.keep(row, in: running.environment)
    }
    return true
  }

  /// Ends a page that is not full when there are no more rows.
  func finish(_ order: RowOrder, in running: QueryRunning) throws {
    if objects.count < size { try ends.endAtKeptRow(of: running.table, order, in: running.environment) }
  }
}
