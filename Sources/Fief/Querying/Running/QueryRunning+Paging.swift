import LMDB

/// A page of objects of any class.
struct FoundPage {
  var objects: [ObjectBase] = []
  var start: QueryCursor?
  var end: QueryCursor?
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
    let places = PagePlaces(query, environment, fingerprint)
    let stream = RowStream(query)
    defer { note(visited: stream.visited) }
    var page = FoundPage()
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
      if page.objects.isEmpty { page.start = try places.cursor(at: row) }
      page.objects.append(try object(row))
      if page.objects.count == size { page.end = try places.cursor(at: row) } else { places.keep(row) }
      return true
    }
    if page.end == nil { page.end = try places.last() }
    return page
  }
}

/// Makes the cursors of a page.
private final class PagePlaces {
  private let query: PreparedQuery
  private let environment: QueryEnvironment
  private let fingerprint: UInt64
  /// The key of the last row; where it is the end of a page is known only when no other one follows.
  // Only its methods use it, which end before the next one begins: no access can overlap.
  @exclusivity(unchecked) private var key = ValueWriter()

  init(_ query: PreparedQuery, _ environment: QueryEnvironment, _ fingerprint: UInt64) {
    self.query = query
    self.environment = environment
    self.fingerprint = fingerprint
  }

  @inline(__always)
  func keep(_ row: QueryRow) {
    key.removeAll()
    environment.withIdentity(of: row, hasPlaces: query.hasPlaces) { key.append($0) }
  }

  /// The place of the row that was kept, nil where none was.
  func last() throws -> QueryCursor? {
    guard key.count > 0, let records = query.table.records else { return nil }
    return try key.withBytes { identity in
      try query.withKey(of: identity, in: environment) { key in
        try environment.row(of: query.table, records, key: key, if: nil).map(cursor)
      }
    }
  }

  func cursor(at row: QueryRow) throws -> QueryCursor {
    QueryCursor(
      fingerprint: fingerprint,
      values: try query.order.values(of: row, in: environment),
      key: query.identity(of: row, in: environment)
    )
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
