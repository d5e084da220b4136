import FiefCore
import LMDB

/// Follows one object: its record and the values at the ends of watched paths.
///
/// The follower compares the last reported record with the current one, so a property that was changed and
/// changed back is not reported. Elements of large collections and values at the ends of paths are compared
/// by their hashes.
final class ObjectFollower: StateFollower {
  let key: ObjectKey
  let table: Table
  private let tables: StoreTables
  /// The columns whose values are compared.
  private let columns: ColumnSet
  /// The paths that lead beyond the object's own columns.
  private let paths: [WatchedPath]
  /// The last reported state, or `nil` before the start and if the object did not exist.
  private var reported: ObjectState?
  /// The newest evaluated state, or `nil` if the object was deleted.
  private var seen: ObjectState?
  private var visited: [[(level: Int, key: ObjectKey)]] = []
  /// The objects in values of any type, or `nil` if their deletion does not count.
  private var targets: ValueTargets?
  /// Whether the object was deleted and the deletion was reported or was the observer's own change.
  private(set) var hasEnded = false
  /// The reported state and the value of `hasEnded` before the observer's own last change.
  private var formerReport: (reported: ObjectState?, hasEnded: Bool)?

  /// - Parameters:
  ///   - type: the name of the object's type.
  ///   - watched: the watched paths, or `nil` for all columns of the object.
  ///   - followsLinks: whether a value of any type counts as changed if an object in it was deleted.
  /// - Throws: ``FiefError`` of code `unknownType`, `unknownProperty` or `invalidQuery`.
  init(
    _ key: ObjectKey,
    ofType type: String,
    watched: [QueryPath]? = nil,
    followsLinks: Bool = false,
    tables: StoreTables,
    names: QueryNames
  ) throws {
    let table = try tables.table(named: type)
    self.key = key
    self.table = table
    self.tables = tables
    let binder = QueryBinder(tables: tables, table: table, names: names)
    let paths = try watched?.map { try WatchedPath($0, binder) }
    columns = paths.map { ColumnSet($0.filter(\.isColumn).map(\.first.id)) } ?? .all
    self.paths = paths?.filter { !$0.isColumn } ?? []
    targets = followsLinks ? ValueTargets(of: table, columns) : nil
  }

  /// Whether there is a change that was not reported yet.
  var hasReport: Bool {
    get throws {
      if hasEnded { return false }
      guard seen != nil else { return true }
      return try !changedColumns().isEmpty
    }
  }

  func start(at state: ObservedState) throws {
    seen = try look(at: state, nil)
    reported = seen
    hasEnded = false
  }

  func advance(_ pending: PendingChanges, to state: ObservedState) throws -> Bool {
    formerReport = nil
    if hasEnded { return false }
    seen = try look(at: state, pending)
    // The object did not exist, which is not reported: there is no state to compare with.
    if reported == nil { reported = seen }
    return try hasReport
  }

  func advanceSilently(_ changes: PendingChanges, to state: ObservedState) throws -> Bool {
    formerReport = (reported, hasEnded)
    if hasEnded { return false }
    let former = seen
    seen = try look(at: state, changes)
    if seen == nil, former != nil { hasEnded = true }
    if reported == nil { reported = seen }
    if let former, let seen { try carry(from: former, to: seen) }
    return try hasReport
  }

  func undoSilentEvaluation() {
    if let (reported, hasEnded) = formerReport { (self.reported, self.hasEnded) = (reported, hasEnded) }
    formerReport = nil
  }

  /// Returns the change to report and marks it as reported, or returns `nil` if there is no change.
  func takeChange() throws -> ObservedObjectChange? {
    if hasEnded { return nil }
    guard let seen else {
      hasEnded = true
      return .deleted
    }
    guard let old = reported else { return nil }
    let columns = try changedColumns()
    if columns.isEmpty { return nil }
    reported = seen
    return .changed(columns: columns, old: old.record, new: seen.record)
  }

  // MARK: Reading the object

  /// Reads the object in a state. Returns `nil` if it does not exist.
  private func look(at state: ObservedState, _ pending: PendingChanges?) throws -> ObjectState? {
    guard let records = table.records else { return nil }
    return try key.bytes.withUnsafeBytes { key in
      guard let record = try state.transaction.get(records, key) else {
        visited = []
        targets?.forget()
        return nil
      }
      var now = ObjectState([UInt8](record))
      try lookAtLargeCollections(&now, record, pending, state)
      let existing = try targets?.find(in: try table.view(record), of: table, tables, in: state.transaction)
      now.existing = existing ?? [:]
      if let pending, pending.isEmpty, let seen {
        now.values = seen.values
      } else {
        visited = []
        let view = try table.view(record)
        for path in paths {
          let value = try WatchedValue(
            path,
            of: key,
            view,
            tables,
            in: state.transaction,
            notesVisited: true
          )
          now.values.append(value.hash.value)
          visited.append(value.visited)
        }
      }
      return now
    }
  }

