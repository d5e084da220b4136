import FiefCore
import LMDB

extension ColumnType {
  /// Calls `body` with the payload of a single value, or with each element of a collection.
  func forEachValue(
    of payload: UnsafeRawBufferPointer?,
    _ tables: StoreTables,
    in transaction: LMDB.Transaction,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard let payload, !payload.isEmpty else { return }
    if container == .none { return try body(payload) }
    func each(_ run: ElementRun) throws {
      try run.forEach(type: self) { _, element in
        if let value = try CollectionPayload.value(element, type: self) { try body(value) }
      }
    }
    guard let marker = try CollectionMarker(payload) else {
      return try each(try ElementRun(payload: payload))
    }
    try LargeCollection.at(marker, type: self, tables: tables, in: transaction).forEachRun { run in
      try each(run)
      return true
    }
  }
}
