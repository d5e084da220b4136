/// New entries of the catalogue for classes and properties.
extension Catalogue {
  /// Adds a type with all its columns.
  ///
  /// - Parameter former: the entry that the type had until now, where it gets another one.
  mutating func add(_ descriptor: ObjectDescriptor, inPlaceOf former: TypeEntry? = nil) throws {
    let id = nextTypeID
    guard id < UInt32.max else { throw Self.usedUp(type: descriptor.name) }
    nextTypeID += 1
    var entry = TypeEntry(
      id: id,
      name: descriptor.name,
      isEmbedded: descriptor.isEmbedded,
      tree: descriptor.isEmbedded ? "" : "type:\(id).\(descriptor.name)",
      columns: [],
      primaryKey: [],
      layouts: [],
      nextColumnID: 1
    )
    for property in descriptor.properties { _ = try entry.addColumn(for: property) }
    entry.primaryKey = descriptor.primaryKey.compactMap {
      entry.column(named: descriptor.properties[$0].column)?.id
    }
    try entry.updateIndexes(to: descriptor.indexes)
    entry.updateRules(to: descriptor, from: former)
    try entry.addLayout()
    types.append(entry)
  }

  /// Numbers of types, columns and layouts are never used again, so that they can run out.
  static func usedUp(type: String, property: String? = nil) -> FiefError {
    FiefError(
      .invalidSchema,
      "The store has no numbers left for further changes of the schema; copy its objects to a new one.",
      type: type,
      property: property
    )
  }
}

extension TypeEntry {
  /// Adds a column for a property.
  ///
  /// - Throws: ``FiefError`` of code `invalidSchema` where the type has had 65,534 columns.
  mutating func addColumn(for property: PropertyDescriptor, defaultPayload: [UInt8]? = nil)
    throws(FiefError) -> UInt16
  {
    let id = nextColumnID
    guard id < UInt16.max else { throw Catalogue.usedUp(type: name, property: property.name) }
    nextColumnID += 1
    columns.append(
      ColumnEntry(
        id: id,
        name: property.column,
        type: property.type,
        originProperty: property.originProperty,
        defaultPayload: defaultPayload
      )
    )
    return id
  }

  /// Adds the layout of the current columns: those of varying width last, the primary key not at all,
  /// since it is in the record's key. Nothing where the last layout is that one, with the same types.
  mutating func addLayout() throws(FiefError) {
    let stored = currentColumns.filter { $0.type.isStored && !primaryKey.contains($0.id) }
    let fixed = stored.filter { $0.type.form != .varying }
    let varying = stored.filter { $0.type.form == .varying }
    let layout = (fixed + varying).map(\.id)
    let last = layouts.count - 1
    let hasNewTypes = columns.contains { $0.earlier.last.map { Int($0.through) == last } ?? false }
    if layouts.last == layout, !hasNewTypes { return }
    guard layouts.count <= Int(Layout.versionMask) else { throw Catalogue.usedUp(type: name) }
    layouts.append(layout)
  }
}
