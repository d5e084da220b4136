import Fief

/// The classes of a store, as code written for Realm asks for them.
public struct Schema: Sendable, Equatable, CustomStringConvertible {
  /// The classes by name, embedded ones too.
  public let objectSchema: [ObjectSchema]

  /// The class of a name; nil where the store has none.
  public subscript(className: String) -> ObjectSchema? { objectSchema.first { $0.className == className } }

  /// The classes with their properties.
  public var description: String {
    let texts = objectSchema.map { type in
      type.description.split(separator: "\n").map { "\t\($0)\n" }.joined()
    }
    return "Schema {\n" + texts.joined() + "}"
  }
}

extension Store {
  /// The classes that the handle sees; none, and an event, where the store is not open.
  public var schema: Schema {
    do { return Schema(objectSchema: try declaredTypes().map { ObjectSchema($0) }) } catch {
      reportMisuse(error)
      return Schema(objectSchema: [])
    }
  }
}
