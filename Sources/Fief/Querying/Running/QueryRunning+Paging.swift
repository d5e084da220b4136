import LMDB

/// A page of objects of any class.
struct FoundPage {
  var objects: [ObjectBase] = []
  let ends: PageEnds
  var hasMore = false
}

/// What is generic asks for the metadata of its types at each object, which takes as long as a text: not this.
extension QueryRunning {
  /// All objects of a query.
  func objects(of query: PreparedQuery) throws -> [ObjectBase] {
    let stream = RowStream(query)
    defer { note(visited: stream.visited) }
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
    defer { note(visited: stream.visited) }
    let hasPlaces = query.hasPlaces
    let ends = PageEnds(fingerprint, hasPlaces: hasPlaces)
    var page = FoundPage(ends: ends)
    page.objects.reserveCapacity(min(size, 64))
    try stream.read(in: environment) { row in
      if page.objects.count == size {
        page.hasMore = true
        return false
      }
      if isLast, !page.hasMore, stream.found > size {
        page.hasMore = true
        return true
      }
      if page.objects.isEmpty { try ends.begin(at: row, of: query, in: environment) }
      page.objects.append(try object(row))
      if page.objects.count == size {
        try ends.end(at: row, of: query, in: environment)
      } else if hasPlaces {
        ends.keepPlace(of: row, in: environment)
      } else {
        ends.keep(row)
      }
      return true
    }
    if page.objects.count < size { try ends.endAtKeptRow(of: query, in: environment) }
    return page
  }
}

extension [ObjectBase] {
  /// The same array of objects of a class.
  func cast<Class: ObjectBase>(to type: Class.Type) -> [Class] {
    // SAFETY: an array of references is one reference to its storage, whatever the class, and a store makes
    // objects of exactly the class that it is asked for.
    unsafeBitCast(self, to: [Class].self)
  }
}
