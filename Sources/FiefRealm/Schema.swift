import Fief

/// The classes of a store.
public struct Schema: Sendable, Equatable, CustomStringConvertible {
  /// The classes, including classes of embedded objects.
  public let objectSchema: [ObjectSchema]

  /// The class with a name, or `nil` if the store has none.
  public subscript(className: String) -> ObjectSchema? { objectSchema.first { $0.className == className } }

  /// A description of the classes and their properties.
  public var description: String {
    let texts = objectSchema.map { type in
      type.description.split(separator: "\n").map { "\t\($0)\n" }.joined()
    }
    return "Schema {\n" + texts.joined() + "}"
  }
}

extension Store {
  /// The classes that the handle declares. If the store is not open, the schema is empty, and the error is
  /// reported.
  public var schema: Schema {
    do { return Schema(objectSchema: try declaredTypes().map { ObjectSchema($0) }) } catch {
      reportMisuse(error)
      return Schema(objectSchema: [])
    }
  }
}
