import FiefCore
import LMDB

/// A follower's query, bound to the tables of a store.
final class BoundRows {
  let tables: StoreTables
  let table: Table
  let binder: QueryBinder
  let description: QueryDescription
  let dependencies: QueryDependencies
  let watched: WatchedValues?
  /// The linked objects that count; nil if an observation is not about them.
  let linked: LinkedStamps?
  private(set) var interest: ObservationInterest
  /// Places single objects among the rows; nil where only the query itself determines their places.
  private(set) var placing: RowPlacing?
  /// The query that is run: it asks for some rows more than are wanted, so that others can follow where some
  /// of them leave.
  let asked: QueryDescription
  var stamps: RowStamps
  /// The greatest number of single objects that the interest lists; for more, it is in the whole type.
  private static let mostKeys = 256

  /// - Throws: ``FiefError`` for an unsupported query, and for paths that cannot be watched.
  init(
    _ description: QueryDescription,
    of typeName: String,
    _ names: QueryNames,
    watched paths: [QueryPath]?,
    followsLinks: Bool,
    _ tables: StoreTables
  ) throws {
    let table = try tables.table(named: typeName)
    self.tables = tables
    self.table = table
    self.description = description
    binder = QueryBinder(tables: tables, table: table, names: names)
    dependencies = try QueryDependencies(description, binder)
    watched = try paths.map { [binder] in try WatchedValues($0, binder) }
    linked = followsLinks && paths == nil ? LinkedStamps(of: table, tables) : nil
    stamps = RowStamps(of: table, watched: watched, linked: linked)
    interest = Self.interest(description, dependencies, watched, tables)
    for type in linked?.types ?? [] { interest.types.updateValue(nil, forKey: type) }
    asked = RowWindow.asked(description)
    placing = try RowPlacing(self)
  }

  private static func interest(
    _ description: QueryDescription,
    _ dependencies: QueryDependencies,
    _ watched: WatchedValues?,
    _ tables: StoreTables
  ) -> ObservationInterest {
    var columns = dependencies.columns
    for (type, others) in watched?.columns ?? [:] { columns[type, default: ColumnSet()].formUnion(others) }
    var interest = ObservationInterest()
    for (type, ids) in columns { interest.types.updateValue(ids.isAll ? nil : ids, forKey: type) }
    if watched == nil { interest.types.updateValue(nil, forKey: dependencies.typeName) }
    if let members = description.members { interest.insert(members, tables) }
    return interest
  }

  /// Looks the rows up.
  ///
  /// - Parameter former: rows that they are likely to begin with.
  func run(like former: ObservedRows, in environment: QueryEnvironment, memory: Int) throws -> RowWindow {
    let asked = placing == nil ? description : asked
    let query = try PreparedQuery(
      asked,
      binder: binder,
      transaction: environment.transaction,
      memory: memory
    )
    if let keys = query.namedKeys { narrowInterest(to: keys) }
    var builder = ObservedRowsBuilder(like: former)
    let stream = RowStream(query)
    try stream.read(in: environment) { row in
      builder.append(row.key, stamp: try stamps.stamp(of: row, in: environment))
      return true
    }
    let rows = builder.finish()
    var isComplete = true
    if placing != nil, case .first(let limit)? = asked.limit { isComplete = rows.count < limit }
    return RowWindow(rows: rows, isComplete: isComplete, cost: stream.visited + 2 * rows.count + 100)
  }

  /// Limits the interest to the rows' own objects where a row's own record decides about it: changes of other
  /// objects do not matter then, and of many observations of single objects a commit concerns only some.
  private func narrowInterest(to keys: [ObjectKey]) {
    guard placing != nil, linked == nil, watched?.linkedTypes.isEmpty ?? true, keys.count <= Self.mostKeys,
      interest.types.count == 1,
      let columns = interest.types.removeValue(forKey: table.name)
    else { return }
    interest.objects[table.name] = Dictionary(keys.map { ($0, columns) }) { first, _ in first }
  }

  /// The same rows with the stamps that they have now.
  ///
  /// - Parameter keys: the objects whose stamps may be others; nil for all.
  /// - Returns: nil where a row has no record.
  func stamped(
    _ rows: ObservedRows,
    of keys: RowFinder? = nil,
    in environment: QueryEnvironment
  ) throws -> ObservedRows? {
    guard let records = table.records else { return rows }
    var runs = rows.runs
    var isWhole = true
    for (number, run) in runs.enumerated() {
      var new = run.stamps
      func stamp(_ index: Int) throws {
        try run.withKey(at: index) { key in
          guard let record = try environment.transaction.get(records, key) else { return isWhole = false }
          let row = try QueryRow(key: key, record: record, of: table)
          new[index] = try stamps.stamp(of: row, in: environment)
        }
      }
      if let keys {
        try keys.forEachIndex(in: run, stamp)
      } else {
        for index in 0..<run.count { try stamp(index) }
      }
      runs[number] = run.stamped(new)
    }
    return isWhole ? ObservedRows(runs: runs) : nil
  }
}

extension BoundRows {
  /// Whether other things have changed that decide which rows there are and in which order, beside the objects of the
  /// type themselves.
  func isMoved(by changes: ChangeSet) -> Bool {
    if let members = description.members,
      let owners = changes.types[members.type], owners.fate(of: members.key) != .untouched
    {
      return true
    }
    return dependencies.columns.contains { type, columns in
      (type != table.name || dependencies.readsOthers) && changes.types[type].concerns(columns)
    }
  }

  /// Whether something has changed that is watched behind links.
  func isRestamped(by changes: ChangeSet) -> Bool {
    if let linked { return linked.types.contains { changes.types[$0] != nil } }
    guard let watched else { return false }
    return watched.linkedTypes.contains { changes.types[$0].concerns(watched.columns[$0] ?? .all) }
  }

  /// Whether the changes of objects of the type leave all rows where they are.
  func leavesRows(_ changes: ChangeSet.TypeChanges) -> Bool {
    // Inserted or deleted objects may be targets of links.
    !changes.changesWhichExist
      && changes.changedColumns.isDisjoint(with: dependencies.columns[table.name] ?? .all)
  }
}

extension ChangeSet.TypeChanges? {
  /// Whether objects have come or gone, or have other values of some columns.
  fileprivate func concerns(_ columns: ColumnSet) -> Bool {
    guard let self else { return false }
    return self.changesWhichExist || !self.changedColumns.isDisjoint(with: columns)
  }
}
