/// The objects that an application has put into a collection of `AnyRealmValue`s since it was saved.
///
/// All other objects in the collection were read with it. If such an object was deleted in the meantime, the
/// value is `.none`, as in the store. A deleted object that the application has put in makes the save fail.
struct UnsavedValueObjects {
  /// Whether the collection was assigned as a whole.
  fileprivate var areAll = false
  /// Strong references, because a later object could otherwise have the same identity.
  fileprivate var objects: [ObjectIdentifier: ObjectBase] = [:]

  /// All objects of a collection that is assigned as a whole.
  static var all: UnsavedValueObjects {
    var all = UnsavedValueObjects()
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
    if given == nil { given = UnsavedValueObjects() }
    value.forEachObject { given?.objects[ObjectIdentifier($0)] = $0 }
  }

  /// Called before a change. Discards the objects that were put in before the last save.
  @inline(never)
  final func forgetSavedObjects() {
    if let owner, let property = owner.descriptor.property(at: offset), !owner.isAssigned(property) {
      given = nil
      guard WritingThreads.scopes.isEmpty, let links = self as? any ReadLinksCollection else { return }
      noteStored(links.linksInMemory)
    }
  }

  /// Notes links that the store has, although they are not in the record from which the collection was read.
  final func noteStored(_ objects: [ObjectBase]) {
    for object in objects {
      if given == nil { given = UnsavedValueObjects() }
      given?.objects[ObjectIdentifier(object)] = object
    }
  }

  /// Called when a save outside of writes encodes links that are not in a record. If the save succeeds, the
  /// next change notes the links.
  final func noteSave(by graph: ObjectGraph?) {
    if given == nil, let graph, graph.ownContext == nil, !graph.isOperand { given = UnsavedValueObjects() }
  }

  /// Whether an earlier save has stored the link to an object.
  final func wasSaved(_ object: ObjectBase) -> Bool { given?.objects[ObjectIdentifier(object)] != nil }

  /// Appends the objects of values that were read with the collection.
  final func appendReadObjects(
    of values: some Sequence<some RealmCollectionValue>,
    to objects: inout [ObjectBase]
  ) {
    for case let value as AnyRealmValue in values where value.hasObject {
      value.forEachObject { if !wasGiven($0) { objects.append($0) } }
    }
  }
}

extension List: ReadLinksCollection {
  var linksInMemory: [ObjectBase] {
    guard Element._linkType != nil else { return [] }
    return contents?.slots?.insertedObjects ?? values.compactMap { $0 as? ObjectBase }
  }

  func appendReadObjects(to objects: inout [ObjectBase]) {
    if let slots = contents?.slots { return slots.appendReadObjects(to: &objects) }
    if Element.self == AnyRealmValue.self { appendReadObjects(of: plainValues, to: &objects) }
  }
}

extension MutableSet: ReadLinksCollection {
  var linksInMemory: [ObjectBase] {
    guard Element._linkType != nil else { return [] }
    return slots?.insertedObjects ?? elements.compactMap { $0 as? ObjectBase }
  }

  func appendReadObjects(to objects: inout [ObjectBase]) {
    if let slots { return slots.appendReadObjects(to: &objects) }
    if Element.self == AnyRealmValue.self { appendReadObjects(of: elements, to: &objects) }
  }
}

extension Map: ReadLinksCollection {
  var linksInMemory: [ObjectBase] {
    guard Value._linkType != nil else { return [] }
    return linked?.insertedObjects ?? entries.values.compactMap { $0 as? ObjectBase }
  }

  func appendReadObjects(to objects: inout [ObjectBase]) {
    if let linked { return linked.appendReadObjects(to: &objects) }
    if Value.self == AnyRealmValue.self { appendReadObjects(of: entries.values, to: &objects) }
  }
}
