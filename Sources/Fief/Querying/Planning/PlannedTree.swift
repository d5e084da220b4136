import LMDB

/// A tree whose entries are in the order of some columns, and then of the objects' keys.
struct PlannedTree {
  enum Kind {
    case records
    case index(Table.Index)
    case backlinks(Table.LinkColumn)
  }

  let kind: Kind
  let database: Database
  /// The columns, the one that decides first at the front. The keys of records have nothing behind them.
  let columns: [ColumnEntry]
  /// Whether texts are in it with their case folded.
  let isFolded: Bool

  init(_ index: Table.Index) {
    kind = .index(index)
    database = index.database
    columns = index.columns
    isFolded = index.entry.isCaseInsensitive
  }

  init(_ link: Table.LinkColumn) {
    kind = .backlinks(link)
    database = link.backlinks
    columns = [link.column]
    isFolded = false
  }

  init(keysOf table: Table, records: Database) {
    kind = .records
    database = records
    columns = table.primaryKey
    isFolded = false
  }

  var isRecords: Bool { if case .records = kind { true } else { false } }
  var isBacklinks: Bool { if case .backlinks = kind { true } else { false } }

  /// Whether what is stored of a value may be cut: texts and data have no greatest length.
  var mayBeCut: Bool {
    !isRecords && columns.contains { $0.type.kind.fixedWidth == nil && $0.type.kind != .decimal }
  }
}

extension Table {
  /// Where the object key of an entry is.
  ///
  /// - Parameter columns: how many elements are before it.
  /// - Returns: nil where the entry is damaged.
  @inline(__always)
  static func objectKey(
    ofEntry key: UnsafeRawBufferPointer,
    value: UnsafeRawBufferPointer,
    columns: Int
  ) -> UnsafeRawBufferPointer? {
    if !value.isEmpty { return value }
    var decoder = KeyDecoder(key)
    for _ in 0..<columns {
      do { try decoder.skip() } catch { return nil }
    }
    let rest = decoder.remaining
    return rest.isEmpty ? nil : rest
  }
}