  /// - Parameter pending: the possible changes since the last evaluation, or `nil` if anything may have
  ///   changed.
  private func lookAtLargeCollections(
    _ now: inout ObjectState,
    _ record: UnsafeRawBufferPointer,
    _ pending: PendingChanges?,
    _ state: ObservedState
  ) throws {
    if table.collections.isEmpty { return }
    let view = try table.view(record)
    let changed = pending?.changes.types[table.name]?.columns(of: key)
    for collection in table.collections where columns.contains(collection.column.id) {
      let id = collection.column.id
      try table.payload(of: collection.column, in: view) { payload in
        guard let payload, CollectionMarker.isMarker(payload) else { return }
        if let pending, !pending.isUnknown, changed?.contains(id) != true, let known = seen?.contents[id] {
          now.contents[id] = known
        } else {
          now.contents[id] = try ContentHash.of(
            payload,
            collection.column.type,
            tables,
            in: state.transaction
          )
        }
      }
    }
  }

  // MARK: Comparing

  /// Returns the properties that differ between the reported and the newest state.
  private func changedColumns() throws -> ColumnSet {
    guard let reported, let seen else { return ColumnSet() }
    var changed = try difference(reported, seen)
    for (index, path) in paths.enumerated() where reported.values[index] != seen.values[index] {
      changed.insert(path.first.id)
    }
    return changed
  }

  /// Returns the columns of interest whose own values differ between two states of the object.
  private func difference(_ old: ObjectState, _ new: ObjectState) throws -> ColumnSet {
    var changed = ColumnSet()
    try old.record.withUnsafeBytes { before in
      try new.record.withUnsafeBytes { after in
        let all = try RecordDifference(table, tables).columns(before, after)
        for id in all.ids where columns.contains(id) { changed.insert(id) }
      }
    }
    for (id, hash) in new.existing where old.existing[id].map({ $0 != hash }) ?? false { changed.insert(id) }
    if old.contents.isEmpty, new.contents.isEmpty { return changed }
    for collection in table.collections where columns.contains(collection.column.id) {
      let id = collection.column.id
      guard old.contents[id] != nil || new.contents[id] != nil else { continue }
      if try hash(of: collection.column, in: old) != hash(of: collection.column, in: new) {
        changed.insert(id)
      }
    }
    return changed
  }

  private func hash(of column: ColumnEntry, in object: ObjectState) throws -> UInt64 {
    if let known = object.contents[column.id] { return known }
    var hash = ContentHash(column.type)
    try object.record.withUnsafeBytes { record in
      try table.payload(of: column, in: try table.view(record)) { payload in
        if let payload { try hash.add(try ElementRun(payload: payload)) }
      }
    }
    return hash.value
  }
}

// MARK: Changes of the observer

extension ObjectFollower {
  /// Applies the observer's own changes of the object to the reported state.
  private func carry(from former: ObjectState, to now: ObjectState) throws {
    guard var known = reported else { return }
    let (own, others) = (try difference(former, now), try difference(known, former))
    let columns = ColumnSet(
      own.ids.filter { id in
        // Another writer has changed the column too: copy the observer's value only if it replaced the whole
        // column, and not if it changed a part of a collection or of an embedded object.
        guard others.contains(id), let column = table.entry.columns.first(where: { $0.id == id }) else {
          return true
        }
        return column.type.container == .none && column.type.kind != .embedded
      }
    )
    known.record = try merged(known.record, with: now.record, columns)
    for id in columns.ids {
      known.contents[id] = now.contents[id]
      known.existing[id] = now.existing[id]
    }
    // Changes by other writers behind the watched paths remain to be reported.
    for index in paths.indices where known.values[index] == former.values[index] {
      known.values[index] = now.values[index]
    }
    reported = known
  }

  /// Returns a record with some columns taken from another record.
  private func merged(_ record: [UInt8], with other: [UInt8], _ columns: ColumnSet) throws -> [UInt8] {
    if columns.isEmpty { return record }
    return try record.withUnsafeBytes { record in
      try other.withUnsafeBytes { other in
        let view = try table.view(other)
        return try RecordEditor.rewrite(try table.view(record), table: table) { column in
          guard columns.contains(column.id) else { return .keep }
          var payload: [UInt8]?
          try table.payload(of: column, in: view) { payload = $0.map { [UInt8]($0) } }
          return .set(payload)
        }
      }
    }
  }
}

// MARK: Dependencies

extension ObjectFollower {
  var interest: ObservationInterest {
    var interest = ObservationInterest()
    var own = columns
    for path in paths { own.formUnion(path.levels[0].columns) }
    interest.note(key, table.name, own)
    targets?.add(to: &interest, tables)
    for (index, path) in paths.enumerated() {
      for level in path.levels.dropFirst() where level.isOfAll {
        interest.note(level.table.name, level.columns)
      }
      guard index < visited.count else { continue }
      // The hub tracks only a limited number of objects by key. If a path has more, all objects of their
      // types matter.
      if visited[index].count > WatchedValue.mostVisited {
        for level in path.levels.dropFirst() { interest.note(level.table.name, level.columns) }
      } else {
        for (level, key) in visited[index] {
          interest.note(key, path.levels[level].table.name, path.levels[level].columns)
        }
      }
    }
    return interest
  }
}
