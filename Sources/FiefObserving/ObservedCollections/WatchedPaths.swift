import FiefCore

/// The paths whose values an observation of the elements follows, or `nil` to follow the whole elements.
public struct _WatchedPaths: Sendable {
  package let paths: Result<[QueryPath]?, any Error>

  package init(paths: Result<[QueryPath]?, any Error>) { self.paths = paths }

  package init(_ keyPaths: [String]?) { paths = .success(keyPaths?.map(QueryPath.init(keyPath:))) }

  package init<Root: _WatchedElement>(_ keyPaths: [PartialKeyPath<Root>]) { self = Root._watched(keyPaths) }
}

/// A class with properties that an observation can follow: a class of objects or of projections.
public protocol _WatchedElement: AnyObject, SendableMetatype {
  /// Returns the paths to the properties to which key paths of the class refer.
  static func _watched(_ keyPaths: [AnyKeyPath]) -> _WatchedPaths
}

extension ObjectBase: _WatchedElement {
  /// Returns the paths to the properties to which key paths of the class refer.
  public static func _watched(_ keyPaths: [AnyKeyPath]) -> _WatchedPaths {
    _WatchedPaths(paths: Result { try keyPaths.map { try TypedPath.path($0) } })
  }
}
