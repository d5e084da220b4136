import LMDB

/// Generic code asks for the metadata of its types at each object, which takes as long as reading a text;
/// this code is not generic.
extension QueryRunning {
  /// All objects of a query.
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

  /// The first or last objects of a query that asks for one more of them, and their ends.
  func page(
    of query: PreparedQuery,
    size: Int,
    isLast: Bool,
    _ fingerprint: UInt64
  ) throws -> FoundPage {
    query.access.isReadOnce = true
    let stream = RowStream(query)
    defer { note(stream) }
    var page = FoundPage(of: size, PageEnds(fingerprint, hasPlaces: query.hasPlaces))
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

  /// The objects behind a place along the walk of an earlier page of the same query.
  ///
  /// - Returns: nil where the walk cannot begin at the place.
  func page(
    along walk: PageWalk,
    _ search: PlanSearch,
    size: Int,
    after cursor: QueryCursor?,
    _ fingerprint: UInt64
  ) throws -> FoundPage? {
    guard let records = table.records, let ranges = try walk.ranges(after: cursor, search) else { return nil }
    var visited = 0
    defer { note(visited: visited) }
    var page = FoundPage(of: size, PageEnds(fingerprint, hasPlaces: false))
    _ = try walk.access.forEachRowAtOnce(of: records, along: ranges, in: environment, after: nil) { row in
      visited &+= 1
      return try page.append(row, walk.order, in: self)
    }
    try page.finish(walk.order, in: self)
    return page
  }
}

extension [ObjectBase] {
  /// The same array of objects of a class.
  package func cast<Class: ObjectBase>(to type: Class.Type) -> [Class] {
    // SAFETY: an array of references is one reference to its storage, whatever the class, and a store makes
    // objects of exactly the class that it is asked for.
    unsafeBitCast(self, to: [Class].self)
  }
}
