extension QueryPath {
  /// Returns the query path for a key path of a class.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for a key path that does not lead to a persisted
  ///   property.
  package static func of<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) throws -> QueryPath {
    try TypedPath.path(keyPath)
  }
}
