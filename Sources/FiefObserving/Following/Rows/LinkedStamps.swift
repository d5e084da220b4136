import FiefCore
import LMDB

/// Extends the stamps of rows by the contents of linked objects, through at most four links.
///
/// Every link of an object and of its embedded objects is followed, and every object in an `AnyRealmValue`.
/// In one evaluation the stamp of a linked object is computed once for each number of remaining links.
/// Therefore cycles end, and an object to which many rows link is read at most four times.
package final class LinkedStamps {
  /// A column that leads to other objects.
  private struct Step {
    let column: ColumnEntry
    /// The type of the linked or embedded objects, or `nil` for values of type `AnyRealmValue`, which name
    /// the types of their objects.
    let target: Table?
  }

  private struct Place: Hashable {
    let table: Int
    let links: Int
    let key: ObjectKey
  }

  /// The type of the rows, or `nil` for elements of type `AnyRealmValue`.
  private let table: Table?
  private let tables: StoreTables
  /// The types of the objects that are reached. An object in an `AnyRealmValue` adds its type when it is
  /// first found.
  private(set) var types: Set<String> = []
  /// The columns that lead to other objects, by table number.
  private var steps: [Int: [Step]] = [:]
  /// The stamps of the objects themselves, by table number.
  private var own: [Int: RowStamps] = [:]
  /// The stamps already computed in this evaluation.
  private var known: [Place: UInt64] = [:]

  /// - Returns: `nil` if the objects of the table have no links.
  init?(of table: Table, _ tables: StoreTables) {
    self.table = table
    self.tables = tables
    reach(from: table)
    if steps.values.allSatisfy(\.isEmpty) { return nil }
  }

  /// Creates the stamps of the objects in elements of type `AnyRealmValue`.
  init(ofValuesIn tables: StoreTables) {
    table = nil
    self.tables = tables
  }

  /// Adds the columns that lead to other objects, from the objects of a table through all links that are
  /// followed.
  private func reach(from table: Table) {
    var reached = [table]
    for _ in 0..<WatchedPath.mostLinks {
      var next: [Table] = []
      for source in reached { addSteps(of: source, to: &next) }
      reached = next
    }
  }

  /// Adds the columns of a table that lead to other objects, and the tables that these columns are the first
  /// to reach.
  private func addSteps(of source: Table, to reached: inout [Table]) {
    if steps[source.number] != nil { return }
    steps[source.number] = []
    for column in source.entry.columns where !column.isDropped {
      if column.type.kind == .any {
        steps[source.number]?.append(Step(column: column, target: nil))
        continue
      }
      guard let target = column.type.target.flatMap({ tables[$0] }) else { continue }
      if column.type.kind == .link {
        if types.insert(target.name).inserted { reached.append(target) }
      } else if column.type.kind == .embedded {
        var visited: Set<Int> = []
        guard hasLinks(target, &visited) else { continue }
        addSteps(of: target, to: &reached)
      } else {
        continue
      }
      steps[source.number]?.append(Step(column: column, target: target))
    }
  }

  /// Whether an embedded object of a table can lead to other objects, directly or through its embedded
  /// objects.
  private func hasLinks(_ table: Table, _ visited: inout Set<Int>) -> Bool {
    guard visited.insert(table.number).inserted else { return false }
    return table.entry.columns.contains { column in
      if column.isDropped { return false }
      if column.type.kind == .link || column.type.kind == .any { return true }
      guard column.type.kind == .embedded, let part = column.type.target.flatMap({ tables[$0] }) else {
        return false
      }
      return hasLinks(part, &visited)
    }
  }

  /// Begins an evaluation. Drops the stamps that may have changed.
  func begin(_ pending: PendingChanges) {
    let isKnown = !pending.isUnknown && pending.changes.isComplete
    for number in own.keys {
      let changes = pending.changes.types[tables.all[number].name] ?? ChangeSet.TypeChanges()
      own[number]?.forget(isKnown ? changes : nil)
    }
  }

  /// Ends an evaluation. The next evaluation may see a different state.
  func end() { known = [:] }

  /// Returns the stamp of a row, which covers the objects to which the row links.
  ///
  /// - Parameter own: the stamp of the row's object itself.
  func stamp(_ own: UInt64, _ view: RecordView, in transaction: LMDB.Transaction) throws -> UInt64 {
    guard let table else { return own }
    var hash = KeyedHash()
    hash.add(own)
    try addLinks(of: view, table, links: WatchedPath.mostLinks, in: transaction, to: &hash)
    return hash.value
  }

  /// Returns a stamp of the objects in an `AnyRealmValue`, or 0 if it contains none.
  func stamp(ofValue payload: UnsafeRawBufferPointer, in transaction: LMDB.Transaction) throws -> UInt64 {
    var hash: KeyedHash?
    try addObjects(of: payload, links: WatchedPath.mostLinks, in: transaction) { stamp in
      var sum = hash ?? KeyedHash()
      sum.add(stamp)
      hash = sum
    }
    return hash?.value ?? 0
  }

  /// Calls `body` with the stamp of each object in an `AnyRealmValue`.
  private func addObjects(
    of payload: UnsafeRawBufferPointer,
    links: Int,
    in transaction: LMDB.Transaction,
    _ body: (UInt64) -> Void
  ) throws {
    try AnyRealmValue.forEachObject(in: payload) { reference in
      guard let target = tables[number: reference.type] else { return }
      if types.insert(target.name).inserted { reach(from: target) }
      try reference.key.withUnsafeBytes {
        body(try stamp(of: $0, target, links: links - 1, in: transaction))
      }
    }
  }

  private func addLinks(
    of view: RecordView,
    _ table: Table,
    links: Int,
    in transaction: LMDB.Transaction,
    to hash: inout KeyedHash
  ) throws {
    for step in steps[table.number] ?? [] {
      try table.payload(of: step.column, in: view) { payload in
        try step.column.type.forEachValue(of: payload, tables, in: transaction) { value in
          guard let target = step.target else {
            return try addObjects(of: value, links: links, in: transaction) { hash.add($0) }
          }
          if target.records == nil {
            try addLinks(of: try target.view(value), target, links: links, in: transaction, to: &hash)
          } else {
            hash.add(try stamp(of: value, target, links: links - 1, in: transaction))
          }
        }
      }
    }
  }

  /// Returns the stamp of a linked object, or 0 if the object does not exist.
  private func stamp(
    of key: UnsafeRawBufferPointer,
    _ table: Table,
    links: Int,
    in transaction: LMDB.Transaction
  ) throws -> UInt64 {
    guard ObjectKey.lengths.contains(key.count), let records = table.records else { return 0 }
    let place = Place(table: table.number, links: links, key: ObjectKey(key))
    if let stamp = known[place] { return stamp }
    guard let record = try transaction.get(records, key) else { return 0 }
    let view = try table.view(record)
    var hash = KeyedHash()
    let stamps = RowStamps(of: table, watched: nil)
    hash.add(try own[table.number, default: stamps].stamp(of: key, view, tables, in: transaction))
    if links > 0 { try addLinks(of: view, table, links: links, in: transaction, to: &hash) }
    known[place] = hash.value
    return hash.value
  }
}
