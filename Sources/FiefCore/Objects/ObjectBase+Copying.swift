extension ObjectBase {
  /// Copies all or some persisted values from another object of the same class.
  func copyPersistedValues(
    from other: ObjectBase,
    descriptor: ObjectDescriptor,
    where isWanted: (PropertyDescriptor) -> Bool = { _ in true }
  ) {
    takeSource(of: other)
    for property in descriptor.properties where property.access != .none && isWanted(property) {
      if other.isDeferred(property) {
        resetDeferred(property, like: other)
      } else {
        let value = other.value(of: property)
        withFields { property.field.set(value, $0 + property.offset, owner: self) }
      }
    }
  }

  /// Marks a link or a collection as unread. Its next read takes the value from the object's record.
  func resetDeferred(_ property: PropertyDescriptor, like other: ObjectBase) {
    withFields { base in
      _ = property.field.setNil(base + property.offset)
      property.field.reset(base + property.offset)
      let deferral = PersistedFlags.firstRead | PersistedFlags.deferred
      let flags = other.flags(of: property) & deferral
      let own = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self) & ~deferral
      base.storeBytes(of: own | flags, toByteOffset: property.flagsOffset, as: UInt8.self)
    }
    if descriptor.isEncodable { describeDeferredValue(of: property) }
  }

  /// Marks a link to a deleted object as unread if the record contains the object's key, and sets it to nil
  /// otherwise.
  ///
  /// - Parameter key: the key of the object, or `nil` if it is unknown.
  /// - Returns: whether the link was marked as unread.
  func dropLink(_ property: PropertyDescriptor, to key: [UInt8]?) -> Bool {
    let id = _record?.binding.columnID(ofPropertyAt: property.offset)
    let stored = id.flatMap { id in try? _record?.withPayload(ofColumn: id) { [UInt8]($0) } }
    let isUnread = key != nil && stored == key
    withFields { base in
      _ = property.field.setNil(base + property.offset)
      guard isUnread else { return }
      let flags = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self)
      let unread = flags | PersistedFlags.firstRead | PersistedFlags.deferred
      base.storeBytes(of: unread, toByteOffset: property.flagsOffset, as: UInt8.self)
    }
    if descriptor.isEncodable { describeDeferredValue(of: property) }
    return isUnread
  }
}

extension ObjectBase {
  /// Makes the unread values of an `Encodable` object encodable without the object.
  func describeDeferredValues() {
    for property in descriptor.properties { describeDeferredValue(of: property) }
  }

  func describeDeferredValue(of property: PropertyDescriptor) {
    guard property.field.isEncodable, isDeferred(property), let record = _record,
      let id = record.binding.columnID(ofPropertyAt: property.offset)
    else { return }
    if hasUnknownValue(of: property) {
      // If a value cannot be read here, encoding it fails.
      try? record.withCurrentPayload(ofPropertyAt: property.offset) { payload in
        guard let payload else { return }
        try withFields { try property.field.setUnknown($0 + property.offset, payload) }
      }
      return
    }
    let source = _DeferredValue(record: record, columnID: id, context: _origin)
    withFields { property.field.setDeferred($0 + property.offset, source) }
  }
}
