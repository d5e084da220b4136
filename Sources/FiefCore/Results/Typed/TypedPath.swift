import LMDB

/// The names behind key paths.
///
/// A key path has no names at run time. It is applied to an object whose properties note that they are read;
/// the path found is kept, so that this happens once for each key path.
package enum TypedPath {
  /// Key paths of classes are constants of the program, so that there are not many; only those that the
  /// program puts together itself could be.
  private static let limit = 4096
  private static let known = OwnedLock<[AnyKeyPath: QueryPath]>([:])

  /// The path of a key path, through links and embedded objects too.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for a key path that does not lead to a persisted property.
  package static func path<Root, Value>(_ keyPath: KeyPath<Root, Value>) throws -> QueryPath {
    try path(keyPath as AnyKeyPath)
  }

  /// The path of a key path whose types are not known.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for a key path that does not lead to a persisted property.
  package static func path(_ keyPath: AnyKeyPath) throws -> QueryPath {
    if let path = known.withLock({ $0[keyPath] }) { return path }
    let path = try PropertyTracer.path(keyPath)
    known.withLock { known in
      if known.count < limit { known[keyPath] = path }
    }
    return path
  }
}
