import FiefCore
import LMDB

/// Follows the rows of a query.
///
/// The follower keeps the keys and stamps of the rows, but no objects, records or transactions. If each row
/// depends only on its object's record, only changed objects are evaluated. Otherwise the query runs again.
final class RowsFollower: CollectionFollower {
  private let description: QueryDescription
  private let typeName: String
  private let names: QueryNames
  private let watched: [QueryPath]?
  private let followsLinks: Bool
  private let isList: Bool
  private var bound: BoundRows?
  private var window = RowWindow()
  /// The rows of the current state.
  private(set) var rows = ObservedRows.none
  /// The rows that changes are computed against.
  private var base = ObservedRows.none
  /// The value of `base` before the observer's own change was applied to it.
  private var formerBase: ObservedRows?
  /// The difference between `base` and `rows`.
  private var changes = CollectionChanges()
  /// The number of times that the query has run.
  private(set) var runs = 0

  /// - Parameters:
  ///   - description: the query.
  ///   - typeName: the type of the objects.
  ///   - names: maps the names in the description and in `watched` to columns.
  ///   - watched: the paths whose values count as modifications, or `nil` if every change of an object's
  ///     record does.
  ///   - followsLinks: whether changes of linked objects count as modifications when `watched` is `nil`.
  ///   - isList: whether the rows are all objects of a list. A list's element is modified if it was replaced
  ///     at its position.
  init(
    _ description: QueryDescription,
    of typeName: String,
    names: QueryNames,
    watched: [QueryPath]? = nil,
    followsLinks: Bool = false,
    isList: Bool = false
  ) {
    self.description = description
    self.typeName = typeName
    self.names = names
    self.watched = watched
    self.followsLinks = followsLinks
    self.isList = isList
  }

  /// Empty until ``start(at:)`` determines it.
  var interest: ObservationInterest { bound?.interest ?? ObservationInterest() }

  func start(at state: ObservedState) throws {
    bound = nil
    formerBase = nil
    defer { bound?.linked?.end() }
    try run(in: environment(of: state), state)
    base = rows
    changes = CollectionChanges()
  }

  func advance(_ pending: PendingChanges, to state: ObservedState) throws -> Bool {
    formerBase = nil
    try look(pending, at: state)
    return compare()
  }

  func advanceSilently(_ pending: PendingChanges, to state: ObservedState) throws -> Bool {
    let former = rows
    try look(pending, at: state)
    formerBase = base
    base = CollectionDiff.carrying(base, from: former, to: rows, isUnique: description.members == nil)
    return compare()
  }

  func undoSilentEvaluation() {
    if let formerBase { base = formerBase }
    formerBase = nil
    _ = compare()
  }

  /// - Returns: whether there are changes to report.
  private func compare() -> Bool {
    changes = CollectionDiff.changes(from: base, to: rows)
    if isList, !changes.deletions.isEmpty, !changes.insertions.isEmpty {
      let moved = Set(changes.deletions.map { base.key(at: $0) })
        .intersection(changes.insertions.map { rows.key(at: $0) })
      changes.pairReplacements { deletion, insertion in
        !moved.contains(base.key(at: deletion)) && !moved.contains(rows.key(at: insertion))
      }
    }
    return !changes.isEmpty
  }

  private func look(_ pending: PendingChanges, at state: ObservedState) throws {
    let environment = environment(of: state)
    bound?.linked?.begin(pending)
    defer { bound?.linked?.end() }
    if try !follow(pending, in: environment) {
      let isKnown = !pending.isUnknown && pending.changes.isComplete && bound?.tables === state.tables
      bound?.stamps.forget(isKnown ? pending.changes.types[typeName] ?? ChangeSet.TypeChanges() : nil)
      try run(in: environment, state)
    }
  }

  /// Returns the changes of the rows since the last call or the start, or `nil` if nothing changed.
  func takeChanges() -> CollectionChanges? {
    base = rows
    defer { changes = CollectionChanges() }
    return changes.isEmpty ? nil : changes
  }

  func cost(of changes: CollectionChanges?) -> (typeName: String, reads: Int) {
    // A query without results counts as one read.
    (typeName, changes.map { $0.insertions.count + $0.modifications.count } ?? max(1, rows.count))
  }

  /// Continues from the last report of another follower that is at the same state.
  ///
  /// - Returns: whether there are changes to report.
  func takeOver(from other: RowsFollower) -> Bool {
    base = other.base
    return compare()
  }

  private func environment(of state: ObservedState) -> QueryEnvironment {
    QueryEnvironment(tables: state.tables, transaction: state.transaction)
  }

  // MARK: Looking up

  private func run(in environment: QueryEnvironment, _ state: ObservedState) throws {
    let bound = try bound(to: state.tables)
    runs += 1
    let start = state.timer?.now
    window = try bound.run(like: window.rows, in: environment, memory: state.memory)
    if let start, let timer = state.timer {
      timer.note(timer.now &- start, description, bound.binder, state.transaction)
    }
    rows = bound.placing == nil ? window.rows : window.wanted(description)
  }

  private func bound(to tables: StoreTables) throws -> BoundRows {
    if let bound, bound.tables === tables { return bound }
    let bound = try BoundRows(
      description,
      of: typeName,
      names,
      watched: watched,
      followsLinks: followsLinks,
      tables
    )
    self.bound = bound
    return bound
  }

  // MARK: Following

  /// Evaluates only the changed objects.
  ///
  /// - Returns: `false` if the query has to run again.
  private func follow(_ pending: PendingChanges, in environment: QueryEnvironment) throws -> Bool {
    guard let bound, bound.tables === environment.tables, !pending.isUnknown, pending.changes.isComplete,
      !bound.isMoved(by: pending.changes)
    else { return false }
    let own = pending.changes.types[typeName]
    let isRestamped = bound.isRestamped(by: pending.changes)
    if own == nil, !isRestamped { return true }
    var window = window
    if let own {
      guard let rows = try self.rows(after: own, bound, in: environment) else { return false }
      if !window.replace(rows, description) { return false }
    }
    if isRestamped {
      guard let rows = try bound.stamped(window.rows, in: environment) else { return false }
      window.rows = rows
    }
    self.window = window
    rows = bound.placing == nil ? window.rows : window.wanted(description)
    return true
  }

  private func rows(
    after changes: ChangeSet.TypeChanges,
    _ bound: BoundRows,
    in environment: QueryEnvironment
  ) throws -> ObservedRows? {
    var keys: [ObjectKey] = []
    changes.objects.forEach { key, _, _ in keys.append(ObjectKey(key)) }
    bound.stamps.forget(changes)
    if bound.leavesRows(changes) {
      return try bound.stamped(window.rows, of: RowFinder(keys), in: environment)
    }
    guard let placing = bound.placing else { return nil }
    // The cost of looking up one object and finding its position.
    let cost = 2 + Int.bitWidth - window.rows.count.leadingZeroBitCount
    guard keys.count * cost <= window.cost else { return nil }
    return try placing.rows(
      after: window.rows,
      isComplete: window.isComplete,
      keys,
      &bound.stamps,
      in: environment
    )
  }
}
