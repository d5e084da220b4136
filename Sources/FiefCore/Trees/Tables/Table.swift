import LMDB

/// One object type in an open store: its catalogue entry and the handles of its trees.
package final class Table: Sendable {
  package let entry: TypeEntry
  /// The tree of records, or `nil` for an embedded type.
  package let records: Database?
  let layouts: [Layout]
  // SAFETY: `init` allocates and writes one shape for each layout, and `deinit` frees them. Nothing else
  // writes them.
  /// The shapes of the layouts. Views of records point to them, which avoids reference counting.
  nonisolated(unsafe) let shapes: UnsafePointer<RecordView.Shape>
  package let indexes: [Index]
  package let links: [LinkColumn]
  /// The columns of lists, sets and maps.
  package let collections: [CollectionColumn]
  /// The ids of the collection columns. Numbers can be read without reference counting for each record.
  package let collectionIDs: [UInt16]
  package let primaryKey: [ColumnEntry]
  /// The columns of the former primary key during a migration that changes the key; empty otherwise. Records
  /// that were not rewritten since then contain these columns only in their keys.
  let formerKey: [ColumnEntry]
  /// Seals the values of secret columns in keys; `nil` if the table has no secret columns.
  let secrets: SecretKeys?
  /// Whether the type has relationships with rules.
  let hasRules: Bool
  // SAFETY: only the `StoreTables` that owns the table assigns the value, before any other thread sees the
  // table. An access is a single read or assignment, so accesses cannot overlap. The exclusivity check would
  // cost as much as reference counting for each object read.
  /// The index of the table in ``StoreTables/all``.
  @exclusivity(unchecked) package nonisolated(unsafe) var number = 0
  /// Whether deleting an object may delete other objects or be denied.
  @exclusivity(unchecked) nonisolated(unsafe) var hasDeleteRules = false
  /// Whether a write may leave too few or too many objects in a relationship of this type or of another one.
  @exclusivity(unchecked) nonisolated(unsafe) var hasLimits = false
  /// Whether the type has derived properties.
  let hasDerived: Bool
  /// Whether only the product that declares the class writes its objects.
  package let isManaged: Bool
  // SAFETY: only the ``StoreTables`` that owns the table assigns it, before any other thread sees the table.
  /// The derived properties that belong to the table or depend on its objects; `nil` if there are none.
  @exclusivity(unchecked) package nonisolated(unsafe) var derivations: TableDerivations?

  // SAFETY: `names` is assigned while the store opens the table, before any other thread sees the table.
  /// The names of the class's properties, or `nil` if the table has no class yet.
  @exclusivity(unchecked) nonisolated(unsafe) var names: (any PropertyNames)?

  /// One index. An entry of an ordered index contains the columns' values and the object key; an entry of a
  /// full-text index begins with a word.
  ///
  /// It is a class because copying a column retains five references, and the loops over indexes run for each
  /// record.
  package final class Index: Sendable {
    package let entry: IndexEntry
    package let columns: [ColumnEntry]
    package let database: Database
    /// Whether the index contains the unchanged values of one column, which is the most frequent case.
    package let isPlain: Bool
    /// Whether a column is a link. Such an index only enforces uniqueness: its order has no meaning, and
    /// backlinks find the sources of links.
    let hasLinks: Bool

    /// The first column of the index.
    package var column: ColumnEntry { columns[0] }
    /// The names of the columns as text for a message.
    package var columnNames: String { columns.map(\.name).joined(separator: ", ") }

    /// Whether the index has one entry for each object, in the order of the columns' values.
    var isOrdered: Bool { entry.kind == .ordered && !hasLinks }

    /// - Parameter columns: At least one column.
    init(entry: IndexEntry, columns: [ColumnEntry], database: Database) {
      self.entry = entry
      self.isPlain = entry.isPlain && !columns[0].isSecret
      self.hasLinks = columns.contains { $0.type.isToOneLink }
      self.columns = columns
      self.database = database
    }
  }

  /// A column of links, and its tree of backlinks, whose entries consist of a target key and a source key.
  package final class LinkColumn: Sendable {
    package let column: ColumnEntry
    package let backlinks: Database
    // SAFETY: only the `StoreTables` that owns the table writes it, before any other thread sees the table.
    /// Whether an inverse specifies that links stay when their target is deleted.
    @exclusivity(unchecked) package nonisolated(unsafe) var mayDangle = false
    /// Whether an inverse has a delete rule that does not clear the links when their target is deleted.
    @exclusivity(unchecked) nonisolated(unsafe) var isLeftAlone = false

    init(column: ColumnEntry, backlinks: Database) {
      self.column = column
      self.backlinks = backlinks
    }
  }

  /// A column of a list, a set or a map.
  package final class CollectionColumn: Sendable {
    package let column: ColumnEntry
    /// The link column with the backlinks of the elements, or `nil` if the elements are not links.
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
    // Iterates over indexes, as above.
    let hasSecrets =
      entry.columns.indices.contains { entry.columns[$0].isSecret } || formerKey.contains(where: \.isSecret)
    self.secrets = hasSecrets ? cipher.map { SecretKeys($0, type: entry.id) } : nil
    self.hasRules = !entry.relationships.isEmpty
    self.hasDerived = !entry.derived.isEmpty
    self.isManaged = entry.isManaged
    let layouts = entry.layouts.indices.compactMap { entry.layout(UInt16($0)) }
    self.layouts = layouts
    let shapes = UnsafeMutablePointer<RecordView.Shape>.allocate(capacity: layouts.count)
    for index in layouts.indices { (shapes + index).initialize(to: RecordView.Shape(layouts[index])) }
    self.shapes = UnsafePointer(shapes)
    self.primaryKey = entry.primaryKey.compactMap(entry.column)
  }

  deinit { shapes.deallocate() }

  package var name: String { entry.name }

  /// Returns the name of a column's property in the class, or the name of the column if no class is assigned.
  func propertyName(_ column: ColumnEntry) -> String {
    names?.name(ofColumn: column.name) ?? column.name
  }

  var currentLayout: Layout { layouts[layouts.count - 1] }
  /// Whether the writer needs the previous record when it writes a record.
  var needsOldRecord: Bool {
    !indexes.isEmpty || !links.isEmpty || !collections.isEmpty || hasLimits || derivations != nil
  }
  /// Whether a unique index can make a write fail because of another object's value.
  var hasUniqueIndex: Bool {
    for index in indexes where index.entry.isUnique { return true }
    return false
  }

  /// Returns a view of a record of this type.
  package func view(_ bytes: UnsafeRawBufferPointer) throws(FiefError) -> RecordView {
    try RecordView(bytes, shapes + (try layoutIndex(of: bytes)))
  }

  /// Returns the index of a record's layout in `layouts`.
  @inline(__always)
  func layoutIndex(of bytes: UnsafeRawBufferPointer) throws(FiefError) -> Int {
    let version = Int(try RecordView.layoutVersion(bytes))
    guard version < layouts.count else {
      throw FiefError(.damagedRecord, "A record has a layout that is missing in the catalogue.", type: name)
    }
    return version
  }

  /// Passes the payload of a column to `body`, converted to the column's current type. If the record is older
  /// than the column, passes the column's default.
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

/// The names of properties that a table takes from the class of its objects. Only the class descriptor
/// conforms to it.
protocol PropertyNames: AnyObject, Sendable {
  /// Returns the name of a column's property, or `nil` if the class has no such property.
  func name(ofColumn column: String) -> String?
}
