/// The types of a schema that a migration comes from or leads to.
///
/// ```swift
/// if migration.oldSchema["Dog"]?["age"]?.type.kind == .string { … }
/// ```
public struct MigrationSchema: Sendable, Hashable {
  /// One type.
  public struct ObjectType: Sendable, Hashable {
    /// The type's name.
    public let className: String
    /// Its properties: of the new schema in the order of their declaration.
    public let properties: [PropertySchema]

    /// The property of a name, which is that of its column; nil where the type has none.
    public subscript(propertyName: String) -> PropertySchema? {
      properties.first { $0.name == propertyName }
    }

    /// The primary key; nil where the type has none, and for one of several properties its first.
    public var primaryKeyProperty: PropertySchema? { properties.first(where: \.isPrimaryKey) }
  }

  /// The types by their names.
  public let objectSchema: [ObjectType]

  /// The type of a name; nil where the schema has none.
  public subscript(className: String) -> ObjectType? { objectSchema.first { $0.className == className } }
}

extension Migration {
  /// The schema of the store as it was; in a step with classes of its own, as it was before that step.
  public var oldSchema: MigrationSchema {
    MigrationSchema(
      objectSchema: oldTypeNames.map { .init(className: $0, properties: oldProperties(ofType: $0) ?? []) }
    )
  }

  /// The schema that the migration leads to; in a step with classes of its own, that of these.
  public var newSchema: MigrationSchema {
    MigrationSchema(
      objectSchema: typeNames.map { .init(className: $0, properties: properties(ofType: $0) ?? []) }
    )
  }
}

extension MigrationObject {
  /// The name and the properties of the object's type, in the schema that the object belongs to.
  public var objectSchema: MigrationSchema.ObjectType {
    let properties =
      isOld ? migration.oldProperties(ofType: typeName) : migration.properties(ofType: typeName)
    return .init(className: typeName, properties: properties ?? [])
  }
}
