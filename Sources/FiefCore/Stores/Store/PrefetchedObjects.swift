/// Which keys are which objects: what a prefetch has looked up, for the properties that are resolved with it.
///
/// An ``ObjectContext`` that has it answers with it before it asks the store. What was resolved may keep that context,
/// so it is emptied at the end: the context is then as the one that it stands for.
final class PrefetchedObjects {
  /// Nil for a key that has no object.
  private var objects: [IdentityMap.Key: ObjectBase?] = [:]

  /// The object of a key; nil where it was not looked up.
  subscript(table: UInt32, key: UnsafeRawBufferPointer) -> ObjectBase?? {
    objects[IdentityMap.Key(table: table, key: key)]
  }

  func removeAll() { objects = [:] }

  func set(_ object: ObjectBase?, _ table: UInt32, _ key: UnsafeRawBufferPointer) {
    objects[IdentityMap.Key(table: table, key: key)] = .some(object)
  }
}
