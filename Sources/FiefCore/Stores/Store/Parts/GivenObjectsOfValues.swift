/// The objects that an application has put into a collection of `AnyRealmValue`s since it was saved.
///
/// All other objects in the collection were read with it. If such an object was deleted in the meantime, the
/// value is `.none`, as in the store. A deleted object that the application has put in makes the save fail.
struct GivenObjectsOfValues {
  /// Whether the collection was assigned as a whole.
  fileprivate var areAll = false
  /// Strong references, because a later object could otherwise have the same identity.
  fileprivate var objects: [ObjectIdentifier: ObjectBase] = [:]

  /// All objects of a collection that is assigned as a whole.
  static var all: GivenObjectsOfValues {
    var all = GivenObjectsOfValues()
    all.areAll = true
    return all
  }
}

extension _OwnedCollection {
  /// Whether the application put an object of a value into the collection.
  final func wasGiven(_ object: ObjectBase) -> Bool {
    given.map { $0.areAll || $0.objects[ObjectIdentifier(object)] != nil } ?? false
  }

  /// Records the objects of an element that the application has put in.
  final func noteGiven<Element: RealmCollectionValue>(_ element: Element) {
    guard Element.self == AnyRealmValue.self, let value = element as? AnyRealmValue, value.hasObject else {
      return
    }
    if given == nil { given = GivenObjectsOfValues() }
    value.forEachObject { given?.objects[ObjectIdentifier($0)] = $0 }
  }

  /// Called before a change. Discards the objects that were put in before the last save.
  @inline(never)
  final func forgetSavedObjects() {
    if let owner, let property = owner.descriptor.property(at: offset), !owner.isAssigned(property) {
      given = nil
    }
  }
}
