extension QueryPath {
  /// The path that a key path of a class stands for.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for a key path that does not lead to a persisted property.
  static func of<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) throws -> QueryPath {
    try TypedPath.path(keyPath)
  }
}
