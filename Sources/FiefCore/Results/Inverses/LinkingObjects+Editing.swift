/// Changing a relationship from the side that is not stored.
extension LinkingObjects {
  /// Lets an object link here: its property is assigned where it is a link, gets this object at its end where it is
  /// a list, or in it where it is a set.
  ///
  /// ```swift
  /// try store.write { tx in
  ///   course.students.append(student)  // student.course == course
  /// }
  /// ```
  /// A link that led elsewhere leads here from then on; a list or a set that has this object already stays as
  /// it is. In a `write { }` in which one of the two is live the change belongs to it, and an object that is
  /// not in the store yet is added. Everywhere else it is one of the object in memory and is saved with that;
  /// this inverse, which is read from the store, has it then.
  ///
  /// A map is refused, since there is no key for the object: the write fails with a ``FiefError`` of code
  /// `invalidValue`; outside of one it is reported to the event handler.
  public func append(_ object: Element) { change(object) { try $0.link(to: $1) } }

  /// Lets objects link here, as ``append(_:)`` does each.
  public func append(objectsIn sequence: some Sequence<Element>) {
    for object in sequence { append(object) }
  }

  /// Lets an object not link here any more: a link becomes nil, a list, a set or a map loses this object.
  ///
  /// An object that does not link here stays as it is. The rules for scopes are those of ``append(_:)``.
  public func remove(_ object: Element) { change(object) { $0.unlink(from: $1) } }

  /// Lets nothing link here any more.
  ///
  /// It changes objects of the store, so that it needs a `write { }`; outside of one nothing is changed, and
  /// that is reported to the event handler of the store.
  public func removeAll() {
    guard let target, let store = target._context?.store else { return }
    guard let write = store.write(of: target) else {
      return store.emit(
        .misuse(
          FiefError(
            .invalidValue,
            "The objects that link to another one can be changed together in a write only.",
            store: store.name,
            type: Element.className(),
            property: originPropertyName
          )
        )
      )
    }
    do { try results.forEachObject { remove($0) } } catch { write.fail(error) }
  }

  /// Lets exactly these objects link here.
  ///
  /// It needs a `write { }` as ``removeAll()`` does.
  public func replaceAll(with objects: some Sequence<Element>) {
    let objects = Array(objects)
    guard let target, let store = target._context?.store, store.write(of: target) != nil else {
      if target?._context?.store != nil { return removeAll() }
      return append(objectsIn: objects)
    }
    let kept = Set(objects.map { ElementKey($0) })
    for object in results where !kept.contains(ElementKey(object)) { remove(object) }
    append(objectsIn: objects)
  }

  private func change(_ object: Element, _ body: (LinkingEnd, ObjectBase) throws -> Bool) {
    guard let target else { return }
    let store = target._context?.store ?? object._context?.store
    let write = store?.write(of: target) ?? store?.write(of: object)
    do {
      // The object's links are read as the write has them.
      _ = object._context?.write(changing: object)
      let end = try LinkingEnd(object, property: originPropertyName, to: target, store: store?.name)
      guard try body(end, target), let write, object._context !== write.context else { return }
      // The object is not live: one that was read elsewhere hands over its assigned values, a new one is added.
      try write.add(object, update: object._context?.store == nil ? .error : .modified)
    } catch {
      if let write { return write.fail(error) }
      store?.emit(.misuse(FiefError.ofQuery(error)))
    }
  }
}

/// The property of an object that an inverse follows back.
private struct LinkingEnd {
  let object: ObjectBase
  let property: PropertyDescriptor

  init(_ object: ObjectBase, property name: String, to target: ObjectBase, store: String?) throws {
    let descriptor = object.descriptor
    guard let property = descriptor.property(named: name), property.type.kind == .link,
      property.type.target == target.descriptor.name
    else {
      throw FiefError(
        .unknownProperty,
        "The type has no link of that name to the type.",
        store: store,
        type: descriptor.name,
        property: name
      )
    }
    self.object = object
    self.property = property
  }

  /// - Returns: whether something was changed.
  func link(to target: ObjectBase) throws -> Bool {
    let value = object.value(of: property)
    if property.type.container == .none {
      if let present = value as? ObjectBase, ObjectBase._areEqual(present, target) { return false }
      object.setValue(target, of: property)
      return true
    }
    guard let collection = value as? any EditableLinkCollection else {
      throw FiefError(
        .invalidValue,
        "A map needs a key for each object, so that it is changed on its own side only.",
        type: object.descriptor.name,
        property: property.name
      )
    }
    return collection.addLink(to: target)
  }

  /// - Returns: whether something was changed.
  func unlink(from target: ObjectBase) -> Bool {
    let value = object.value(of: property)
    if property.type.container == .none {
      guard let present = value as? ObjectBase, ObjectBase._areEqual(present, target) else { return false }
      object.setNil(property)
      return true
    }
    return (value as? any ReducibleLinkCollection)?.removeLinks(to: target) ?? false
  }
}

/// Collections from which a link can be removed, whatever their elements.
private protocol ReducibleLinkCollection {
  func removeLinks(to target: ObjectBase) -> Bool
}

/// Collections that a link can be added to without anything else.
private protocol EditableLinkCollection: ReducibleLinkCollection {
  func addLink(to target: ObjectBase) -> Bool
}

extension List: EditableLinkCollection {
  fileprivate func addLink(to target: ObjectBase) -> Bool {
    guard let element = target as? Element, index(of: element) == nil else { return false }
    append(element)
    return true
  }

  fileprivate func removeLinks(to target: ObjectBase) -> Bool {
    guard let element = target as? Element else { return false }
    var isChanged = false
    while let index = index(of: element) {
      remove(at: index)
      isChanged = true
    }
    return isChanged
  }
}

extension MutableSet: EditableLinkCollection {
  fileprivate func addLink(to target: ObjectBase) -> Bool {
    guard let element = target as? Element, !contains(element) else { return false }
    insert(element)
    return true
  }

  fileprivate func removeLinks(to target: ObjectBase) -> Bool {
    guard let element = target as? Element, contains(element) else { return false }
    remove(element)
    return true
  }
}

extension Map: ReducibleLinkCollection {
  fileprivate func removeLinks(to target: ObjectBase) -> Bool {
    guard let element = target as? Value else { return false }
    let keys = filter { Value._areEqual($0.value, element) }.map(\.key)
    for key in keys { removeObject(for: key) }
    return !keys.isEmpty
  }
}

extension StoreCore {
  /// The write that changes of an object belong to, nil where there is none on this thread.
  fileprivate func write(of object: ObjectBase) -> WriteTransaction? {
    object._context?.currentScope as? WriteTransaction ?? activeWrite
  }
}
