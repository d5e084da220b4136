/// A collection of links, from which those to deleted objects are taken without that being a change of its
/// owner: the store has taken them out of the owner's record already.
protocol LinkCollection {
  /// - Parameters:
  ///   - key: the key of the deleted object; nil where all objects of the type are deleted.
  ///   - isDeleted: whether an object is deleted.
  func dropElements(key: [UInt8]?, _ isDeleted: (ObjectBase) -> Bool)
}
