import FiefCore
import LMDB

/// Follows the elements of a collection of values or embedded objects, or the keys of any map.
///
/// A list element is modified if it was replaced at its position. A map's key is modified if its value was
/// replaced or if the object to which the value links has changed. The elements of a set are only inserted
/// and deleted. With `followsLinks`, an `AnyRealmValue` is also modified if an object in it has changed.
final class ElementsFollower: CollectionFollower {
  private let members: QueryMembers
  private let watched: [QueryPath]?
  private let followsLinks: Bool
  private let names: QueryNames
  private var source: ElementSource?
  /// The rows of the current state: the keys of a map, or the elements of a list or a set (hashes of long
  /// elements).
  private(set) var rows = ObservedRows.none
  /// The elements to which the indexes of the last taken deletions refer. For a map these are its keys.
  private(set) var formerRows = ObservedRows.none
  /// The elements that changes are computed against.
  private var base = ObservedRows.none
  /// The value of `base` before the observer's own change was applied to it.
  private var formerBase: ObservedRows?
  private var changes = CollectionChanges()

  /// - Parameters:
  ///   - members: the location of the collection.
  ///   - watched: for a map of links, the paths from its objects whose values count as modifications, or
  ///     `nil` for the whole objects.
  ///   - followsLinks: whether linked objects count when `watched` is `nil`: objects in values of type
  ///     `AnyRealmValue`, and objects to which the map's objects link.
  ///   - names: maps the names in `watched` to columns.
  init(
    _ members: QueryMembers,
    watched: [QueryPath]? = nil,
    followsLinks: Bool = false,
    names: QueryNames = .columns
  ) {
    self.members = members
    self.watched = watched
    self.followsLinks = followsLinks
    self.names = names
  }

  /// The changes that concern the collection itself. Empty before ``start(at:)``.
  private var ownInterest = ObservationInterest()
  /// The changes that concern the collection and the objects that it leads to.
  var interest: ObservationInterest {
    var interest = ownInterest
    for type in source?.linked?.types ?? [] { interest.types.updateValue(nil, forKey: type) }
    return interest
  }

  /// The elements are stored in their owner's record, so a report reads one record.
  func cost(of changes: CollectionChanges?) -> (typeName: String, reads: Int) { (members.type, 1) }

  func start(at state: ObservedState) throws {
    source = nil
    rows = try lookUp(in: state)
    base = rows
    formerRows = rows
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
    let isList = source?.column.type.container == .list
    base = CollectionDiff.carrying(base, from: former, to: rows, isUnique: !isList)
    return compare()
  }

  func undoSilentEvaluation() {
    if let formerBase { base = formerBase }
    formerBase = nil
    _ = compare()
  }

  private func look(_ pending: PendingChanges, at state: ObservedState) throws {
    let isKnown = !pending.isUnknown && pending.changes.isComplete
    if isKnown, !isConcerned(by: pending.changes) { return }
    source?.forget(isKnown ? pending.changes : nil)
    source?.linked?.begin(pending)
    rows = try lookUp(in: state)
  }

  /// - Returns: whether there are changes to report.
  private func compare() -> Bool {
    changes = CollectionDiff.changes(from: base, to: rows)
    if source?.column.type.container == .list { changes.pairReplacements() }
    return !changes.isEmpty
  }

  /// Returns the changes of the elements since the last call or the start, or `nil` if nothing changed.
  func takeChanges() -> CollectionChanges? {
    formerRows = base
    base = rows
    defer { changes = CollectionChanges() }
    return changes.isEmpty ? nil : changes
  }

  private func isConcerned(by changes: ChangeSet) -> Bool {
    if let owners = changes.types[members.type], owners.fate(of: members.key) != .untouched { return true }
    if let linked = source?.linked, linked.types.contains(where: { changes.types[$0] != nil }) { return true }
    if let watched = source?.watched { return watched.columns.keys.contains { changes.types[$0] != nil } }
    return source?.target.map { changes.types[$0.name] != nil } ?? true
  }

  private func lookUp(in state: ObservedState) throws -> ObservedRows {
    let source = try source(in: state.tables)
    defer { source.linked?.end() }
    var builder = ObservedRowsBuilder(like: rows)
    try source.forEach(in: state) { builder.append($0, stamp: $1) }
    return builder.finish()
  }

  private func source(in tables: StoreTables) throws -> ElementSource {
    if let source, source.tables === tables { return source }
    let source = try ElementSource(
      members,
      tables,
      watched: watched,
      followsLinks: followsLinks,
      names: names
    )
    self.source = source
    ownInterest = ObservationInterest()
    ownInterest.insert(members, tables)
    if let watched = source.watched {
      for (type, columns) in watched.columns { ownInterest.note(type, columns) }
    } else if let target = source.target {
      ownInterest.types.updateValue(nil, forKey: target.name)
    }
    return source
  }
}
