/// Updates an object to the state of another instance.
extension ObjectBase {
  /// Takes over all stored values of another, newly read instance of the object. Afterwards no property
  /// counts as assigned.
  ///
  /// Collections and embedded objects stay the same instances with new contents, because other code may refer
  /// to them. If the other instance does not have an embedded object, that embedded object no longer belongs
  /// to any object.
  ///
  /// - Parameters:
  ///   - fresh: the other instance. It must not be used afterwards.
  ///   - parts: the parts that are about to change. If a part is new, or its collection has unsaved changes,
  ///     it is not replaced.
  func take(_ fresh: ObjectBase, keeping parts: [ObjectIdentifier] = []) {
    let former = _record
    takeSource(of: fresh)
    for property in descriptor.properties {
      switch property.access {
      case .none: withFields { property.field.setPrefetched($0 + property.offset, nil) }
      case .collection: takeCollection(property, of: fresh, former, parts)
      case .fault where property.type.kind == .embedded: takeEmbedded(property, of: fresh, parts)
      default: takeField(property, of: fresh)
      }
    }
  }

  private func takeField(_ property: PropertyDescriptor, of fresh: ObjectBase) {
    withFields { base in
      fresh.withFields { other in
        property.field.take(base + property.offset, from: UnsafeRawPointer(other + property.offset))
      }
    }
  }

  private func takeCollection(
    _ property: PropertyDescriptor,
    of fresh: ObjectBase,
    _ former: RecordCopy?,
    _ parts: [ObjectIdentifier]
  ) {
    guard let collection = valueInMemory(of: property) as? OwnedCollection else {
      return takeField(property, of: fresh)
    }
    if isAssigned(property),
      parts.contains(ObjectIdentifier(collection))
        || collection.readParts.contains(where: { parts.contains(ObjectIdentifier($0)) })
    {
      return
    }
    let wasRead = flags(of: property) & PersistedFlags.deferred == 0
    let saved = collection.saved()
    collection.forget()
    setUnread(property, like: fresh)
    if !wasRead {
      collection.deferredSource = (fresh.valueInMemory(of: property) as? OwnedCollection)?.deferredSource
      return
    }
    withFields {
      property.field.performFirstRead($0 + property.offset, owner: self, offset: property.offset)
    }
    let formerParts = saved.readParts
    if formerParts.isEmpty { return }
    collection.keepParts(saved, isSame: hasSamePayload(property, former)) { part, new in
      part.become(new, in: self, keeping: parts)
    }
    let kept = Set(collection.readParts.map { ObjectIdentifier($0) })
    for part in formerParts where !kept.contains(ObjectIdentifier(part)) {
      part._owner = nil
      part._place = nil
    }
  }

  private func takeEmbedded(
    _ property: PropertyDescriptor,
    of fresh: ObjectBase,
    _ parts: [ObjectIdentifier]
  ) {
    guard flags(of: property) & PersistedFlags.deferred == 0,
      let held = valueInMemory(of: property) as? EmbeddedObject
    else { return takeField(property, of: fresh) }
    if held._context == nil {
      // This embedded object is new and not saved.
      if parts.contains(ObjectIdentifier(held)) { return }
      return takeField(property, of: fresh)
    }
    guard let new = fresh.value(of: property) as? EmbeddedObject, Swift.type(of: new) == Swift.type(of: held)
    else {
      held._owner = nil
      held._place = nil
      return takeField(property, of: fresh)
    }
    held.become(new, in: self, keeping: parts)
    setUnread(property, like: nil)
  }

  /// Marks a property as unassigned, and as unread if it is unread in another instance.
  private func setUnread(_ property: PropertyDescriptor, like other: ObjectBase?) {
    let unread = PersistedFlags.firstRead | PersistedFlags.deferred
    let flags = (other?.flags(of: property) ?? 0) & unread
    withFields { base in
      let own = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self)
      base.storeBytes(
        of: own & ~(unread | PersistedFlags.assigned) | flags,
        toByteOffset: property.flagsOffset,
        as: UInt8.self
      )
    }
  }

  /// Whether the record and an earlier record have the same payload in the column of a property.
  private func hasSamePayload(_ property: PropertyDescriptor, _ former: RecordCopy?) -> Bool {
    guard let former, let record = _record, former.binding === record.binding,
      let id = record.binding.columnID(ofPropertyAt: property.offset)
    else { return false }
    let before = try? former.withPayload(ofColumn: id) { [UInt8]($0) }
    let now = try? record.withPayload(ofColumn: id) { [UInt8]($0) }
    return before == now
  }
}

extension EmbeddedObject {
  /// Takes over the values of another instance and becomes the embedded object of its owner.
  fileprivate func become(_ new: EmbeddedObject, in owner: ObjectBase, keeping parts: [ObjectIdentifier]) {
    _context = new._context
    take(new, keeping: parts)
    _owner = owner
  }
}
