import Fief
import Foundation
import LMDB

/// The entries of a tree in one transaction.
///
/// It is a class because readers and writers keep it, and copying a column retains several references.
final class TreeNodes {
  /// The scope in which reads are counted; `nil` in a check and in a migration.
  let scope: AccessScope?
  let transaction: LMDB.Transaction
  let storeName: String
  let table: Table
  let records: Database
  let column: ColumnEntry
  let changes: Table
  /// Whether the version of the layout is known to be stored.
  var hasLayout = false
  private let tables: StoreTables
  /// The clock of the store.
  let clock: @Sendable () -> Date

  /// - Throws: `FiefError` of code `unknownType` if the store does not have the classes of a tree;
  ///   `formatTooNew` if a newer version of the library has written the tree; `transactionEnded` after the end
  ///   of the scope.
  convenience init(in scope: AccessScope) throws {
    do { try scope.visible?.check(JSONTreeNode.self, in: scope.store) } catch {
      throw Self.unknownType(scope.store.name)
    }
    try self.init(scope.store.tables, try scope.liveTransaction(), in: scope)
  }

  /// - Throws: `FiefError` of code `unknownType` or `formatTooNew`.
  init(_ tables: StoreTables, _ transaction: LMDB.Transaction, in scope: AccessScope? = nil) throws {
    self.scope = scope
    self.transaction = transaction
    self.tables = tables
    storeName = tables.storeName
    guard let table = tables[TreeLayout.nodeType], let changes = tables[TreeLayout.changeType],
      let records = table.records, let column = table.entry.column(named: "value"), table.isManaged
    else { throw Self.unknownType(storeName) }
    self.table = table
    self.changes = changes
    clock = tables.clock
    self.records = records
    self.column = column
    try checkLayout()
  }

  /// The types of the indexes; `nil` if the store was made before trees had indexes.
  private(set) lazy var indexTables = TreeIndexTables(tables)

  /// Counts reads of leaves and names.
  func count(_ reads: Int, bytes: Int = 0) { scope?.costs.add(table, reads: reads, bytes: bytes) }

  static func unknownType(_ store: String) -> FiefError {
    FiefError(
      .unknownType,
      "The repository does not declare the classes of a tree.",
      store: store,
      type: TreeLayout.nodeType,
      details: ["add them: objectTypes = JSONTree.objectTypes + […]"]
    )
  }

  // MARK: Entries

  func cursor() throws -> Cursor { try transaction.cursor(records) }

  /// Returns the payload of an entry's value, after its checksum was verified. The payload is part of the
  /// record.
  func payload(of key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws
    -> UnsafeRawBufferPointer
  {
    let view = try table.view(record)
    try view.verifyChecksum(key, of: table)
    // The class is the library's own, so no migration changes the type of its column.
    guard let place = view.place(ofColumn: column.id), place.form == .varying, !view.isNil(place)
    else { throw damaged("An entry of a tree has no value.") }
    return try view.varying(place)
  }

  /// Returns the content of an entry.
  func content(of key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> NodeContent {
    if let content = NodeContent(try payload(of: key, record)) { return content }
    throw damaged("An entry of a tree has a value that trees do not contain.")
  }

  /// Returns the content of the entry at a place; `nil` if the place has no entry.
  func content(_ segment: Int, _ place: [UInt8]) throws -> NodeContent? {
    try NodeKey.key(segment, place).withUnsafeBytes { key in
      guard let record = try transaction.get(records, key) else { return nil }
      return try content(of: key, record)
    }
  }

  /// Returns the segment of an anchor, after it was checked that no anchors can form a cycle.
  func checked(_ target: Int, of segment: Int) throws(FiefError) -> Int {
    if target > segment { return target }
    throw damaged("An anchor of a tree leads to an earlier segment.")
  }

  /// Follows anchors from the root's segment.
  ///
  /// - Returns: the segment of the place; `nil` if there is nothing at an anchor or a leaf.
  func segment(of place: TreePlace) throws -> Int? { try segment(at: place.anchors) }

  /// Follows anchors from the root's segment.
  func segment(at anchors: [[UInt8]]) throws -> Int? {
    var segment = 0
    for anchor in anchors {
      guard case .anchor(let target)? = try content(segment, anchor) else { return nil }
      segment = try checked(target, of: segment)
    }
    return segment
  }

  /// Returns whether an entry is in the segment at a place or below it.
  func hasEntries(_ segment: Int, _ place: [UInt8]) throws -> Bool {
    let prefix = NodeKey.prefix(segment, place)
    let cursor = try cursor()
    return try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) } && cursor.key.hasPrefix(prefix)
  }

  /// Returns whether a place has a value or children.
  func exists(_ place: TreePlace) throws -> Bool {
    guard let segment = try segment(of: place) else { return false }
    return try hasEntries(segment, place.last)
  }

  func damaged(_ message: String) -> FiefError {
    FiefError(.damagedRecord, message, store: storeName, type: table.name)
  }
}
