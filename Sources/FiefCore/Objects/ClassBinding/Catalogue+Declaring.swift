/// Adding classes and properties to the catalogue.
extension Catalogue {
  /// Makes all properties non-secret. A store in memory is not encrypted.
  package mutating func removeSecrecy() {
    for type in types.indices {
      for column in types[type].columns.indices { types[type].columns[column].isSecret = false }
    }
  }

  /// Adds a type with all its columns.
  ///
  /// - Parameter former: the previous entry of the type, if the type gets a new entry.
  package mutating func add(_ descriptor: ObjectDescriptor, inPlaceOf former: TypeEntry? = nil) throws {
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
}

extension TypeEntry {
  /// Adds a column for a property.
  ///
  /// - Throws: ``FiefError`` of code `invalidSchema` if the type has already had 65,534 columns.
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
        defaultPayload: defaultPayload,
        isSecret: property.isSecret
      )
    )
    return id
  }

  /// Adds a layout of the current columns, unless the last layout has the same columns and types. Columns of
  /// varying width come last. The primary key is left out, because it is in the record's key.
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

/// Updating the rules and derived properties that classes declare.
extension TypeEntry {
  /// Replaces the rules and derived properties with the declarations of a class. Declarations for missing
  /// columns are left out.
  ///
  /// - Parameter former: the previous entry of the type if this entry replaces it; `nil` if the previous
  ///   rules are in this entry.
  mutating func updateRules(to descriptor: ObjectDescriptor, from former: TypeEntry? = nil) {
    let former = former ?? self
    let declared = former.rules(declaredBy: descriptor)
    let kept = former.relationships.filter(\.mayBeLeastOne).compactMap { former.column($0.column)?.name }
    relationships = []
    derived = []
    if isEmbedded { return }
    for rule in declared {
      guard let column = id(ofColumnNamed: rule.column) else { continue }
      let isLeastOne = descriptor.leastOnes.contains { $0.column == rule.column }
      relationships.append(
        RelationshipEntry(
          column: column,
          deleteRule: rule.deleteRule,
          minimum: rule.minimum,
          maximum: rule.maximum,
          isRequired: rule.isRequired,
          mayBeLeastOne: isLeastOne && kept.contains(rule.column)
        )
      )
    }
    for declared in descriptor.derived {
      guard let column = id(ofColumnNamed: declared.column) else { continue }
      var entry = DerivedEntry(column: column, kind: declared.kind, target: declared.target)
      if let source = declared.source {
        guard let id = id(ofColumnNamed: source) else { continue }
        entry.source = id
      }
      derived.append(entry)
    }
  }

  /// Returns the rules that a class declares, as this store interprets them. If the store contains a declared
  /// minimum of 1 from before format 6, it still means that an object is required.
  func rules(declaredBy descriptor: ObjectDescriptor) -> [RelationshipName] {
    var rules = descriptor.relationships
    for former in descriptor.leastOnes {
      guard relationships.contains(where: { $0.mayBeLeastOne && column($0.column)?.name == former.column })
      else {
        continue
      }
      rules.removeAll { $0.column == former.column }
      rules.append(former)
    }
    return rules
  }
}
