/// A collection of links, as used by a write that deletes objects.
protocol LinkCollection {
  var count: Int { get }

  /// Removes links to deleted objects without marking the owner as changed, because the store has already
  /// removed them from the owner's record.
  ///
  /// - Parameters:
  ///   - keys: the keys of the deleted objects; nil if all objects of the type are deleted.
  ///   - isDeleted: returns whether an object was deleted.
  func dropElements(keys: Set<[UInt8]>?, _ isDeleted: (ObjectBase) -> Bool)

  /// Marks links to deleted objects as unread. Each link keeps its key, which is in the owner's record.
  /// Objects that were assigned and have no key are removed; in a map with optional values their values are
  /// set to nil.
  ///
  /// - Parameters:
  ///   - isDeleted: returns whether an object was deleted.
  ///   - willDrop: called before the first change.
  func dropObjects(where isDeleted: (ObjectBase) -> Bool, willDrop: () -> Void)
}
