import Fief

/// The watched objects of a type, as of the last read.
final class WatchedType {
  let type: DynamicType
  /// The properties to show. If it is empty, only keys are shown.
  let columns: [String]
  /// The properties whose changes count, or `nil` for all properties.
  private let counted: [String]?
  private let query: ((DynamicSnapshot) throws -> DynamicQuery)?
  private(set) var rows = DynamicRows.none
  private(set) var cache: RecordCache
  private static let cacheLimit = 64 << 20

  /// - Parameter query: returns the query for the watched objects, or `nil` to watch all objects.
  init(
    _ type: DynamicType,
    columns: [String],
    counted: [String]?,
    query: ((DynamicSnapshot) throws -> DynamicQuery)?
  ) {
    self.type = type
    self.columns = columns
    self.counted = counted
    self.query = query
    cache = RecordCache(limit: columns.isEmpty ? 0 : Self.cacheLimit)
  }

  /// The result of reading a state.
  struct Look {
    let rows: DynamicRows
    let changes: [DynamicRows.Change]
    /// The objects that were read, to be cached for the next read; `nil` for deleted objects.
    fileprivate(set) var read: [(key: ObjectKey, object: DynamicObject?)] = []
    fileprivate var memory = 0
  }

  /// Reads a state. Nothing is kept before ``accept(_:)``, so the read can be repeated.
  func look(at snapshot: DynamicSnapshot) throws -> Look {
    let found =
      try query?(snapshot).rows(columns: counted, like: rows)
      ?? snapshot.rows(ofType: type.name, columns: counted, like: rows)
    return Look(rows: found, changes: found.changes(since: rows))
  }

  /// Returns whether more objects can be cached.
  func hasRoom(besides look: Look) -> Bool { cache.memory + look.memory < cache.limit }

  /// Returns the line of a change, reads the object and records it for the cache. Returns `nil` if the index
  /// is out of range in both states.
  func line(
    for change: DynamicRows.Change,
    _ look: inout Look,
    _ lines: ChangeLines,
    _ snapshot: DynamicSnapshot
  ) throws -> String? {
    let found =
      switch change {
      case .inserted(let index), .modified(let index): look.rows.key(at: index)
      case .deleted(let index): rows.key(at: index)
      }
    guard let key = found else { return nil }
    let text = try snapshot.text(of: key, ofType: type.name)
    if case .deleted = change {
      if cache[key] != nil { look.read.append((key, nil)) }
      return try lines.deleted(text, self)
    }
    let object = columns.isEmpty ? nil : try snapshot.object(ofType: type.name, forKey: key)
    let old = cache[key]
    if let object, hasRoom(besides: look) {
      look.read.append((key, object))
      look.memory += object.memory - (old?.memory ?? 0)
    } else if old != nil {
      // The cached values are outdated.
      look.read.append((key, nil))
    }
    if case .modified = change { return try lines.modified(text, object, old: old, self) }
    return try lines.inserted(text, object, self)
  }

  /// Keeps the result of a read.
  func accept(_ look: Look) {
    rows = look.rows
    for (key, object) in look.read { cache.set(key, object) }
  }
}
