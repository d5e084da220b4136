/// The catalogue with which a stage of a migration works, between the previous state and the stage's schema.
///
/// A type whose objects must move (to another primary key, into their owners, or out of them) is changed
/// after the block. Until then the block finds the objects at their old locations.
struct WorkingSchema {
  var catalogue: Catalogue
  /// The types whose objects get new keys. Until the objects are moved, the catalogue lists these types
  /// without a primary key.
  var rekeyed: Set<String> = []
  /// The types that are no longer embedded.
  var promoted: Set<String> = []
  /// The types that become embedded. Until their objects are moved, the catalogue keeps these types and the
  /// links to them unchanged.
  var demoted: Set<String> = []
  /// The columns of the former primary keys, by type ID.
  var formerKeys: [UInt32: [ColumnEntry]] = [:]

  /// Returns the name of a column for links whose objects are not yet moved to another type.
  ///
  /// No property can have such a name. The column exists only during a stage.
  static func pendingName(of column: String, from type: String) -> String { "\u{0}\(column)\u{0}\(type)" }

  static func isPending(_ column: ColumnEntry) -> Bool { column.name.utf8.first == 0 }

  /// Creates the catalogue for a schema.
  ///
  /// - Parameters:
  ///   - stored: the previous state.
  ///   - count: returns the number of a type's objects.
  init(_ stored: Catalogue, for schema: DeclaredSchema, count: (TypeEntry) throws -> Int) throws {
    catalogue = stored
    for descriptor in schema.descriptors {
      guard let entry = stored.type(named: descriptor.name), entry.isEmbedded != descriptor.isEmbedded else {
        continue
      }
      if entry.isEmbedded { promoted.insert(entry.name) } else { demoted.insert(entry.name) }
    }
    for descriptor in schema.descriptors {
      if let index = catalogue.types.firstIndex(where: { $0.name == descriptor.name }) {
        var entry = catalogue.types[index]
        try update(&entry, to: descriptor, count: count)
        catalogue.types[index] = entry
      } else {
        try catalogue.add(descriptor)
      }
    }
    let declared = Set(schema.descriptors.map(\.name))
    catalogue.types.removeAll { !declared.contains($0.name) }
  }

  private mutating func update(
    _ entry: inout TypeEntry,
    to descriptor: ObjectDescriptor,
    count: (TypeEntry) throws -> Int
  ) throws {
    guard !SchemaComparison.differences(of: descriptor, from: entry).isEmpty else { return }
    let before = entry
    try entry.updateColumns(to: descriptor)
    for column in before.currentColumns { keepLinks(of: column, in: &entry) }
    if promoted.contains(entry.name) {
      entry.isEmbedded = false
      entry.tree = "type:\(entry.id).\(entry.name)"
    }
    let key = descriptor.primaryKey.compactMap { entry.column(named: descriptor.properties[$0].column)?.id }
    if promoted.contains(entry.name) {
      if !key.isEmpty { makeProvisional(&entry, key: key) }
    } else if demoted.contains(entry.name) {
      formerKeys[entry.id] = before.primaryKey.compactMap(entry.column)
      entry.primaryKey = []
    } else if key != entry.primaryKey || Self.hasOtherSecrets(before, entry) {
      if try count(before) > 0 {
        formerKeys[entry.id] = before.primaryKey.compactMap(before.column)
        makeProvisional(&entry, key: key)
      } else {
        entry.primaryKey = key
      }
    }
    try entry.addLayout()
  }

  /// Whether a part of the primary key becomes secret or is no longer secret, which changes the key of each
  /// object.
  private static func hasOtherSecrets(_ before: TypeEntry, _ after: TypeEntry) -> Bool {
    before.primaryKey.contains { before.column($0)?.isSecret != after.column($0)?.isSecret }
  }

  /// Removes a type's primary key until its objects get their new keys.
  private mutating func makeProvisional(_ entry: inout TypeEntry, key: [UInt16]) {
    rekeyed.insert(entry.name)
    entry.primaryKey = []
    entry.indexes = []
    for index in entry.columns.indices {
      // All objects would share the identifier in the class's default object.
      if key.contains(entry.columns[index].id), entry.columns[index].type.isGenerated {
        entry.columns[index].defaultPayload = nil
      }
    }
  }

  /// Removes the primary key of a type during a stage, because the block assigns to it.
  mutating func makeProvisional(_ name: String) throws {
    guard !rekeyed.contains(name), let index = catalogue.types.firstIndex(where: { $0.name == name }) else {
      return
    }
    var entry = catalogue.types[index]
    formerKeys[entry.id] = entry.primaryKey.compactMap(entry.column)
    makeProvisional(&entry, key: entry.primaryKey)
    try entry.addLayout()
    catalogue.types[index] = entry
  }

  /// Keeps a column of links that would be dropped, if the links are needed after the block.
  private func keepLinks(of column: ColumnEntry, in entry: inout TypeEntry) {
    guard column.type.isLink, let old = entry.columns.firstIndex(where: { $0.id == column.id }),
      entry.columns[old].isDropped, let source = column.type.target,
      let new = entry.columns.firstIndex(where: { $0.name == column.name && !$0.isDropped })
    else { return }
    let type = entry.columns[new].type
    guard type.container == column.type.container, let target = type.target else { return }
    if type.isLink, target != source {
      entry.columns[old].isDropped = false
      entry.columns[old].name = Self.pendingName(of: column.name, from: source)
    } else if type.kind == .embedded, target == source, demoted.contains(target) {
      entry.columns[old].isDropped = false
      entry.columns.remove(at: new)
    }
  }

  /// Adds a column for a property's links to objects of another type that will be moved to the property's
  /// type.
  ///
  /// - Returns: the column, which may already have existed.
  mutating func addPendingColumn(
    of column: ColumnEntry,
    from source: String,
    toType name: String
  ) throws -> ColumnEntry? {
    guard let index = catalogue.types.firstIndex(where: { $0.name == name }) else { return nil }
    let pending = Self.pendingName(of: column.name, from: source)
    if let known = catalogue.types[index].column(named: pending) { return known }
    let id = catalogue.types[index].nextColumnID
    guard id < UInt16.max else { throw Catalogue.usedUp(type: name, property: column.name) }
    catalogue.types[index].nextColumnID += 1
    var entry = column
    entry.id = id
    entry.name = pending
    entry.type.target = source
    catalogue.types[index].columns.append(entry)
    try catalogue.types[index].addLayout()
    return entry
  }
}
