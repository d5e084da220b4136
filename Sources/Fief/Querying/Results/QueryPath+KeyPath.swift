extension QueryPath {
  /// The path that a key path of a class stands for.
  static func of<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) throws -> QueryPath {
    throw FiefError(.invalidQuery, "The key path does not name a property.", type: Root.className())
  }

  static func of<Root: ObjectBase, Value>(_ keyPath: KeyPath<Root, Value>) throws -> QueryPath {
    guard let property = PropertyTracer.property(keyPath) else {
      throw FiefError(
        .unknownProperty,
        "The key path does not name a property.",
        type: Root.className(),
        property: "\(keyPath)"
      )
    }
    return QueryPath(property.name)
  }
}
