import FiefCore

/// One object type of a store, as its catalogue has it.
public struct DynamicType: Sendable, Hashable {
  /// The type's name.
  public let name: String
  /// Whether its objects are parts of others.
  public let isEmbedded: Bool
  /// The properties, in the order in which the store got them; dropped ones are not among them.
  public let columns: [PropertySchema]
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
    columns = entry.properties
    indexes = table.indexes.map { DynamicIndex($0, in: entry) }
    relationships = entry.relationships.map { DynamicRelationship($0.name(in: entry)) }
    derivedProperties = entry.derived.map { DynamicDerivedProperty($0.name(in: entry)) }
    primaryKey = entry.primaryKey.compactMap { entry.column($0)?.name }
  }

  /// The property with a name, nil where there is none.
  public func column(named name: String) -> PropertySchema? { columns.first { $0.name == name } }

  /// The properties that have values of their own: all but inverses.
  public var storedColumns: [PropertySchema] { columns.filter { $0.type.kind != .linkingObjects } }
}
