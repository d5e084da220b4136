/// New entries of the catalogue for classes and properties.
extension Catalogue {
  /// Adds a type with all its columns.
  mutating func add(_ descriptor: ObjectDescriptor) throws {
    let id = nextTypeID
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
    for property in descriptor.properties { _ = entry.addColumn(for: property) }
    entry.primaryKey = descriptor.primaryKey.compactMap {
      entry.column(named: descriptor.properties[$0].column)?.id
    }
    entry.addLayout()
    types.append(entry)
  }
}

extension TypeEntry {
  /// Adds a column for a property.
  mutating func addColumn(for property: PropertyDescriptor, defaultPayload: [UInt8]? = nil) -> UInt16 {
    let id = nextColumnID
    nextColumnID += 1
    columns.append(
      ColumnEntry(
        id: id,
        name: property.column,
        type: property.type,
        isIndexed: property.isIndexed,
        originProperty: property.originProperty,
        defaultPayload: defaultPayload
      )
    )
    return id
  }

  /// Adds the layout of the current columns: those of fixed width first, the primary key not at all,
  /// since it is in the record's key. Nothing where the last layout is that one.
  mutating func addLayout() {
    let stored = currentColumns.filter { $0.type.isStored && !primaryKey.contains($0.id) }
    let fixed = stored.filter { $0.type.slotWidth != nil }
    let varying = stored.filter { $0.type.slotWidth == nil }
    let layout = (fixed + varying).map(\.id)
    if layouts.last != layout { layouts.append(layout) }
  }
}
