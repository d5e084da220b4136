/// A class with its persisted properties, for modules of this package.
package struct DeclaredType: Sendable {
  /// One persisted property.
  package struct Property: Sendable {
    /// The property's name.
    package let name: String
    /// The name of its column in the store.
    package let column: String
    /// What a record keeps for it.
    package let type: ColumnType
    /// Whether it is a part of the primary key.
    package let isPrimaryKey: Bool
    /// Whether it has a plain index.
    package let isIndexed: Bool
    /// The property that an inverse follows back.
    package let originProperty: String?
  }

  /// The class.
  package let type: ObjectBase.Type
  /// The name of the type in the store.
  package let name: String
  /// The properties, inherited ones first.
  package let properties: [Property]

  /// Describes a class.
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
