import Fief
import LMDB

/// A type of a tree that is read and written without its class.
struct TreeTable {
  let table: Table
  let records: Database

  /// - Returns: `nil` if the store does not have the type.
  init?(_ name: String, in tables: StoreTables) {
    guard let table = tables[name], let records = table.records, table.isManaged else { return nil }
    self.table = table
    self.records = records
  }

  /// Passes the payload of a column to `body`, after the checksum of the record was verified.
  func withPayload<Value>(
    _ column: String,
    of key: UnsafeRawBufferPointer,
    _ record: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer?) throws -> Value
  ) throws -> Value {
    let view = try table.view(record)
    try view.verifyChecksum(key, of: table)
    guard let column = table.entry.column(named: column) else { return try body(nil) }
    var value: Value?
    try table.payload(of: column, in: view) { value = try body($0) }
    return try value ?? body(nil)
  }

  /// Returns a record with the payloads of its columns.
  func record(_ payload: (String) -> [UInt8]?) throws -> [UInt8] {
    try RecordEditor.make(of: table) { payload($0.name) }
  }
}

extension TreeTable {
  func integer(_ column: String, of key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws
    -> Int?
  {
    try withPayload(column, of: key, record) { payload in
      guard let payload, payload.count == 8 else { return nil }
      return Int(Int64(littleEndian: payload.loadUnaligned(as: Int64.self)))
    }
  }

  func text(_ column: String, of key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws
    -> String?
  {
    try withPayload(column, of: key, record) { $0.flatMap(\.text) }
  }

  static func payload(_ integer: Int) -> [UInt8] {
    withUnsafeBytes(of: Int64(integer).littleEndian) { [UInt8]($0) }
  }
}

/// The types of a tree's indexes in one transaction.
struct TreeIndexTables {
  let definitions: TreeTable
  let places: TreeTable
  let entries: TreeTable

  /// - Returns: `nil` if the store was made before trees had indexes, and was opened for reading only.
  init?(_ tables: StoreTables) {
    guard let definitions = TreeTable(TreeLayout.indexType, in: tables),
      let places = TreeTable(TreeLayout.indexPlaceType, in: tables),
      let entries = TreeTable(TreeLayout.indexEntryType, in: tables)
    else { return nil }
    self.definitions = definitions
    self.places = places
    self.entries = entries
  }
}
