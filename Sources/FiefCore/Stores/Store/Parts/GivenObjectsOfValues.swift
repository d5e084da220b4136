/// The objects that an application has put into a collection of values of any type since it was saved.
///
/// Other objects in the collection were read with it. If such an object was deleted meanwhile, the value is
/// `.none`, as in the store. A deleted object that the application gave fails the save.
struct GivenObjectsOfValues {
  /// Whether the collection was assigned as a whole.
  fileprivate var areAll = false
  /// Held, because a later object could otherwise have the same identity.
  fileprivate var objects: [ObjectIdentifier: ObjectBase] = [:]

  /// All objects of a collection that is assigned as a whole.
  static var all: GivenObjectsOfValues {
    var all = GivenObjectsOfValues()
    all.areAll = true
    return all
  }
}

extension _OwnedCollection {
  /// Whether the application gave an object of a value in the collection.
  final func wasGiven(_ object: ObjectBase) -> Bool {
    given.map { $0.areAll || $0.objects[ObjectIdentifier(object)] != nil } ?? false
  }

  /// Notes the objects of an element that the application gave.
  final func noteGiven<Element: RealmCollectionValue>(_ element: Element) {
    guard Element.self == AnyRealmValue.self, let value = element as? AnyRealmValue, value.hasObject else {
      return
    }
    if given == nil { given = GivenObjectsOfValues() }
    value.forEachObject { given?.objects[ObjectIdentifier($0)] = $0 }
  }

  /// Called before a change. Forgets the objects that the application gave before the last save.
  @inline(never)
  final func forgetSavedObjects() {
    if let owner, let property = owner.descriptor.property(at: offset), !owner.isAssigned(property) {
      given = nil
    }
  }
}
