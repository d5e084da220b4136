/// Methods that change a relationship through its inverse.
extension LinkingObjects {
  /// Makes an object link to this one. If the object's property is a link, this object is assigned to it; a
  /// list gets this object appended, and a set gets it inserted.
  ///
  /// ```swift
  /// try store.write { tx in
  ///   course.students.append(student)  // student.course == course
  /// }
  /// ```
  /// A link to another object is replaced. A list or a set that already contains this object is unchanged. If
  /// one of the two objects is live in a `write { }`, the change belongs to this write, and an object that is
  /// not in the store yet is added. Otherwise the change applies to the object in memory and is stored when
  /// this object is saved; the inverse, which is read from the store, contains the object after that.
  ///
  /// The property must not be a map, because there is no key for the object. In a write, the write fails with
  /// a ``FiefError`` of code `invalidValue`; otherwise this error is reported to the event handler.
  public func append(_ object: Element) { change(object) { try $0.link(to: $1) } }

  /// Makes objects link to this one, in the same way as ``append(_:)``.
  public func append(objectsIn sequence: some Sequence<Element>) {
    for object in sequence { append(object) }
  }

  /// Removes the link from an object to this one. If the object's property is a link, it becomes nil; from a
  /// list, set or map, this object is removed.
  ///
  /// An object that does not link to this one is unchanged. The rules for scopes are the same as for
  /// ``append(_:)``.
  public func remove(_ object: Element) { change(object) { $0.unlink(from: $1) } }

  /// Removes all links to this object.
  ///
  /// This method changes objects of the store, so call it in a `write { }`. Outside a write it changes
  /// nothing and reports an error to the store's event handler.
  public func removeAll() {
    guard let target, let store = target._context?.store else { return }
    guard let write = store.write(of: target) else {
      return store.emit(
        .misuse(
          FiefError(
            .invalidValue,
            "Changing all objects that link to an object requires a write.",
            store: store.name,
            type: Element.className(),
            property: originPropertyName
          )
        )
      )
    }
    do { try results.forEachObject { remove($0) } } catch { write.fail(error) }
  }

  /// Makes exactly the given objects link to this one.
  ///
  /// Call this method in a `write { }`, like ``removeAll()``.
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
      // Binds the object to the write, so that its links are read in the state of the write.
      _ = object._context?.write(changing: object)
      let end = try LinkingEnd(object, property: originPropertyName, to: target, store: store?.name)
      guard try body(end, target), let write, object._context !== write.context else { return }
      // The object is not live. If it was read elsewhere, the write saves its assigned values; if it is new,
      // the write adds it.
      try write.add(object, update: object._context?.store == nil ? .error : .modified)
    } catch {
      if let write { return write.fail(error) }
      store?.emit(.misuse(FiefError.ofQuery(error)))
    }
  }
}

/// The property of an object whose inverse is used.
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
        "The type has no link with that name to the type.",
        store: store,
        type: descriptor.name,
        property: name
      )
    }
    self.object = object
    self.property = property
  }

  /// - Returns: whether the object was changed.
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
        "A map cannot be changed through its inverse because each object needs a key.",
        type: object.descriptor.name,
        property: property.name
      )
    }
    return collection.addLink(to: target)
  }

  /// - Returns: whether the object was changed.
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

/// A collection from which links can be removed, whatever its element type.
private protocol ReducibleLinkCollection {
  func removeLinks(to target: ObjectBase) -> Bool
}

/// A collection to which a link can be added without a key.
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
  /// Returns the write to which changes of an object belong, or `nil` if no write is active on this thread.
  fileprivate func write(of object: ObjectBase) -> WriteTransaction? {
    object._context?.currentScope as? WriteTransaction ?? activeWrite
  }
}
