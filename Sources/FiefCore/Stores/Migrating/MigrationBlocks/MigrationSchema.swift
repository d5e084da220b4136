/// The types of the old or the new schema of a migration.
///
/// ```swift
/// if migration.oldSchema["Dog"]?["age"]?.type.kind == .string { … }
/// ```
public struct MigrationSchema: Sendable, Hashable {
  /// One type.
  public struct ObjectType: Sendable, Hashable {
    /// The type's name.
    public let className: String
    /// The properties. In the new schema they are in the order of their declaration.
    public let properties: [PropertySchema]

    /// The property with a column name, or `nil` if the type does not have it.
    public subscript(propertyName: String) -> PropertySchema? {
      properties.first { $0.name == propertyName }
    }

    /// The primary key, or `nil` if the type has none. If the key has several properties, this is the first.
    public var primaryKeyProperty: PropertySchema? { properties.first(where: \.isPrimaryKey) }
  }

  /// The types, each with its name.
  public let objectSchema: [ObjectType]

  /// The type with a name, or `nil` if the schema does not have it.
  public subscript(className: String) -> ObjectType? { objectSchema.first { $0.className == className } }
}

extension Migration {
  /// The old schema of the store. In a step with its own classes, it is the schema before that step.
  public var oldSchema: MigrationSchema {
    MigrationSchema(
      objectSchema: oldTypeNames.map { .init(className: $0, properties: oldProperties(ofType: $0) ?? []) }
    )
  }

  /// The new schema of the migration. In a step with its own classes, it is the schema of these classes.
  public var newSchema: MigrationSchema {
    MigrationSchema(
      objectSchema: typeNames.map { .init(className: $0, properties: properties(ofType: $0) ?? []) }
    )
  }
}

extension MigrationObject {
  /// The name and the properties of the object's type, in the schema to which the object belongs.
  public var objectSchema: MigrationSchema.ObjectType {
    let properties =
      isOld ? migration.oldProperties(ofType: typeName) : migration.properties(ofType: typeName)
    return .init(className: typeName, properties: properties ?? [])
  }
}
