import LMDB

/// Reads collections by their payloads, whether the elements are inline or in the tree of large collections.
extension LargeCollection {
  /// Returns the number of elements of a collection, or 1 for a single link.
  static func count(
    of payload: UnsafeRawBufferPointer,
    type: ColumnType,
    tables: StoreTables,
    in transaction: LMDB.Transaction
  ) throws -> Int {
    guard type.container != .none, let marker = try CollectionMarker(payload) else {
      return try CollectionPayload.count(payload, type: type)
    }
    return try at(marker, type: type, tables: tables, in: transaction).count() ?? marker.count
  }

  /// Calls `body` with the key of each object that a link column leads to. `body` must not write.
  static func forEachLink(
    in payload: UnsafeRawBufferPointer,
    type: ColumnType,
    tables: StoreTables,
    in transaction: LMDB.Transaction,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard type.container != .none, let marker = try CollectionMarker(payload) else {
      return try CollectionPayload.forEachLink(payload, type: type, body)
    }
    try at(marker, type: type, tables: tables, in: transaction).forEachValue { try body($1) }
  }
}
