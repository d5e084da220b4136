import LMDB

/// Non-generic versions of methods. Generic code would look up type metadata for each object, which takes as
/// long as reading a text.
extension QueryRunning {
  /// Returns all objects of a query.
  func objects(of query: PreparedQuery) throws -> [ObjectBase] {
    let stream = RowStream(query)
    defer { note(stream) }
    var objects: [ObjectBase] = []
    try stream.read(in: environment) { row in
      objects.append(try object(row))
      return true
    }
    try prefetcher?.prefetch(objects)
    return objects
  }

  /// Returns a page of the first or last objects. The query's limit is one more than the size of the page.
  func page(
    of query: PreparedQuery,
    size: Int,
    isLast: Bool,
    _ fingerprint: UInt64
  ) throws -> ObjectPage {
    query.access.isReadOnce = true
    let stream = RowStream(query)
    defer { note(stream) }
    var page = ObjectPage(of: size, PageEnds(fingerprint, hasPlaces: query.hasPlaces))
    try stream.read(in: environment) { row in
      if isLast, !page.hasMore, stream.found > size {
        page.hasMore = true
        return true
      }
      return try page.append(row, query.order, in: self)
    }
    try page.finish(query.order, in: self)
    if !isLast { query.keepWalk() }
    return page
  }

  /// Returns the objects after a cursor by continuing the walk of an earlier page of the same query.
  ///
  /// - Returns: `nil` if the walk cannot begin at the cursor.
  func page(
    along walk: PageWalk,
    _ search: PlanSearch,
    size: Int,
    after cursor: QueryCursor?,
    _ fingerprint: UInt64
  ) throws -> ObjectPage? {
    guard let records = table.records, let ranges = try walk.ranges(after: cursor, search) else { return nil }
    var visited = 0
    defer { note(visited: visited) }
    var page = ObjectPage(of: size, PageEnds(fingerprint, hasPlaces: false))
    _ = try walk.access.forEachRowAtOnce(of: records, along: ranges, in: environment, after: nil) { row in
      visited &+= 1
      return try page.append(row, walk.order, in: self)
    }
    try page.finish(walk.order, in: self)
    return page
  }
}

extension [ObjectBase] {
  /// Returns the same array, typed as objects of a class.
  package func cast<Class: ObjectBase>(to type: Class.Type) -> [Class] {
    // SAFETY: an array of references is one reference to its storage, whatever the class. A store creates
    // objects of exactly the requested class.
    unsafeBitCast(self, to: [Class].self)
  }
}
