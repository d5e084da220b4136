import FiefCore
import LMDB

/// Checks derived properties against the records.
extension StoreChecker {
  /// Recomputes an object's derived properties and compares them with the stored ones.
  func checkDerived(
    _ derivations: TableDerivations,
    _ table: Table,
    view: RecordView,
    key: UnsafeRawBufferPointer
  ) throws {
    let calculation = DerivedCalculation(tables: tables, transaction: transaction)
    for column in derivations.columns where column.slot < 0 && column.kind != .lastChange {
      let expected = try calculation.ownPayload(of: column, in: view, of: table, key: key)
      try compare(column, expected, table, view, key)
    }
    for group in derivations.owned {
      do {
        let values = try calculation.values(of: group, key: key, view: view)
        for (column, value) in zip(group.columns, values) {
          try compare(column, value.payload(column.column.type.kind), table, view, key)
        }
      } catch {
        // A damaged source of one property does not prevent checking the object's other properties.
        report("\(FiefError.described(error, store: tables.storeName))", table, key: key)
      }
    }
  }

  private func compare(
    _ derived: DerivedColumn,
    _ expected: [UInt8]?,
    _ table: Table,
    _ view: RecordView,
    _ key: UnsafeRawBufferPointer
  ) throws {
    let column = derived.column
    var found: [UInt8]?
    try table.payload(of: column, in: view) { found = $0.map { [UInt8]($0) } }
    if found == expected { return }
    report(
      "\(column.name) is \(text(found, column)), but its sources give \(text(expected, column))",
      table,
      key: key
    )
  }

  private func text(_ payload: [UInt8]?, _ column: ColumnEntry) -> String {
    guard let payload else { return "nil" }
    let value = payload.withUnsafeBytes { try? DynamicPayload.value($0, type: column.type) }
    return value.map { "\($0)" } ?? "damaged"
  }
}
