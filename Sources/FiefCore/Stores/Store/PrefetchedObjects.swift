/// The results of a prefetch: the object of each key, for the properties that are resolved during the
/// prefetch.
///
/// An ``ObjectContext`` with prefetched objects uses them before it reads the store. A resolved value may
/// keep this context, so the objects are removed at the end. The context then behaves like the context that
/// it replaces.
final class PrefetchedObjects {
  /// The objects by key. The value is nil if no object has the key.
  private var objects: [IdentityMap.Key: ObjectBase?] = [:]

  /// The object of a key; nil if the key was not looked up.
  subscript(table: UInt32, key: UnsafeRawBufferPointer) -> ObjectBase?? {
    objects[IdentityMap.Key(table: table, key: key)]
  }

  func removeAll() { objects = [:] }

  func set(_ object: ObjectBase?, _ table: UInt32, _ key: UnsafeRawBufferPointer) {
    objects[IdentityMap.Key(table: table, key: key)] = .some(object)
  }
}
