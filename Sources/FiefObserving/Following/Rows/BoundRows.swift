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
  /// The linked objects whose changes count, or `nil` if the observation does not cover linked objects.
  let linked: LinkedStamps?
  private var ownInterest: ObservationInterest
  /// Finds the rows of changed objects without running the query, or `nil` if only the query itself can find
  /// them.
  private(set) var placing: RowPlacing?
  /// The query that is run. Its limit is a few rows higher than wanted, so that these rows can move up when
  /// wanted rows are removed.
  let asked: QueryDescription
  var stamps: RowStamps
  /// The maximum number of objects that the interest lists by key. For more objects it covers the whole type.
  private static let mostKeys = 256

  /// - Throws: ``FiefError`` if the query is unsupported or a path cannot be watched.
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
    ownInterest = Self.interest(description, dependencies, watched, tables)
    asked = RowWindow.asked(description)
    placing = try RowPlacing(self)
  }

  /// The changes that concern the rows. An object found in an `AnyRealmValue` may add its type.
  var interest: ObservationInterest {
    guard let linked else { return ownInterest }
    var interest = ownInterest
    for type in linked.types { interest.types.updateValue(nil, forKey: type) }
    return interest
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

  /// Runs the query.
  ///
  /// - Parameter former: earlier rows, which the new rows are likely to share.
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

  /// Limits the interest to the objects with these keys, if each row depends on its own record only. Changes
  /// of other objects do not matter then, and a commit concerns only a few of many observations of single
  /// objects.
  private func narrowInterest(to keys: [ObjectKey]) {
    guard placing != nil, linked == nil, watched?.linkedTypes.isEmpty ?? true, keys.count <= Self.mostKeys,
      ownInterest.types.count == 1,
      let columns = ownInterest.types.removeValue(forKey: table.name)
    else { return }
    ownInterest.objects[table.name] = Dictionary(keys.map { ($0, columns) }) { first, _ in first }
  }

  /// Returns the rows with their current stamps.
  ///
  /// - Parameter keys: the objects whose stamps may have changed, or `nil` for all.
  /// - Returns: `nil` if the record of a row is missing.
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
  /// Whether changes outside the rows' own objects may have changed which rows there are, or their order.
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

  /// Whether watched values behind links may have changed.
  func isRestamped(by changes: ChangeSet) -> Bool {
    if let linked { return linked.types.contains { changes.types[$0] != nil } }
    guard let watched else { return false }
    return watched.linkedTypes.contains { changes.types[$0].concerns(watched.columns[$0] ?? .all) }
  }

  /// Whether the changes of objects of the row's type leave every row at its position.
  func leavesRows(_ changes: ChangeSet.TypeChanges) -> Bool {
    // Inserted and deleted objects may be targets of links.
    !changes.changesWhichExist
      && changes.changedColumns.isDisjoint(with: dependencies.columns[table.name] ?? .all)
  }
}

extension ChangeSet.TypeChanges? {
  /// Whether objects were inserted or deleted, or have new values in some of the columns.
  fileprivate func concerns(_ columns: ColumnSet) -> Bool {
    guard let self else { return false }
    return self.changesWhichExist || !self.changedColumns.isDisjoint(with: columns)
  }
}
