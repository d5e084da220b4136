import Fief

/// The types of a schema with their properties, for display and for documents.
package struct SchemaDescription: Sendable, Equatable {
  /// One type.
  package struct ObjectType: Sendable, Equatable {
    /// The type's name.
    package let name: String
    /// Whether the objects are embedded in other objects.
    package let isEmbedded: Bool
    /// The type's properties, in the order of their declaration.
    package let properties: [PropertySchema]
    /// Descriptions of the indexes: `unique index (team, number)`.
    package let indexes: [String]
    /// Descriptions of the rules of relationships: `members: cascade, at least 2`.
    package let relationships: [String]
    /// Descriptions of the derived properties: `total: sum of orders.price`.
    package let derived: [String]
  }

  /// The schema's version.
  package let version: UInt64
  /// The types, sorted by name.
  package let types: [ObjectType]
}

extension SchemaDescription {
  init(_ schema: DeclaredSchema, version: UInt64) {
    self.version = version
    types = schema.descriptors.map { descriptor in
      ObjectType(
        name: descriptor.name,
        isEmbedded: descriptor.isEmbedded,
        properties: descriptor.properties.map { PropertySchema($0, isIndexed: descriptor.isIndexed($0)) },
        indexes: descriptor.indexes.map(\.description),
        relationships: descriptor.relationships.map(\.description),
        derived: descriptor.derived.map(\.description)
      )
    }.sorted { $0.name < $1.name }
  }

  init(_ catalogue: Catalogue) {
    version = catalogue.schemaVersion
    types = catalogue.types.map { entry in
      ObjectType(
        name: entry.name,
        isEmbedded: entry.isEmbedded,
        properties: entry.properties,
        indexes: entry.indexes.map { $0.name(in: entry).description },
        relationships: entry.relationships.map { $0.name(in: entry).description },
        derived: entry.derived.map { $0.name(in: entry).description }
      )
    }.sorted { $0.name < $1.name }
  }
}

extension StoreMaintenance {
  /// Returns the schema that the repository declares.
  ///
  /// - Throws: ``FiefError`` if the schema cannot be stored as declared.
  package func declaredSchema() throws -> SchemaDescription {
    SchemaDescription(try configuration.get().schema, version: declaredVersion)
  }
}

extension StoreInspection {
  /// The schema of the store.
  package var schema: SchemaDescription { SchemaDescription(catalogue) }
}
