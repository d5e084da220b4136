/// Some of the objects of ``Results``, and how to go on from them.
public struct QueryPage<Element: Object> {
  /// The objects, in the order of the results.
  public let objects: [Element]
  /// The place of the first object, to read the page before from; nil on an empty page.
  public let start: QueryCursor?
  /// The place of the last object, to read the next page from; nil on an empty page.
  public let end: QueryCursor?
  /// Whether there are more objects in the direction that the page was read in.
  public let hasMore: Bool
}

extension Results {
  /// A page: the first objects behind a place.
  ///
  /// ```swift
  /// var cursor: QueryCursor?
  /// repeat {
  ///   let page = try results.page(50, after: cursor)
  ///   show(page.objects)
  ///   cursor = page.hasMore ? page.end : nil
  /// } while cursor != nil
  /// ```
  /// All pages together have each object once, also where values tie, and whatever is deleted or added meanwhile
  /// elsewhere. With an index of the properties of the order a page costs the same wherever it is.
  ///
  /// - Parameters:
  ///   - size: how many objects; it takes the place of a limit of the results. At least one.
  ///   - cursor: the place behind which the page begins; nil for the first page.
  /// - Throws: ``FiefError`` of code `invalidCursor` for a cursor of another query; also for a closed store, a
  ///   damaged record, or a query that cannot be answered.
  public func page(_ size: Int, after cursor: QueryCursor? = nil) throws -> QueryPage<Element> {
    let size = Swift.max(1, size)
    // What comes behind a page is behind the offset already.
    let results = cursor.map { start(after: $0).offset(0) } ?? self
    return try results.limit(size.addingReportingOverflow(1).overflow ? .max : size + 1).page(of: size, false)
  }

  /// A page: the last objects before a place.
  ///
  /// ```swift
  /// let previous = try results.page(50, before: page.start)
  /// ```
  /// - Parameters:
  ///   - size: how many objects; it takes the place of a limit of the results. At least one.
  ///   - cursor: the place before which the page ends; nil for the last page.
  /// - Throws: as ``page(_:after:)``.
  public func page(_ size: Int, before cursor: QueryCursor?) throws -> QueryPage<Element> {
    let size = Swift.max(1, size)
    let results = cursor.map { end(before: $0) } ?? self
    return try results.limit(toLast: size.addingReportingOverflow(1).overflow ? .max : size + 1).page(
      of: size,
      true
    )
  }

  /// The objects without the one that was only asked for to know whether there are more.
  private func page(of size: Int, _ isLast: Bool) throws -> QueryPage<Element> {
    try withQuery { query, running in
      let rows = RecordBatch()
      var count = 0
      let stream = RowStream(query)
      defer { running.note(visited: stream.visited) }
      try stream.read(in: running.environment) { row in
        rows.append(key: row.key, record: row.view.bytes)
        count += 1
        return true
      }
      let hasMore = count > size
      if hasMore, isLast { _ = rows.next() }
      var objects: [Element] = []
      objects.reserveCapacity(Swift.min(count, size))
      var start: QueryCursor?
      var end: QueryCursor?
      let fingerprint = count > 0 ? fingerprint(in: running.store) : 0
      while objects.count < size, let (key, record) = rows.next() {
        let row = try QueryRow(key: key, record: record, of: query.table)
        if objects.isEmpty { start = try cursor(at: row, query, running, fingerprint) }
        objects.append(try running.object(row, as: Element.self))
        if objects.count == Swift.min(count, size) { end = try cursor(at: row, query, running, fingerprint) }
      }
      try running.prefetcher?.prefetch(objects)
      return QueryPage(objects: objects, start: start, end: end, hasMore: hasMore)
    }
  }

  private func cursor(
    at row: QueryRow,
    _ query: PreparedQuery,
    _ running: QueryRunning,
    _ fingerprint: UInt64
  )
    throws -> QueryCursor
  {
    QueryCursor(
      fingerprint: fingerprint,
      values: try query.order.values(of: row, in: running.environment),
      key: ObjectKey(row.key)
    )
  }
}
