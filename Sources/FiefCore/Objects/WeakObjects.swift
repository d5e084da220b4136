/// A set of objects, compared by their identity, that does not keep the objects alive.
struct WeakObjects {
  // SAFETY: the object is only compared by its identity, and a weak reference can be read on any thread.
  private struct Reference: @unchecked Sendable {
    weak var object: ObjectBase?
  }

  private var references: [ObjectIdentifier: Reference] = [:]
  /// The number of references at which the references to released objects are removed.
  private var limit = 32

  init() {}

  init(_ objects: [ObjectBase]) { for object in objects { insert(object) } }

  var isEmpty: Bool { references.isEmpty }

  /// The objects that still exist.
  var all: [ObjectBase] { references.values.compactMap(\.object) }

  /// A later object can have the identity of a released object.
  func contains(_ object: ObjectBase) -> Bool { references[ObjectIdentifier(object)]?.object === object }

  mutating func insert(_ object: ObjectBase) {
    if references.count >= limit {
      references = references.filter { $0.value.object != nil }
      limit = max(32, 2 * references.count)
    }
    references[ObjectIdentifier(object)] = Reference(object: object)
  }

  mutating func remove(_ object: ObjectBase) { references[ObjectIdentifier(object)] = nil }
}
