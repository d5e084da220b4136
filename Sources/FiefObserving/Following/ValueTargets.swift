import FiefCore
import LMDB

/// The objects in the values of type `AnyRealmValue` that an observed object has.
///
/// The deletion of such an object does not change the record of the observed object, but the value then reads
/// as `.none`.
struct ValueTargets {
  private let columns: [ColumnEntry]
  /// The objects that were found, including missing ones, because they may be added.
  private var found: Set<ObjectReference> = []

  /// - Parameter watched: the watched columns of the table.
  init(of table: Table, _ watched: ColumnSet) {
    columns = table.entry.columns.filter { column in
      !column.isDropped && column.type.kind == .any && watched.contains(column.id)
    }
  }

  /// Forgets the objects that were found.
  mutating func forget() { found = [] }

  /// Finds the objects in a record.
  ///
  /// - Returns: by column, a hash that tells which objects exist. Columns without objects have none.
  mutating func find(
    in view: RecordView,
    of table: Table,
    _ tables: StoreTables,
    in transaction: LMDB.Transaction
  ) throws -> [UInt16: UInt64] {
    found = []
    var existing: [UInt16: UInt64] = [:]
    for column in columns {
      var hash: KeyedHash?
      try table.payload(of: column, in: view) { payload in
        try column.type.forEachValue(of: payload, tables, in: transaction) { value in
          try AnyRealmValue.forEachObject(in: value) { reference in
            found.insert(reference)
            let records = tables[number: reference.type]?.records
            let exists = try reference.key.withUnsafeBytes { key in
              try records.map { try transaction.get($0, key) != nil } ?? false
            }
            var sum = hash ?? KeyedHash()
            sum.add(exists ? 1 : 0)
            hash = sum
          }
        }
      }
      existing[column.id] = hash?.value
    }
    return existing
  }

  /// Adds the objects whose deletion or addition matters. If there are many, all objects of their types
  /// matter.
  func add(to interest: inout ObservationInterest, _ tables: StoreTables) {
    let isLong = found.count > WatchedValue.mostVisited
    for reference in found {
      guard let table = tables[number: reference.type] else { continue }
      if isLong {
        interest.note(table.name, ColumnSet())
      } else {
        interest.note(ObjectKey(bytes: reference.key), table.name, ColumnSet())
      }
    }
  }
}
