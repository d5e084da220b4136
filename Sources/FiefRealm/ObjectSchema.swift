import Fief

/// A class with its persisted properties, as code written for Realm asks for it.
public struct ObjectSchema: Sendable, Equatable, CustomStringConvertible {
  /// The properties in the order of their declaration, inherited ones first.
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

  /// The property that is the primary key; the first one where it has several parts, nil where there is none.
  public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }

  /// Whether objects of the class are inside of others.
  public var isEmbedded: Bool { objectClass is EmbeddedObject.Type }

  /// The property of a name; nil where there is none.
  public subscript(propertyName: String) -> Property? { properties.first { $0.name == propertyName } }

  /// The class with its properties.
  public var description: String {
    let texts = properties.map { property in
      property.description.split(separator: "\n").map { "\t\($0)\n" }.joined()
    }
    return "\(className) {\n" + texts.joined() + "}"
  }

  /// Whether the classes have one name and the same properties.
  public static func == (first: ObjectSchema, second: ObjectSchema) -> Bool {
    first.className == second.className && first.properties == second.properties
      && first.isEmbedded == second.isEmbedded
  }
}

extension ObjectBase {
  /// The stored properties of the class of the object.
  public var objectSchema: ObjectSchema { Self.sharedSchema(of: Swift.type(of: self)) }

  /// The stored properties of the class; nil for a base class of the library's.
  public class func sharedSchema() -> ObjectSchema? {
    if self == ObjectBase.self || self == Object.self || self == EmbeddedObject.self { return nil }
    return sharedSchema(of: self)
  }

  private static func sharedSchema(of type: ObjectBase.Type) -> ObjectSchema {
    ObjectSchema(DeclaredType(type))
  }
}
