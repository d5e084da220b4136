/// The objects that a collection records to tell links that were read from links that were put in.
///
/// For a collection of `AnyRealmValue`s, these are the objects that the application has put in since the last
/// save. All other objects in the collection were read with it. If such an object was deleted in the
/// meantime, the value is `.none`, as in the store. A deleted object that the application has put in makes
/// the save fail.
///
/// For a collection of links, these are the objects whose links a save has stored.
final class NotedObjects {
  /// Whether the collection was assigned as a whole.
  fileprivate let areAll: Bool
  fileprivate var objects: WeakObjects
  /// The last save that has encoded the collection.
  fileprivate var save: SaveOutcome?
  /// The objects before the first change after the save has encoded the collection. They count while the save
  /// waits, and if it fails.
  fileprivate var former: NotedObjects?

  init(areAll: Bool = false, _ objects: WeakObjects = WeakObjects(), save: SaveOutcome? = nil) {
    self.areAll = areAll
    self.objects = objects
    self.save = save
  }

  var isEmpty: Bool { objects.isEmpty }

  /// Whether the application has put an object in, unless a waiting save stores it.
  fileprivate func hasGiven(_ object: ObjectBase) -> Bool {
    areAll || objects.contains(object) || former?.hasGiven(object) ?? false
  }

  /// Whether a completed save has stored the link to an object.
  fileprivate func hasSaved(_ object: ObjectBase) -> Bool {
    objects.contains(object) && former?.hasSaved(object) ?? true
  }

  fileprivate func copy() -> NotedObjects {
    let copy = NotedObjects(areAll: areAll, objects, save: save)
    copy.former = former
    return copy
  }

  fileprivate func afterFailedSave(areLinks: Bool, _ former: NotedObjects) -> NotedObjects {
    if areLinks {
      return NotedObjects(WeakObjects(former.objects.all.filter { objects.contains($0) }))
    }
    return NotedObjects(
      areAll: areAll || former.areAll,
      WeakObjects(former.objects.all + objects.all)
    )
  }
}

extension _OwnedCollection {
  /// Whether the application put an object of a value into the collection.
  final func wasGiven(_ object: ObjectBase) -> Bool {
    settleSave()
    return given?.hasGiven(object) ?? false
  }

  /// Records the objects of an element that the application has put in.
  final func noteGiven<Element: RealmCollectionValue>(_ element: Element) {
    guard Element.self == AnyRealmValue.self, let value = element as? AnyRealmValue, value.hasObject else {
      return
    }
    let notes = changeableNotes()
    value.forEachObject { notes.objects.insert($0) }
  }

  /// Called when the application puts a link into the collection. An earlier save may have stored the same
  /// link.
  @inline(never)
  final func noteAdded(_ element: some RealmCollectionValue, to owner: ObjectBase) {
    guard let object = element as? ObjectBase else { return }
    if given?.objects.contains(object) == true { changeableNotes().objects.remove(object) }
    CopiedLinks.noteAssignment(of: [object], to: owner, at: offset)
  }

  /// Called before a change. Discards the objects that were put in before the last save.
  @inline(never)
  final func forgetSavedObjects() {
    settleSave()
    guard let owner, let property = owner.descriptor.property(at: offset), !owner.isAssigned(property) else {
      return
    }
    let before = given
    given = nil
    if WritingThreads.scopes.isEmpty, let links = self as? any ReadLinksCollection {
      noteStored(links.linksInMemory)
    }
    guard let before, let save = before.save, save.isPending else { return }
    let notes = changeableNotes()
    notes.save = save
    notes.former = before.former ?? before
  }

  /// Applies the outcome of the last save to notes that were made while it waited.
  private func settleSave() {
    guard let notes = given, let former = notes.former, let save = notes.save, !save.isPending else { return }
    let areLinks = (self as? any ReadLinksCollection).map { type(of: $0).areLinks } ?? false
    given =
      save.hasFailed
      ? notes.afterFailedSave(areLinks: areLinks, former)
      : NotedObjects(areAll: notes.areAll, notes.objects)
  }

  /// The notes of only this collection.
  private func changeableNotes() -> NotedObjects {
    if isKnownUniquelyReferenced(&given), let given { return given }
    let notes = given?.copy() ?? NotedObjects()
    given = notes
    return notes
  }

  /// Notes links that the store has, although they are not in the record from which the collection was read.
  final func noteStored(_ objects: [ObjectBase]) {
    if objects.isEmpty { return }
    let notes = changeableNotes()
    for object in objects { notes.objects.insert(object) }
  }

  /// Called when a save outside of writes encodes the collection. If the save succeeds, the next change notes
  /// the links that are not in a record.
  final func noteSave(by graph: ObjectGraph?, areLinks: Bool) {
    guard areLinks || given != nil, let graph, graph.ownContext == nil, !graph.isOperand else { return }
    if given == nil {
      given = graph.noteOfSave
    } else {
      settleSave()
      changeableNotes().save = graph.noteOfSave.save
    }
  }

  /// Whether an earlier save has stored the link to an object. A save that waits may still fail, so it does
  /// not count.
  final func wasSaved(_ object: ObjectBase) -> Bool {
    settleSave()
    return given?.hasSaved(object) ?? false
  }

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
  static var areLinks: Bool { Element._linkType != nil }

  var linksInMemory: [ObjectBase] {
    guard Self.areLinks else { return [] }
    return contents?.slots?.insertedObjects ?? values.compactMap { $0 as? ObjectBase }
  }

  func appendReadObjects(to objects: inout [ObjectBase]) {
    if let slots = contents?.slots { return slots.appendReadObjects(to: &objects) }
    if Element.self == AnyRealmValue.self { appendReadObjects(of: plainValues, to: &objects) }
  }
}

extension MutableSet: ReadLinksCollection {
  static var areLinks: Bool { Element._linkType != nil }

  var linksInMemory: [ObjectBase] {
    guard Self.areLinks else { return [] }
    return slots?.insertedObjects ?? elements.compactMap { $0 as? ObjectBase }
  }

  func appendReadObjects(to objects: inout [ObjectBase]) {
    if let slots { return slots.appendReadObjects(to: &objects) }
    if Element.self == AnyRealmValue.self { appendReadObjects(of: elements, to: &objects) }
  }
}

extension Map: ReadLinksCollection {
  static var areLinks: Bool { Value._linkType != nil }

  var linksInMemory: [ObjectBase] {
    guard Self.areLinks else { return [] }
    return linked?.insertedObjects ?? entries.values.compactMap { $0 as? ObjectBase }
  }

  func appendReadObjects(to objects: inout [ObjectBase]) {
    if let linked { return linked.appendReadObjects(to: &objects) }
    if Value.self == AnyRealmValue.self { appendReadObjects(of: entries.values, to: &objects) }
  }
}
