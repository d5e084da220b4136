import FiefCore

/// An object type of a store, as stored in the catalogue.
public struct DynamicType: Sendable, Hashable {
  /// The type's name.
  public let name: String
  /// A Boolean value that indicates whether the objects are embedded in other objects.
  public let isEmbedded: Bool
  /// The properties, in the order in which they were added to the store, without dropped ones.
  public let columns: [PropertySchema]
  /// The names of the primary key's properties, in order. Empty if the store assigns row ids.
  public let primaryKey: [String]

  /// The indexes.
  public let indexes: [DynamicIndex]
  /// The relationships that have rules.
  public let relationships: [DynamicRelationship]
  /// The properties whose values the store derives.
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

  /// Returns the property with a name, or `nil` if it does not exist.
  public func column(named name: String) -> PropertySchema? { columns.first { $0.name == name } }

  /// The properties that have stored values: all except inverses.
  public var storedColumns: [PropertySchema] { columns.filter { $0.type.kind != .linkingObjects } }
}
