/// A class with its persisted properties, for other modules of this package.
package struct DeclaredType: Sendable {
  /// One persisted property.
  package struct Property: Sendable {
    /// The property's name.
    package let name: String
    /// The name of its column in the store.
    package let column: String
    /// The type of its column.
    package let type: ColumnType
    /// Whether the property is part of the primary key.
    package let isPrimaryKey: Bool
    /// Whether the property has a separate index.
    package let isIndexed: Bool
    /// The property that an inverse follows backwards.
    package let originProperty: String?
  }

  /// The class.
  package let type: ObjectBase.Type
  /// The name of the type in the store.
  package let name: String
  /// The properties, inherited ones first.
  package let properties: [Property]

  /// Creates the description of a class.
  package init(_ type: ObjectBase.Type) {
    let descriptor = ObjectDescriptor.of(type)
    self.type = descriptor.type
    name = descriptor.name
    properties = descriptor.properties.map {
      Property(
        name: $0.name,
        column: $0.column,
        type: $0.type,
        isPrimaryKey: $0.isPrimaryKey,
        isIndexed: descriptor.isIndexed($0),
        originProperty: $0.originProperty
      )
    }
  }
}
