/// A page of the objects of ``Results``, and the cursors for the pages before and after it.
public struct QueryPage<Element: Object> {
  /// The objects, in the order of the results.
  public let objects: [Element]
  /// A Boolean value that indicates whether there are more objects in the direction in which the page was
  /// read.
  public let hasMore: Bool
  private let ends: PageEnds

  fileprivate init(objects: [Element], ends: PageEnds, hasMore: Bool) {
    self.objects = objects
    self.ends = ends
    self.hasMore = hasMore
  }

  /// The position of the first object, for reading the previous page; `nil` on an empty page.
  public var start: QueryCursor? { ends.start }

  /// The position of the last object, for reading the next page; `nil` on an empty page.
  public var end: QueryCursor? { ends.end }
}

extension Results {
  /// Returns a page: the first objects after a cursor.
  ///
  /// ```swift
  /// var cursor: QueryCursor?
  /// repeat {
  ///   let page = try results.page(50, after: cursor)
  ///   show(page.objects)
  ///   cursor = page.hasMore ? page.end : nil
  /// } while cursor != nil
  /// ```
  /// Together, all pages contain each object once, even if values are equal and objects are deleted or added
  /// in the meantime. With an index of the properties of the order, every page costs the same.
  ///
  /// - Parameters:
  ///   - size: the number of objects, at least one. It replaces a limit of the results.
  ///   - cursor: the position after which the page begins; `nil` for the first page.
  /// - Throws: ``FiefError`` of code `invalidCursor` for a cursor of another query; also for a closed store,
  ///   a damaged record, or a query that cannot be answered.
  public func page(_ size: Int, after cursor: QueryCursor? = nil) throws -> QueryPage<Element> {
    // Leaves room for one more object, which shows whether there are more.
    let size = Swift.min(Swift.max(1, size), .max - 1)
    if let found = try nextPage(size, after: cursor) {
      return QueryPage(
        objects: found.objects.cast(to: Element.self),
        ends: found.ends,
        hasMore: found.hasMore
      )
    }
    let results = bound(by: cursor) { description, bound in
      if let bound {
        description.start = bound
        // The objects after a cursor are already past the offset.
        description.offset = 0
      }
      description.limit = .first(size + 1)
    }
    return try results.page(of: size, isLast: false)
  }

  /// Returns a page: the last objects before a cursor.
  ///
  /// ```swift
  /// let previous = try results.page(50, before: page.start)
  /// ```
  /// - Parameters:
  ///   - size: the number of objects, at least one. It replaces a limit of the results.
  ///   - cursor: the position before which the page ends; `nil` for the last page.
  /// - Throws: as ``page(_:after:)``.
  public func page(_ size: Int, before cursor: QueryCursor?) throws -> QueryPage<Element> {
    let size = Swift.min(Swift.max(1, size), .max - 1)
    let results = bound(by: cursor) { description, bound in
      if let bound { description.end = bound }
      description.limit = .last(size + 1)
    }
    return try results.page(of: size, isLast: true)
  }

  /// Returns the page after a cursor by reusing the plan of the previous page, or `nil` if the query must be
  /// planned or may be invalid.
  private func nextPage(_ size: Int, after cursor: QueryCursor?) throws -> ObjectPage? {
    guard failure == nil, boundTo == nil, section == nil, prefetches.isEmpty, description.hasOnlyShape,
      let store = context.store, context.readingScope == nil
    else { return nil }
    return try store.nextPage(of: elementType, description.shape, size: size, after: cursor, context)
  }

  /// Returns a page without the additional object that shows whether there are more.
  private func page(of size: Int, isLast: Bool) throws -> QueryPage<Element> {
    try withQuery { query, running in
      // Cursors were already checked to belong to this query.
      let fingerprint = boundTo ?? fingerprint(in: running.store)
      let found = try running.page(of: query, size: size, isLast: isLast, fingerprint)
      let objects = found.objects.cast(to: Element.self)
      try running.prefetcher?.prefetch(objects)
      return QueryPage(objects: objects, ends: found.ends, hasMore: found.hasMore)
    }
  }
}

extension QueryPage: ThreadBound {}
