/// The paths to the properties whose reads a ``PropertyTracer`` has recorded.
package final class PropertyReads {
  /// A path from an object to a property.
  package struct Path: Hashable, Sendable {
    package var names: [String] = []
    /// Whether the path leads through a link, so that the value belongs to another object.
    package var followsLink = false

    /// Returns the path through a collection to a property of its elements.
    func appending(_ path: Path) -> Path { Path(names: names + path.names, followsLink: true) }
  }

  /// The objects that represent the targets of links, with their paths.
  private var places: [ObjectIdentifier: Path] = [:]
  private var objects: [ObjectBase] = []
  private var paths: [Path] = []
  /// The path of the property that was read last.
  private var last: Path?

  func begin(at object: ObjectBase) { hold(object, at: Path()) }

  func note(_ property: PropertyDescriptor, of object: ObjectBase) {
    last = nil
    guard var path = places[ObjectIdentifier(object)] else { return }
    path.names.append(property.name)
    if !paths.contains(path) { paths.append(path) }
    path.followsLink = path.followsLink || property.type.kind != .embedded
    last = path
  }

  /// Records the object that the last read property returned.
  func lead(to object: ObjectBase) {
    if let last { hold(object, at: last) }
  }

  private func hold(_ object: ObjectBase, at path: Path) {
    objects.append(object)
    places[ObjectIdentifier(object)] = path
  }

  /// The paths that are not a prefix of another path.
  var ends: [Path] {
    paths.filter { path in
      !paths.contains { $0.names.count > path.names.count && $0.names.starts(with: path.names) }
    }
  }
}
