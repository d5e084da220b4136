/// A collection of links, from which those to deleted objects are taken without that being a change of its
/// owner: the store has taken them out of the owner's record already.
protocol LinkCollection {
  /// - Parameters:
  ///   - keys: the keys of the deleted objects; nil where all objects of the type are deleted.
  ///   - isDeleted: whether an object is deleted.
  ///   - willDrop: called before the first change, where there is any.
  func dropElements(keys: Set<[UInt8]>?, _ isDeleted: (ObjectBase) -> Bool, willDrop: () -> Void)
}
