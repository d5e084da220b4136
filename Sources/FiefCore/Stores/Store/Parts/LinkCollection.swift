/// A collection of links, as a write sees it that deletes objects.
protocol LinkCollection {
  var count: Int { get }

  /// Takes out links to deleted objects without a change of the owner: the store has taken them out of the owner's record already.
  ///
  /// - Parameters:
  ///   - keys: the keys of the deleted objects; nil where all objects of the type are deleted.
  ///   - isDeleted: whether an object is deleted.
  func dropElements(keys: Set<[UInt8]>?, _ isDeleted: (ObjectBase) -> Bool)

  /// Makes links to deleted objects unread again; each keeps its key, which is in the owner's record. Objects that were given, and have no key
  /// here, are taken out; the values of a map that can be nil are set to nil.
  ///
  /// - Parameters:
  ///   - isDeleted: whether an object is deleted.
  ///   - willDrop: called before the first change, where there is any.
  func dropObjects(where isDeleted: (ObjectBase) -> Bool, willDrop: () -> Void)
}
