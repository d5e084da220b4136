import FiefCore
import FiefObserving
import LMDB

/// A property of a projection, and its sources.
// SAFETY: a key path is constant, and what it may hold are arguments of subscripts, which it only compares and passes on.
struct ProjectionProperty: @unchecked Sendable {
  let name: String
  let wrapper: any ProjectedProperty
  /// The paths from the object to the properties that are read for it.
  let reads: [PropertyReads.Path]

  var keyPath: AnyKeyPath { wrapper.projectedKeyPath }

  /// The names of the properties that it is projected from, for people.
  var origin: String { reads.map { $0.names.joined(separator: ".") }.joined(separator: ", ") }

  var paths: [QueryPath] { reads.map { QueryPath(steps: $0.names.map { .property($0) }) } }

  /// The property's value, out of optionals; nil for nil.
  func value(of object: ObjectBase) -> Any? { plain(read(object)) }

  func read(_ object: ObjectBase) -> Any? { (object as Any)[keyPath: keyPath] }

  func plain(_ value: Any?) -> Any? { value.flatMap { PropertyChange.plain($0) } }
}

/// The properties of classes that inherit from ``Projection``: looked up once for each class, when they are first asked for.
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
        // The storage of a wrapped property has its name behind an underscore.
        name: label.hasPrefix("_") ? String(label.dropFirst()) : label,
        wrapper: property,
        reads: PropertyTracer.reads(from: View.Root.self) { ($0 as Any)[keyPath: keyPath] }
      )
    }
    known.withLock { $0[ObjectIdentifier(type)] = properties }
    return properties
  }

  /// The properties of a class by names, each its own or that of its source; nil for all of them.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` for a name of none, `invalidQuery` for one that is not
  ///   persisted.
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

  /// The names of the properties that key paths of a projection lead to.
  package static func names<View: ProjectionObservable>(_ keyPaths: [PartialKeyPath<View>]) -> [String] {
    keyPaths.flatMap { keyPath -> [String] in
      let reads = reads(keyPath)
      let names = of(View.self).filter { $0.reads == reads && !reads.isEmpty }.map(\.name)
      // No property has the name of a key path, so that the error says which one it was.
      return names.isEmpty ? ["\(keyPath)"] : names
    }
  }

  /// The paths from the object to the properties that are read for a key path of a projection.
  static func reads<View: ProjectionObservable>(_ keyPath: PartialKeyPath<View>) -> [PropertyReads.Path] {
    PropertyTracer.reads(from: View.Root.self) { object in
      (object as? View.Root).flatMap { View(projecting: $0)[keyPath: keyPath] }
    }
  }

  /// The path from the object to the first property with a single value that is read for a key path of a projection.
  static func firstRead<View: ProjectionObservable>(_ keyPath: PartialKeyPath<View>) -> QueryPath? {
    PropertyTracer.firstRead(from: View.Root.self) { object in
      (object as? View.Root).flatMap { View(projecting: $0)[keyPath: keyPath] }
    }
  }

  /// The path from the object to the property that a key path of a projection leads to.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for one that leads to none.
  static func path<View: ProjectionObservable>(_ keyPath: PartialKeyPath<View>) throws -> QueryPath {
    try PropertyTracer.path(keyPath, from: View.Root.self) { object in
      (object as? View.Root).flatMap { View(projecting: $0)[keyPath: keyPath] }
    }
  }

  /// The path of the collection that a key path of a projection shows by a property of its elements, and the
  /// path from an element to that.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for one that leads to none.
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
        "The key path leads to no collection.",
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
