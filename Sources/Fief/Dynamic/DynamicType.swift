/// One object type of a store, as its catalogue has it.
public struct DynamicType: Sendable, Hashable {
  /// The type's name.
  public let name: String
  /// Whether its objects are parts of others.
  public let isEmbedded: Bool
  /// The properties, in the order in which the store got them; dropped ones are not among them.
  public let columns: [DynamicColumn]
  /// The names of the primary key's properties, in order; empty where the store gives each object a number.
  public let primaryKey: [String]

  /// The indexes.
  public let indexes: [DynamicIndex]
  /// The relationships that have rules.
  public let relationships: [DynamicRelationship]
  /// The properties whose values the store keeps by itself.
  public let derivedProperties: [DynamicDerivedProperty]

  init(_ table: Table) {
    let entry = table.entry
    name = entry.name
    isEmbedded = entry.isEmbedded
    columns = entry.currentColumns.map {
      DynamicColumn(
        $0,
        isIndexed: entry.isIndexed($0.id),
        isPrimaryKey: entry.primaryKey.contains($0.id)
      )
    }
    indexes = table.indexes.map { DynamicIndex($0, in: entry) }
    relationships = entry.relationships.map { DynamicRelationship($0.name(in: entry)) }
    derivedProperties = entry.derived.map { DynamicDerivedProperty($0.name(in: entry)) }
    primaryKey = entry.primaryKey.compactMap { entry.column($0)?.name }
  }

  /// The property with a name, nil where there is none.
  public func column(named name: String) -> DynamicColumn? { columns.first { $0.name == name } }

  /// The properties that have values of their own: all but inverses.
  public var storedColumns: [DynamicColumn] { columns.filter { $0.type.kind != .linkingObjects } }
}

/// One property of a type, as the catalogue has it.
public struct DynamicColumn: Sendable, Hashable {
  /// The property's name in the store.
  public let name: String
  /// What it holds.
  public let type: ColumnType
  /// Whether there is an index of its values alone, of whatever kind.
  public let isIndexed: Bool
  /// Whether it is the primary key or a part of it.
  public let isPrimaryKey: Bool
  /// For an inverse, the property of ``ColumnType/target`` that it follows back.
  public let originProperty: String?
  private let defaultPayload: [UInt8]?

  init(_ column: ColumnEntry, isIndexed: Bool, isPrimaryKey: Bool) {
    name = column.name
    type = column.type
    self.isIndexed = isIndexed
    self.isPrimaryKey = isPrimaryKey
    originProperty = column.originProperty
    defaultPayload = column.defaultPayload
  }

  /// What objects have that are older than the property; nil where that is nil, or where none is older.
  public var defaultValue: Any? {
    guard type.kind != .embedded, type.kind != .link, let defaultPayload else { return nil }
    // The catalogue has a checksum: what it says is what was declared.
    return try? defaultPayload.withUnsafeBytes { try DynamicPayload.value($0, type: type) }
  }
}
