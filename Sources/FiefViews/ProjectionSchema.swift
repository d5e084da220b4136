import FiefCore
import FiefObserving
import LMDB

/// A property of a projection and its sources.
// SAFETY: a key path is immutable. It only compares its subscript arguments, if it has any, and passes them
// on.
struct ProjectionProperty: @unchecked Sendable {
  let name: String
  let wrapper: any ProjectedProperty
  /// The paths from the object to the properties that computing the value reads.
  let reads: [PropertyReads.Path]

  var keyPath: AnyKeyPath { wrapper.projectedKeyPath }

  /// The names of the source properties, for messages.
  var origin: String { reads.map { $0.names.joined(separator: ".") }.joined(separator: ", ") }

  var paths: [QueryPath] { reads.map { QueryPath(steps: $0.names.map { .property($0) }) } }

  /// Returns the property's value, unwrapped from optionals, or `nil` for a `nil` value.
  func value(of object: ObjectBase) -> Any? { plain(read(object)) }

  func read(_ object: ObjectBase) -> Any? { (object as Any)[keyPath: keyPath] }

  func plain(_ value: Any?) -> Any? { value.flatMap { PropertyChange.plain($0) } }
}

/// The properties of classes that inherit from ``Projection``. They are determined once per class, on first
/// use.
package enum ProjectionSchema {
  private static let known = OwnedLock<[ObjectIdentifier: [ProjectionProperty]]>([:])

  static func of<View: ProjectionObservable>(_ type: View.Type) -> [ProjectionProperty] {
    known.withLock { $0[ObjectIdentifier(type)] } ?? of(View(projecting: View.Root()))
  }

  static func of<View: ProjectionObservable>(_ view: View) -> [ProjectionProperty] {
    let type = Swift.type(of: view)
    if let properties = known.withLock({ $0[ObjectIdentifier(type)] }) { return properties }
    var mirrors: [Mirror] = []
    var mirror: Mirror? = Mirror(reflecting: view)
    while let current = mirror {
      mirrors.append(current)
      mirror = current.superclassMirror
    }
    let properties = mirrors.reversed().flatMap(\.children).compactMap { child -> ProjectionProperty? in
      guard let label = child.label, let property = child.value as? any ProjectedProperty else { return nil }
      let keyPath = property.projectedKeyPath
      return ProjectionProperty(
        // The storage of a wrapped property has the name of the property with an underscore before it.
        name: label.hasPrefix("_") ? String(label.dropFirst()) : label,
        wrapper: property,
        reads: PropertyTracer.reads(from: View.Root.self) { ($0 as Any)[keyPath: keyPath] }
      )
    }
    known.withLock { $0[ObjectIdentifier(type)] = properties }
    return properties
  }

  /// Returns the properties of a class that have the given names or whose source properties have them.
  /// Returns all properties for `nil`.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` if a name is unknown, or `invalidQuery` if its
  ///   property is not persisted.
  static func properties<View: ProjectionObservable>(
    of type: View.Type,
    named names: [String]?
  ) throws -> [ProjectionProperty] {
    let all = of(type)
    let chosen = try names.map { names in
      try names.flatMap { name in
        let own = all.filter { $0.name == name }
        let found = own.isEmpty ? all.filter { $0.origin == name } : own
        if found.isEmpty {
          throw FiefError(
            .unknownProperty,
            "The projection has no such property.",
            type: "\(type)",
            property: name
          )
        }
        return found
      }
    }
    return try (chosen ?? all).map { property in
      if property.reads.isEmpty {
        throw FiefError(
          .invalidQuery,
          "A property of the projection does not lead to a persisted property.",
          type: "\(type)",
          property: property.name
        )
      }
      return property
    }
  }

  /// Returns the properties that an observation follows, which are given by name.
  ///
  /// - Throws: the same errors as ``properties(of:named:)``.
  static func properties<View: ProjectionObservable>(
    of type: View.Type,
    _ watched: _WatchedPaths
  ) throws -> [ProjectionProperty] {
    try properties(of: type, named: try watched.paths.get()?.compactMap(\.text))
  }

  /// Returns the paths from the objects to the properties that an observation of projections follows.
  static func paths<View: ProjectionObservable>(of type: View.Type, _ watched: _WatchedPaths) -> _WatchedPaths
  {
    _WatchedPaths(paths: Result { try properties(of: type, watched).flatMap(\.paths) })
  }

  /// Returns the names of the properties to which key paths of a projection refer.
  static func names<View: ProjectionObservable>(_ keyPaths: [PartialKeyPath<View>]) -> [String] {
    keyPaths.flatMap { keyPath -> [String] in
      let reads = reads(keyPath)
      let names = of(View.self).filter { $0.reads == reads && !reads.isEmpty }.map(\.name)
      // No property is named like a key path, so the resulting error shows which key path was wrong.
      return names.isEmpty ? ["\(keyPath)"] : names
    }
  }

  /// Returns the paths of the object's properties from which a key path of a projection gets its value.
  static func reads<View: ProjectionObservable>(_ keyPath: PartialKeyPath<View>) -> [PropertyReads.Path] {
    PropertyTracer.reads(from: View.Root.self) { object in
      (object as? View.Root).flatMap { View(projecting: $0)[keyPath: keyPath] }
    }
  }

  /// Returns the path of the first single-valued property of the object from which a key path of a projection
  /// gets its value.
  static func firstRead<View: ProjectionObservable>(_ keyPath: PartialKeyPath<View>) -> QueryPath? {
    PropertyTracer.firstRead(from: View.Root.self) { object in
      (object as? View.Root).flatMap { View(projecting: $0)[keyPath: keyPath] }
    }
  }

  /// Returns the path from the object to the property to which a key path of a projection refers.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if the key path refers to no property.
  static func path<View: ProjectionObservable>(_ keyPath: PartialKeyPath<View>) throws -> QueryPath {
    try PropertyTracer.path(keyPath, from: View.Root.self) { object in
      (object as? View.Root).flatMap { View(projecting: $0)[keyPath: keyPath] }
    }
  }

  /// Returns the path of the collection that a key path of a projection shows, and the path from an element
  /// to the shown property.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if the key path refers to no collection.
  static func elements<View: ProjectionObservable>(
    _ keyPath: PartialKeyPath<View>
  ) throws -> (collection: QueryPath, element: QueryPath) {
    var property: AnyKeyPath?
    let collection = try PropertyTracer.path(keyPath, from: View.Root.self) { object in
      let shown =
        (object as? View.Root).flatMap { View(projecting: $0)[keyPath: keyPath] } as? any ElementProjecting
      property = shown?.elementKeyPath
      return shown?.members
    }
    guard let property else {
      throw FiefError(
        .invalidQuery,
        "The key path does not lead to a collection.",
        details: ["key path: \(keyPath)"]
      )
    }
    return (collection, try TypedPath.path(property))
  }

  static func readOnly(_ keyPath: AnyKeyPath, of type: ObjectBase.Type) -> FiefError {
    FiefError(
      .invalidValue,
      "The projected property cannot be assigned; nothing was changed. Assign the property of the object.",
      type: type.className(),
      details: ["key path: \(keyPath)"]
    )
  }
}
