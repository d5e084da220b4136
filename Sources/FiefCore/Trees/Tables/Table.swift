import LMDB

/// One object type in an open store: its catalogue entry and the handles of its trees.
package final class Table: Sendable {
  package let entry: TypeEntry
  /// The records; nil for an embedded type.
  package let records: Database?
  let layouts: [Layout]
  // SAFETY: one for each layout, written by `init` only, freed with the table.
  /// The numbers of the layouts, for views of records without a reference to count.
  nonisolated(unsafe) let shapes: UnsafePointer<RecordView.Shape>
  package let indexes: [Index]
  package let links: [LinkColumn]
  /// The columns of lists, sets and maps.
  package let collections: [CollectionColumn]
  /// The ids of the collections: numbers, so that nothing is counted where each record is read.
  package let collectionIDs: [UInt16]
  package let primaryKey: [ColumnEntry]
  /// The columns of the former primary key in a migration that changes it: records that were not written
  /// since then have them in their keys only. Empty everywhere else.
  let formerKey: [ColumnEntry]
  /// Seals what secret columns have in keys; nil where there are none.
  let secrets: SecretKeys?
  /// Whether it has relationships with rules.
  let hasRules: Bool
  // SAFETY: written by the one `StoreTables` that has the table, before any other thread sees it.
  /// The table's place among the store's.
  package nonisolated(unsafe) var number = 0
  /// Whether deleting an object may delete others, or be denied.
  nonisolated(unsafe) var hasDeleteRules = false
  /// Whether writes may leave too few or too many objects for a relationship of this type or of another one.
  nonisolated(unsafe) var hasLimits = false
  /// Whether it has derived properties.
  let hasDerived: Bool
  // SAFETY: assigned by the ``StoreTables`` that the table is of, before any other thread has it.
  /// The part of the table in derived properties, its own and those of others; nil for none.
  @exclusivity(unchecked) package nonisolated(unsafe) var derivations: TableDerivations?

  // SAFETY: assigned by the store that opens the table, before anybody else has it.
  /// The names of the class's properties; nil where there is no class, or none yet.
  nonisolated(unsafe) var names: (any PropertyNames)?

  /// One index: entries of the columns' values and the object key, or of words.
  ///
  /// An object: a copy of a column counts five references, and the loops over indexes run for each record.
  package final class Index: Sendable {
    package let entry: IndexEntry
    package let columns: [ColumnEntry]
    package let database: Database
    /// Whether it is an index of the values of one column as they are and nothing more, as most are.
    package let isPlain: Bool
    /// Whether a column is a link. Such an index is there for its uniqueness: its order has no meaning, and
    /// the sources of links are found by backlinks.
    let hasLinks: Bool

    /// The column that decides first.
    package var column: ColumnEntry { columns[0] }
    /// The names of the columns, for people.
    package var columnNames: String { columns.map(\.name).joined(separator: ", ") }

    /// Whether its entries are in the order of the values of its columns, one for each object.
    var isOrdered: Bool { entry.kind == .ordered && !hasLinks }

    /// - Parameter columns: one at least.
    init(entry: IndexEntry, columns: [ColumnEntry], database: Database) {
      self.entry = entry
      self.isPlain = entry.isPlain && !columns[0].isSecret
      self.hasLinks = columns.contains { $0.type.isToOneLink }
      self.columns = columns
      self.database = database
    }
  }

  /// A column of links, and the tree that leads back: entries of target key and source key.
  package final class LinkColumn: Sendable {
    package let column: ColumnEntry
    package let backlinks: Database
    // SAFETY: written by the one `StoreTables` that has the table, before any other thread sees it.
    /// Whether an inverse says that its links stay when their target is deleted.
    package nonisolated(unsafe) var mayDangle = false
    /// Whether an inverse has a rule by which deleting the target does not clear the links.
    nonisolated(unsafe) var isLeftAlone = false

    init(column: ColumnEntry, backlinks: Database) {
      self.column = column
      self.backlinks = backlinks
    }
  }

  /// A column of a list, a set or a map.
  package final class CollectionColumn: Sendable {
    package let column: ColumnEntry
    /// The backlinks of its elements; nil where they are no links.
    let link: LinkColumn?

    init(column: ColumnEntry, link: LinkColumn?) {
      self.column = column
      self.link = link
    }
  }

  package init(
    entry: TypeEntry,
    records: Database?,
    indexes: [Index],
    links: [LinkColumn],
    formerKey: [ColumnEntry] = [],
    cipher: (any StoreCipher)? = nil
  ) {
    self.entry = entry
    self.records = records
    self.indexes = indexes
    self.links = links
    var collections: [CollectionColumn] = []
    for index in entry.columns.indices where entry.columns[index].type.container != .none {
      let column = entry.columns[index]
      // The collections of an embedded object are in the record of its owner.
      if column.isDropped || records == nil { continue }
      collections.append(
        CollectionColumn(column: column, link: links.first { $0.column.id == column.id })
      )
    }
    self.collections = collections
    self.collectionIDs = collections.map(\.column.id)
    self.formerKey = formerKey
    // By their indexes, as above.
    let hasSecrets =
      entry.columns.indices.contains { entry.columns[$0].isSecret } || formerKey.contains(where: \.isSecret)
    self.secrets = hasSecrets ? cipher.map { SecretKeys($0, type: entry.id) } : nil
    self.hasRules = !entry.relationships.isEmpty
    self.hasDerived = !entry.derived.isEmpty
    let layouts = entry.layouts.indices.compactMap { entry.layout(UInt16($0)) }
    self.layouts = layouts
    let shapes = UnsafeMutablePointer<RecordView.Shape>.allocate(capacity: layouts.count)
    for index in layouts.indices { (shapes + index).initialize(to: RecordView.Shape(layouts[index])) }
    self.shapes = UnsafePointer(shapes)
    self.primaryKey = entry.primaryKey.compactMap(entry.column)
  }

  deinit { shapes.deallocate() }

  package var name: String { entry.name }

  /// The name of the property that a column is for: the class's, or else the column's own.
  func propertyName(_ column: ColumnEntry) -> String {
    names?.name(ofColumn: column.name) ?? column.name
  }

  var currentLayout: Layout { layouts[layouts.count - 1] }
  /// Whether a write of a record needs the one that was there before.
  var needsOldRecord: Bool {
    !indexes.isEmpty || !links.isEmpty || !collections.isEmpty || hasLimits || derivations != nil
  }
  /// Whether a write may be refused for the values of other objects.
  var hasUniqueIndex: Bool {
    for index in indexes where index.entry.isUnique { return true }
    return false
  }

  /// A view of a record of this type.
  package func view(_ bytes: UnsafeRawBufferPointer) throws(FiefError) -> RecordView {
    try RecordView(bytes, layout: layouts[try layoutIndex(of: bytes)])
  }

  /// The place of a record's layout in `layouts`.
  @inline(__always)
  func layoutIndex(of bytes: UnsafeRawBufferPointer) throws(FiefError) -> Int {
    let version = Int(try RecordView.layoutVersion(bytes))
    guard version < layouts.count else {
      throw FiefError(.damagedRecord, "A record has a layout that the catalogue does not know.", type: name)
    }
    return version
  }

  /// The payload of a column in a record, in the type that the column has now: that of the column's default
  /// in records older than it.
  package func payload(
    of column: ColumnEntry,
    in view: RecordView,
    _ body: (UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    if let place = view.layout.place(ofColumn: column.id) {
      guard place.isConverted, let conversion = view.layout.conversion(at: place) else {
        return try view.withPayload(place, body)
      }
      try view.withPayload(place) { try conversion.apply($0, body) }
    } else if let payload = column.defaultPayload {
      try payload.withUnsafeBytes { try body($0) }
    } else {
      try body(nil)
    }
  }
}

/// What a table knows of the class of its objects: the descriptor of a class is the one type of this.
protocol PropertyNames: AnyObject, Sendable {
  /// The name of the property that a column is for; nil where the class has none.
  func name(ofColumn column: String) -> String?
}
