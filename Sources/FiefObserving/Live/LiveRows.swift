import FiefCore

/// An update of live results: the rows of a state, and a closure that creates their objects while the state
/// can be read.
struct LiveUpdate<Element: Object> {
  let rows: ObservedRows
  /// Returns the object of a row, or `nil` if the row does not exist or the object cannot be read. A failed
  /// read is reported to the event handler.
  let object: (Int) -> Element?
}

/// The rows that live results show, and the objects created so far.
struct LiveRows<Element: Object> {
  /// The number of objects that are created together.
  private static var batch: Int { 64 }
  /// The maximum number of objects that are kept. If there are more, the objects around the last accessed one
  /// stay.
  private static var most: Int { 4_096 }

  private(set) var rows = ObservedRows.none
  private(set) var changes = CollectionChanges()
  private(set) var isLoaded = false
  var error: (any Error)?
  private var objects: [ObjectKey: Element] = [:]

  /// Replaces the state.
  mutating func take(_ update: LiveUpdate<Element>, _ changes: CollectionChanges) {
    let former = rows
    rows = update.rows
    self.changes = changes
    isLoaded = true
    for index in changes.deletions { if let key = former.key(at: index) { objects[key] = nil } }
    for index in changes.modifications {
      guard let key = rows.key(at: index), objects[key] != nil else { continue }
      // The object is created now, because the state of the rows can still be read.
      objects[key] = update.object(index)
    }
    for index in changes.insertions.prefix(Self.batch) {
      if let key = rows.key(at: index) { objects[key] = update.object(index) }
    }
  }

  /// Returns the object of a row.
  ///
  /// - Parameter load: returns the existing objects for some keys.
  mutating func object(at index: Int, _ load: ([ObjectKey]) -> [(ObjectKey, Element)]) -> Element {
    guard let key = rows.key(at: index) else { return Element() }
    if let object = objects[key] { return object }
    let range = max(0, index - Self.batch / 2)..<min(rows.count, index + Self.batch / 2)
    let wanted = range.compactMap(rows.key(at:)).filter { objects[$0] == nil }
    if objects.count + wanted.count > Self.most { forget(except: range) }
    for (key, object) in load(wanted) { objects[key] = object }
    if let object = objects[key] { return object }
    let empty = Element()
    objects[key] = empty
    return empty
  }

  private mutating func forget(except range: Range<Int>) {
    let near = max(0, range.lowerBound - Self.most / 4)..<min(rows.count, range.upperBound + Self.most / 4)
    var kept: [ObjectKey: Element] = [:]
    for index in near { if let key = rows.key(at: index), let object = objects[key] { kept[key] = object } }
    objects = kept
  }
}

extension Results {
  /// Returns the source of an observation of the results for a view.
  func liveRows(_ watched: _WatchedPaths) -> ObservedSource<LiveUpdate<Element>> {
    ObservedSource {
      let store = try observedStore()
      let binding = try store.binding(of: elementType)
      let follower = RowsFollower(
        description,
        of: binding.table.name,
        names: store.queryNames,
        watched: try watched.paths.get(),
        followsLinks: store.observesLinkedObjects
      )
      return .init(
        store: store,
        follower: follower,
        collection: { scope, follower in
          let rows = (follower as? RowsFollower)?.rows ?? .none
          return LiveUpdate(rows: rows) { index in
            do {
              return try rows.withKey(at: index) { try scope.object(of: binding, key: $0) }??.cast(
                to: Element.self
              )
            } catch {
              store.report(error, type: binding.table.name, property: nil)
              return nil
            }
          }
        }
      )
    }
  }

  /// Returns the existing objects for some keys, in the newest state.
  func objects(withKeys keys: [ObjectKey]) throws -> [(ObjectKey, Element)] {
    guard let store = context.store else { return [] }
    let binding = try store.binding(of: elementType)
    return try store.read { transaction in
      try keys.compactMap { key in
        try key.bytes.withUnsafeBytes { bytes in
          try store.countedLoad(binding, key: bytes, from: transaction, context: context.lasting)
        }?.cast(to: Element.self).map { (key, $0) }
      }
    }
  }
}
