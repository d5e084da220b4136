import LMDB

/// Follows the rows of a query from state to state.
///
/// It keeps keys and stamps of the rows, no object, no record and no transaction.
final class RowsFollower: CollectionFollower {
  private let description: QueryDescription
  private let typeName: String
  private let names: QueryNames
  private let watched: [QueryPath]?
  private var bound: BoundRows?
  /// The rows of the state at hand.
  private(set) var rows = ObservedRows.none
  /// The rows that the changes are told from.
  private var base = ObservedRows.none
  /// What differs between the two.
  private var changes = CollectionChanges()

  /// - Parameters:
  ///   - description: what is asked for.
  ///   - typeName: the type of the objects.
  ///   - names: what the names in the description and in `watched` stand for.
  ///   - watched: the ways whose ends make a modification; nil where each change of the object's record does.
  init(_ description: QueryDescription, of typeName: String, names: QueryNames, watched: [QueryPath]? = nil) {
    self.description = description
    self.typeName = typeName
    self.names = names
    self.watched = watched
  }

  /// Nothing before ``start(at:)``, which finds out.
  var interest: ObservationInterest { bound?.interest ?? ObservationInterest() }

  func start(at state: ObservedState) throws {
    bound = nil
    rows = try lookUp(in: state)
    base = rows
    changes = CollectionChanges()
  }

  func advance(_ pending: PendingChanges, to state: ObservedState) throws -> Bool {
    let isKnown = !pending.isUnknown && bound?.tables === state.tables
    bound?.stamps.forget(isKnown ? pending.changes.types[typeName] ?? ChangeSet.TypeChanges() : nil)
    rows = try lookUp(in: state)
    if let silent = pending.silent[typeName] { base = CollectionDiff.silencing(base, to: rows, silent) }
    changes = CollectionDiff.changes(from: base, to: rows)
    return !changes.isEmpty
  }

  /// What became of the rows since this was asked last, or since the start; nil where nothing did.
  func takeChanges() -> CollectionChanges? {
    base = rows
    defer { changes = CollectionChanges() }
    return changes.isEmpty ? nil : changes
  }

  /// Goes on from what another follower has reported last, which is at the same state.
  ///
  /// - Returns: whether there is something to report.
  func takeOver(from other: RowsFollower) -> Bool {
    base = other.base
    changes = CollectionDiff.changes(from: base, to: rows)
    return !changes.isEmpty
  }

  private func lookUp(in state: ObservedState) throws -> ObservedRows {
    let bound = try bound(to: state)
    let environment = QueryEnvironment(tables: state.tables, transaction: state.transaction)
    return try bound.run(like: rows, in: environment, memory: state.memory)
  }

  private func bound(to state: ObservedState) throws -> BoundRows {
    if let bound, bound.tables === state.tables { return bound }
    let bound = try BoundRows(description, of: typeName, names, watched: watched, state.tables)
    self.bound = bound
    return bound
  }
}
