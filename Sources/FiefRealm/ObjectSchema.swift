import Fief

/// A class with its persisted properties.
public struct ObjectSchema: Sendable, Equatable, CustomStringConvertible {
  /// The properties in the order of their declarations, starting with inherited properties.
  public let properties: [Property]
  /// The name of the type in the store.
  public let className: String
  /// The class.
  public let objectClass: ObjectBase.Type

  init(_ type: DeclaredType) {
    properties = type.properties.map { Property($0) }
    className = type.name
    objectClass = type.type
  }

  /// The property that is the primary key, or `nil` if the class has no primary key. If the key has several
  /// parts, it is the first part.
  public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }

  /// A Boolean value that indicates whether the class is a class of embedded objects.
  public var isEmbedded: Bool { objectClass is EmbeddedObject.Type }

  /// The property with a name, or `nil` if it does not exist.
  public subscript(propertyName: String) -> Property? { properties.first { $0.name == propertyName } }

  /// A description of the class and its properties.
  public var description: String {
    let texts = properties.map { property in
      property.description.split(separator: "\n").map { "\t\($0)\n" }.joined()
    }
    return "\(className) {\n" + texts.joined() + "}"
  }

  /// Returns a Boolean value that indicates whether the classes have the same name and the same properties.
  public static func == (first: ObjectSchema, second: ObjectSchema) -> Bool {
    first.className == second.className && first.properties == second.properties
      && first.isEmbedded == second.isEmbedded
  }
}

extension ObjectBase {
  /// The stored properties of the class of the object.
  public var objectSchema: ObjectSchema { Self.sharedSchema(of: Swift.type(of: self)) }

  /// Returns the stored properties of the class, or `nil` for a base class of the library.
  public class func sharedSchema() -> ObjectSchema? {
    if self == ObjectBase.self || self == Object.self || self == EmbeddedObject.self { return nil }
    return sharedSchema(of: self)
  }

  private static func sharedSchema(of type: ObjectBase.Type) -> ObjectSchema {
    ObjectSchema(DeclaredType(type))
  }
}
