/// A collection of links, from which those to deleted objects are taken without that being a change of its
/// owner: the store has taken them out of the owner's record already.
protocol LinkCollection {
  func dropElements(_ isDeleted: (ObjectBase) -> Bool)
}

extension List: LinkCollection {
  func dropElements(_ isDeleted: (ObjectBase) -> Bool) {
    drop { ($0 as? ObjectBase).map(isDeleted) ?? false }
  }
}

extension MutableSet: LinkCollection {
  func dropElements(_ isDeleted: (ObjectBase) -> Bool) {
    drop { ($0 as? ObjectBase).map(isDeleted) ?? false }
  }
}

extension Map: LinkCollection {
  func dropElements(_ isDeleted: (ObjectBase) -> Bool) {
    drop { ($0 as? ObjectBase).map(isDeleted) ?? false }
  }
}
