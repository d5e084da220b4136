import FiefCore
import FiefObserving
import LMDB

/// The objects of a type or of a query in one state, in key order, each with a stamp. Objects with different
/// property values have equal stamps only by chance.
package struct DynamicRows: Sendable {
  package static let none = DynamicRows(rows: .none)

  /// The change of an object between two states.
  package enum Change: Sendable, Equatable {
    /// A new object, at an index in the later state.
    case inserted(Int)
    /// An object with a different stamp, at an index in the later state.
    case modified(Int)
    /// A deleted object, at an index in the earlier state.
    case deleted(Int)
  }

  fileprivate let rows: ObservedRows

  /// Returns the key of the object at an index, or `nil` if the index is out of range.
  package func key(at index: Int) -> ObjectKey? { rows.key(at: index) }

  /// Returns the changes since another state, in key order.
  package func changes(since old: DynamicRows) -> [Change] {
    let difference = CollectionDiff.changes(from: old.rows, to: rows)
    var deletions = difference.deletions[...]
    var modifications = difference.modifications[...]
    var insertions = difference.insertions[...]
    var changes: [Change] = []
    while let place = insertions.first.map({ min($0, modifications.first ?? .max) }) ?? modifications.first {
      while let gone = deletions.first, old.isKey(at: gone, before: place, of: self) {
        changes.append(.deleted(gone))
        deletions.removeFirst()
      }
      if insertions.first == place {
        insertions.removeFirst()
        changes.append(.inserted(place))
      } else {
        modifications.removeFirst()
        changes.append(.modified(place))
      }
    }
    return changes + deletions.map { .deleted($0) }
  }

  private func isKey(at place: Int, before other: Int, of rows: DynamicRows) -> Bool {
    self.rows.withKey(at: place) { key in
      rows.rows.withKey(at: other) { key.lexicographicallyPrecedes($0) }
    } == true
  }
}

extension DynamicRows {
  /// Collects objects in any order and sorts them by key.
  fileprivate struct Builder {
    private var builder: ObservedRowsBuilder
    private var stamps: RowStamps
    private var last: [UInt8] = []
    private var isInOrder = true

    /// - Parameters:
    ///   - columns: the names of the properties whose changes count, or `nil` for all properties.
    ///   - former: earlier rows, which the new rows are likely to begin with.
    init(_ table: Table, _ tables: StoreTables, columns: [String]?, like former: DynamicRows) throws {
      // The columns of the key cannot change without changing the key.
      let paths = columns?.compactMap { name in
        table.entry.column(named: name).flatMap {
          $0.type.isStored && !table.entry.primaryKey.contains($0.id) ? QueryPath(name) : nil
        }
      }
      let binder = QueryBinder(tables: tables, table: table, names: .columns)
      stamps = RowStamps(of: table, watched: try paths.map { try WatchedValues($0, binder) })
      builder = ObservedRowsBuilder(like: former.rows)
    }

    mutating func append(
      _ key: UnsafeRawBufferPointer,
      _ view: RecordView,
      _ tables: StoreTables,
      in transaction: LMDB.Transaction
    ) throws {
      if isInOrder {
        isInOrder = last.lexicographicallyPrecedes(key)
        last.removeAll(keepingCapacity: true)
        last.append(contentsOf: key)
      }
      builder.append(key, stamp: try stamps.stamp(of: key, view, tables, in: transaction))
    }

    mutating func finish() -> DynamicRows {
      let rows = builder.finish()
      if isInOrder { return DynamicRows(rows: rows) }
      var sorted = ObservedRowsBuilder()
      for (index, key) in rows.keys.enumerated().sorted(by: { $0.element < $1.element }) {
        guard let stamp = rows.stamp(at: index) else { continue }
        key.bytes.withUnsafeBytes { sorted.append($0, stamp: stamp) }
      }
      return DynamicRows(rows: sorted.finish())
    }
  }
}

extension DynamicSnapshot {
  /// The number of the commit that created this state. In a write, it is the number of the commit that the
  /// write will make.
  package final var commit: UInt64 { transaction.id }

  /// Returns the objects of a type.
  ///
  /// - Parameters:
  ///   - columns: the names of the properties whose changes count, or `nil` for all properties.
  ///   - former: the rows of an earlier state.
  /// - Throws: ``FiefError`` of code `unknownType` or `damagedRecord`.
  package final func rows(ofType typeName: String, columns: [String]?, like former: DynamicRows) throws
    -> DynamicRows
  {
    let (table, records) = try records(of: typeName)
    return try described {
      try prepareForReadingRecords()
      var rows = try DynamicRows.Builder(table, tables, columns: columns, like: former)
      let cursor = try transaction.cursor(records)
      var found = try cursor.first()
      while found {
        try rows.append(cursor.key, try table.view(cursor.value), tables, in: transaction)
        found = try cursor.next()
      }
      return rows.finish()
    }
  }
}

extension DynamicQuery {
  /// Returns the objects of the query; see ``DynamicSnapshot/rows(ofType:columns:like:)``.
  package func rows(columns: [String]?, like former: DynamicRows) throws -> DynamicRows {
    try snapshot.described {
      let environment = try environment()
      var rows = try DynamicRows.Builder(table, snapshot.tables, columns: columns, like: former)
      try RowStream(try prepare(description)).read(in: environment) { row in
        try rows.append(row.key, row.view, snapshot.tables, in: snapshot.transaction)
        return true
      }
      return rows.finish()
    }
  }
}

extension DynamicObject {
  /// The approximate memory use of the object in bytes.
  package var memory: Int { record.count + (key?.bytes.count ?? 0) + 160 }
}
