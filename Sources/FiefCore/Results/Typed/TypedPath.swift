import LMDB

/// The property names in key paths.
///
/// A key path has no names at run time. It is applied to an object whose properties record their reads. The
/// resulting path is cached, so this happens once for each key path.
package enum TypedPath {
  /// The maximum number of cached paths. Key paths are usually constants of the program, so there are few of
  /// them; only a program that composes key paths at run time can have many.
  private static let limit = 4096
  private static let known = OwnedLock<[AnyKeyPath: QueryPath]>([:])

  /// Returns the query path for a key path, also through links and embedded objects.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for a key path that does not lead to a persisted
  ///   property.
  package static func path<Root, Value>(_ keyPath: KeyPath<Root, Value>) throws -> QueryPath {
    try path(keyPath as AnyKeyPath)
  }

  /// Returns the query path for a key path of unknown types.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for a key path that does not lead to a persisted
  ///   property.
  package static func path(_ keyPath: AnyKeyPath) throws -> QueryPath {
    if let path = known.withLock({ $0[keyPath] }) { return path }
    let path = try PropertyTracer.path(keyPath)
    known.withLock { known in
      if known.count < limit { known[keyPath] = path }
    }
    return path
  }
}
