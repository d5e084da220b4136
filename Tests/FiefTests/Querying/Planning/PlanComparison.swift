import Fief
import LMDB
import Testing

@testable import FiefCore

/// Compares every access path of a query with a scan.
struct PlanComparison {
  let core: StoreCore
  let transaction: LMDB.Transaction
  let table: Table

  var binder: QueryBinder { QueryBinder(tables: core.tables, table: table, names: .columns) }

  /// A row of the reference: its key and what it is ordered by.
  private struct Row {
    let key: [UInt8]
    let sortKey: [UInt8]
  }

  /// - Returns: the candidates, nil where one of them is wrong.
  func check(_ description: QueryDescription, _ random: inout PlanRandom, _ comment: String) throws
    -> [String]?
  {
    let whole = try description.condition.map(binder.condition)
    let order = RowOrder(try description.order.map { try binder.part($0) })
    let rows = try reference(whole, order)
    var description = description
    if random.chance(3) == 0, let bound = try bound(of: description, &random) { description.start = bound }
    if random.chance(4) == 0, let bound = try bound(of: description, &random) { description.end = bound }
    let records = try #require(table.records)
    let purpose = random.pick([QueryPurpose.rows, .rows, .anyOrder, .count])
    let search = try PlanSearch(description, binder, transaction, records: records, purpose: purpose)
    var names: [String] = []
    for candidate in try search.candidates() {
      let planner = QueryPlanner(binder: binder, transaction: transaction)
      let access = try planner.access(candidate, search, whole)
      if let keys = access as? KeySetAccess {
        // Sometimes there are too many keys to hold.
        keys.keyLimit = random.pick([KeyList.limit, KeyList.limit, 0, 200])
      }
      names.append(String("\(candidate.path)".prefix { $0 != "(" }))
      var expected = rows
      if access.appliesBounds, let bounds = try RowBounds(description.start, description.end, order, binder) {
        expected = expected.filter { row in
          row.sortKey.withUnsafeBytes { sortKey in row.key.withUnsafeBytes { bounds.contain(sortKey, $0) } }
        }
      }
      var keys = expected.map(\.key)
      if access.isReversed { keys.reverse() }
      let isOrdered = search.purpose == .rows && (access.isOrdered || access.isReversed)
      var found = try walk(access, &random)
      if !isOrdered {
        keys.sort { $0.lexicographicallyPrecedes($1) }
        found.sort { $0.lexicographicallyPrecedes($1) }
      }
      let environment = QueryEnvironment(tables: core.tables, transaction: transaction)
      var handed: [[UInt8]] = []
      _ = try access.forEachKey(in: environment) {
        handed.append([UInt8]($0))
        return true
      }
      if !isOrdered { handed.sort { $0.lexicographicallyPrecedes($1) } }
      let count = try access.count(in: environment)
      guard found == keys, handed == keys, count == keys.count else {
        Issue.record(
          """
          \(comment), \(description), \(candidate): \(found.count), \(handed.count), \(count) rows instead of \(keys.count)
          """
        )
        return nil
      }
    }
    return names
  }

  /// All rows for which the condition holds, in order, by a scan and a sort.
  private func reference(_ condition: RowCondition?, _ order: RowOrder) throws -> [Row] {
    let environment = QueryEnvironment(tables: core.tables, transaction: transaction)
    var rows: [Row] = []
    let cursor = try transaction.cursor(try #require(table.records))
    while try cursor.next() {
      let row = try QueryRow(key: cursor.key, record: cursor.value, of: table)
      guard try condition?.holds(row, in: environment) ?? true else { continue }
      var writer = ValueWriter()
      try order.append(row, in: environment, to: &writer)
      rows.append(Row(key: [UInt8](row.key), sortKey: writer.bytes))
    }
    return rows.sorted { first, second in
      if first.sortKey != second.sortKey { return first.sortKey.lexicographicallyPrecedes(second.sortKey) }
      return first.key.lexicographicallyPrecedes(second.key)
    }
  }

  /// The keys of an access path, which stops now and then and goes on.
  private func walk(_ access: QueryAccess, _ random: inout PlanRandom) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    var position: QueryPosition?
    let batch = random.pick([1, 2, 7, 1000])
    repeat {
      let environment = QueryEnvironment(tables: core.tables, transaction: transaction)
      var rest = batch
      position = try access.forEachRow(in: environment, after: position) { row in
        keys.append([UInt8](row.key))
        rest -= 1
        return rest > 0
      }
    } while position != nil
    return keys
  }

  /// A place in the order: that of an object, or that of some of its values.
  private func bound(of description: QueryDescription, _ random: inout PlanRandom) throws -> QueryBound? {
    let count = try transaction.count(try #require(table.records))
    guard count > 0 else { return nil }
    let cursor = try transaction.cursor(try #require(table.records))
    for _ in 0...random.chance(count) { _ = try cursor.next() }
    guard !cursor.key.isEmpty else { return nil }
    let row = try QueryRow(key: cursor.key, record: cursor.value, of: table)
    let environment = QueryEnvironment(tables: core.tables, transaction: transaction)
    var values = try description.order.map { order in
      guard case .path(let path) = order.key else { return QueryValue.null }
      return try binder.operand(.path(path)).value(of: row, in: environment)
    }
    let isInclusive = random.chance(2) == 0
    if random.chance(3) > 0 {
      return QueryBound(values: values, key: ObjectKey(row.key), isInclusive: isInclusive)
    }
    values.removeLast(random.chance(values.count + 1))
    return QueryBound(values: values, key: nil, isInclusive: isInclusive)
  }
}
