import LMDB

/// A tree whose entries are ordered by some columns, and then by the objects' keys.
final class PlannedTree {
  enum Kind {
    case records
    case index(Table.Index)
    case backlinks(Table.LinkColumn)
  }

  let kind: Kind
  let table: Table
  let database: Database
  /// The columns, most significant first. The entries of the tree of records have only these columns.
  let columns: [ColumnEntry]
  /// Whether the tree stores texts with folded case.
  let isFolded: Bool
  /// Whether values may be shortened in entries. Texts and data have no maximum length.
  let mayBeCut: Bool
  /// Whether object keys may be shortened in entries.
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
  /// The number of leading bytes of an entry that are never shortened, however long the values are.
  static let wholeCount = 229

  /// Returns the object key of an index entry, or `nil` if the entry is damaged.
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

  /// Returns the object key of an entry that has several columns and may have been shortened. The position of
  /// the key in such an entry is unknown, so the method searches for the key whose object has this entry.
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

  /// Returns the elements of a record's columns before they are shortened.
  func element(_ row: QueryRow) throws -> [UInt8] {
    guard case .index(let index) = kind else { return [] }
    var writer = ValueWriter()
    _ = try IndexElement.append(index, of: table, in: row.view, key: row.key, to: &writer)
    return writer.bytes
  }
}
