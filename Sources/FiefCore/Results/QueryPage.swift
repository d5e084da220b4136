/// Some of the objects of ``Results``, and the cursors of the pages around them.
public struct QueryPage<Element: Object> {
  /// The objects, in the order of the results.
  public let objects: [Element]
  /// Whether there are more objects in the direction that the page was read in.
  public let hasMore: Bool
  private let ends: PageEnds

  fileprivate init(objects: [Element], ends: PageEnds, hasMore: Bool) {
    self.objects = objects
    self.ends = ends
    self.hasMore = hasMore
  }

  /// The place of the first object, to read the page before from; nil on an empty page.
  public var start: QueryCursor? { ends.start }

  /// The place of the last object, to read the next page from; nil on an empty page.
  public var end: QueryCursor? { ends.end }
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
  ///   - size: the number of objects, which replaces a limit of the results. At least one.
  ///   - cursor: the place behind which the page begins; nil for the first page.
  /// - Throws: ``FiefError`` of code `invalidCursor` for a cursor of another query; also for a closed store, a
  ///   damaged record, or a query that cannot be answered.
  public func page(_ size: Int, after cursor: QueryCursor? = nil) throws -> QueryPage<Element> {
    // A caller that asks for one object more must not overflow.
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
        // Objects behind a page are behind the offset already.
        description.offset = 0
      }
      description.limit = .first(size + 1)
    }
    return try results.page(of: size, isLast: false)
  }

  /// A page: the last objects before a place.
  ///
  /// ```swift
  /// let previous = try results.page(50, before: page.start)
  /// ```
  /// - Parameters:
  ///   - size: the number of objects, which replaces a limit of the results. At least one.
  ///   - cursor: the place before which the page ends; nil for the last page.
  /// - Throws: as ``page(_:after:)``.
  public func page(_ size: Int, before cursor: QueryCursor?) throws -> QueryPage<Element> {
    let size = Swift.min(Swift.max(1, size), .max - 1)
    let results = bound(by: cursor) { description, bound in
      if let bound { description.end = bound }
      description.limit = .last(size + 1)
    }
    return try results.page(of: size, isLast: true)
  }

  /// The page behind a place as the one before it was found; nil where it has to be planned, or is refused.
  private func nextPage(_ size: Int, after cursor: QueryCursor?) throws -> FoundPage? {
    guard failure == nil, boundTo == nil, section == nil, prefetches.isEmpty, description.hasOnlyShape,
      let store = context.store, context.readingScope == nil
    else { return nil }
    return try store.nextPage(of: elementType, description.shape, size: size, after: cursor, context)
  }

  /// The objects without the one that was only asked for to know whether there are more.
  private func page(of size: Int, isLast: Bool) throws -> QueryPage<Element> {
    try withQuery { query, running in
      // Cursors that are here were found to be those of this query.
      let fingerprint = boundTo ?? fingerprint(in: running.store)
      let found = try running.page(of: query, size: size, isLast: isLast, fingerprint)
      let objects = found.objects.cast(to: Element.self)
      try running.prefetcher?.prefetch(objects)
      return QueryPage(objects: objects, ends: found.ends, hasMore: found.hasMore)
    }
  }
}

extension QueryPage: ThreadBound {}
