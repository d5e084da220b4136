import LMDB

/// A tree whose entries are in the order of some columns, and then of the objects' keys.
final class PlannedTree {
  enum Kind {
    case records
    case index(Table.Index)
    case backlinks(Table.LinkColumn)
  }

  let kind: Kind
  let table: Table
  let database: Database
  /// The columns, the one that decides first at the front. The keys of records have nothing behind them.
  let columns: [ColumnEntry]
  /// Whether texts are in it with their case folded.
  let isFolded: Bool
  /// Whether the stored form of a value may be cut: texts and data have no greatest length.
  let mayBeCut: Bool
  /// Whether the same goes for the objects' keys.
  let mayCutKeys: Bool

  private init(
    _ kind: Kind,
    of table: Table,
    _ database: Database,
    _ columns: [ColumnEntry],
    isFolded: Bool = false
  ) {
    self.kind = kind
    self.table = table
    self.database = database
    self.columns = columns
    self.isFolded = isFolded
    var isRecords = false
    if case .records = kind { isRecords = true }
    mayBeCut =
      !isRecords
      && columns.contains { $0.type.kind.fixedWidth == nil && $0.type.kind != .decimal || $0.isSecret }
    mayCutKeys = table.primaryKey.contains { $0.type.kind.fixedWidth == nil || $0.isSecret }
  }

  convenience init(_ index: Table.Index, of table: Table) {
    let isFolded = index.entry.isCaseInsensitive
    self.init(.index(index), of: table, index.database, index.columns, isFolded: isFolded)
  }

  convenience init(_ link: Table.LinkColumn, of table: Table) {
    self.init(.backlinks(link), of: table, link.backlinks, [link.column])
  }

  convenience init(keysOf table: Table, records: Database) {
    self.init(.records, of: table, records, table.primaryKey)
  }

  var isRecords: Bool { if case .records = kind { true } else { false } }
  var isBacklinks: Bool { if case .backlinks = kind { true } else { false } }
}

extension PlannedTree {
  /// The number of bytes at the front of an entry that are always those of the values, however long they are.
  static let wholeCount = 229

  /// The object key of an index's entry; nil where the entry is damaged.
  @inline(__always)
  func objectKey(
    ofEntry entry: UnsafeRawBufferPointer,
    value: UnsafeRawBufferPointer,
    in transaction: LMDB.Transaction
  ) throws -> UnsafeRawBufferPointer? {
    if !value.isEmpty { return value }
    var decoder = KeyDecoder(entry)
    for _ in 0..<columns.count {
      do { try decoder.skip() } catch {
        return columns.count > 1 ? try longKey(entry, after: nil, in: transaction) : nil
      }
    }
    let rest = decoder.remaining
    if columns.count > 1, entry.count - rest.count > Self.wholeCount {
      return try longKey(entry, after: entry.count - rest.count, in: transaction)
    }
    return rest.isEmpty ? nil : rest
  }

  /// The object key of an entry of several columns that may have been cut, so that its elements do not say where
  /// they end: the one whose object has such an entry.
  @inline(never)
  private func longKey(
    _ entry: UnsafeRawBufferPointer,
    after count: Int?,
    in transaction: LMDB.Transaction
  ) throws -> UnsafeRawBufferPointer? {
    guard let records = table.records else { return nil }
    for start in [count, CompositeKey.firstLimit, CompositeKey.firstLimit - 1] {
      guard let start, start < entry.count else { continue }
      let key = UnsafeRawBufferPointer(rebasing: entry[start...])
      guard key.count <= ObjectKey.maximumLength, let record = try transaction.get(records, key) else {
        continue
      }
      let row = try QueryRow(key: key, record: record, of: table)
      let whole = CompositeKey(first: try element(row), second: [UInt8](key))
      if whole.key.count == entry.count, entry.elementsEqual(whole.key) { return key }
    }
    return nil
  }

  /// The elements of a record's columns as they are before anything is cut.
  func element(_ row: QueryRow) throws -> [UInt8] {
    guard case .index(let index) = kind else { return [] }
    var writer = ValueWriter()
    _ = try IndexElement.append(index, of: table, in: row.view, key: row.key, to: &writer)
    return writer.bytes
  }
}
