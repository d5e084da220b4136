/// Access to the fields of an object through its descriptor.
extension ObjectBase {
  package var descriptor: ObjectDescriptor { ObjectDescriptor.of(Swift.type(of: self)) }

  // SAFETY: `body` receives the object's own address, which is valid while the object lives. Every offset
  // used with it comes from the descriptor of the object's class.
  package func withFields<Result>(_ body: (UnsafeMutableRawPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) {
      try body(UnsafeMutableRawPointer(Unmanaged.passUnretained(self).toOpaque()))
    }
  }

  func flags(of property: PropertyDescriptor) -> UInt8 {
    withFields { $0.load(fromByteOffset: property.flagsOffset, as: UInt8.self) }
  }

  package func isAssigned(_ property: PropertyDescriptor) -> Bool {
    flags(of: property) & PersistedFlags.assigned != 0
  }

  /// Whether the property's value was not yet read from the object's record.
  func isDeferred(_ property: PropertyDescriptor) -> Bool {
    _record != nil && flags(of: property) & PersistedFlags.deferred != 0
  }

  /// Whether any property was assigned since the object was read or saved.
  func hasAssignedProperties(_ descriptor: ObjectDescriptor) -> Bool {
    withFields { base in
      descriptor.flagsOffsets.contains {
        base.load(fromByteOffset: Int($0), as: UInt8.self) & PersistedFlags.assigned != 0
      }
    }
  }

  func clearAssigned(_ descriptor: ObjectDescriptor) {
    withFields { base in
      for offset in descriptor.flagsOffsets {
        let flags = base.load(fromByteOffset: Int(offset), as: UInt8.self)
        base.storeBytes(of: flags & ~PersistedFlags.assigned, toByteOffset: Int(offset), as: UInt8.self)
      }
    }
  }

  func markAssigned(_ property: PropertyDescriptor) {
    withFields { base in
      let flags = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self)
      base.storeBytes(
        of: flags | PersistedFlags.assigned,
        toByteOffset: property.flagsOffset,
        as: UInt8.self
      )
    }
  }

  func unmarkAssigned(_ property: PropertyDescriptor) {
    withFields { base in
      let flags = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self)
      base.storeBytes(
        of: flags & ~PersistedFlags.assigned,
        toByteOffset: property.flagsOffset,
        as: UInt8.self
      )
    }
  }

  /// Makes the next read of each collection and embedded object a first read again, so that errors are
  /// reported to the scope to which the object now belongs.
  func expectPartsToBeHandedOut(_ descriptor: ObjectDescriptor) {
    withFields { base in
      for property in descriptor.properties
      where property.access == .collection || property.isPart {
        let flags = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self)
        base.storeBytes(
          of: flags | PersistedFlags.firstRead,
          toByteOffset: property.flagsOffset,
          as: UInt8.self
        )
      }
    }
  }

  /// Uses the property's own value instead of the value in the record.
  func stopDeferring(at offset: Int) {
    guard let property = descriptor.property(at: offset) else { return }
    withFields { base in
      let flags = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self)
      base.storeBytes(
        of: flags & ~PersistedFlags.deferred,
        toByteOffset: property.flagsOffset,
        as: UInt8.self
      )
    }
  }

  /// Called after a change of the elements of a list, a set or a map.
  ///
  /// - Parameter offset: the offset of the collection's wrapper.
  func markAssigned(collectionAt offset: Int) {
    let isShared = _origin?.host.isInStore == true && willAssign()
    withFields { base in
      // The wrapper of a collection is a reference, followed by the flags.
      let flags = base + offset + MemoryLayout<AnyObject>.size
      flags.storeBytes(of: flags.load(as: UInt8.self) | PersistedFlags.assigned, as: UInt8.self)
    }
    if isShared { didAssign() }
  }

  /// Called before values of the object are passed to the application other than through its properties.
  func willBeRead() { if isAnyThreadWriting() { willRead() } }

  /// Returns the property's value, performing its first read if necessary. The object does not join a write.
  package func value(of property: PropertyDescriptor) -> any Persistable {
    withFields { base in
      property.field.performFirstRead(base + property.offset, owner: self, offset: property.offset)
      let value = property.field.value(base + property.offset)
      // Deleted objects are removed, as in a read of the property.
      guard property.type.kind == .any, value._hasObjects, !isAssigned(property) else { return value }
      return value._withoutDeletedObjects()
    }
  }

  /// Assigns a value of the property's type.
  package func setValue(_ value: Any, of property: PropertyDescriptor) {
    if _origin != nil { _ = willAssign() }
    withFields { base in property.field.set(value, base + property.offset, owner: self) }
    // Reading objects for the value may have written this object without the new value, so it is marked as
    // changed again.
    if _origin?.host.isInStore == true, willAssign() { didAssign() }
  }

  /// Whether the value of the property at an offset was not yet read from the record of its object.
  func isDeferred(at offset: Int) -> Bool {
    guard let step = _record?.binding.step(ofPropertyAt: offset) else { return false }
    let flags = withFields { $0.load(fromByteOffset: Int(step.flagsOffset), as: UInt8.self) }
    return flags & PersistedFlags.deferred != 0
  }

  /// Returns the object of an unread link or embedded property.
  func resolveFault<Value: RealmCollectionValue>(at offset: Int, as type: Value.Type) -> Value? {
    guard isDeferred(at: offset) else { return nil }
    // The closure returns no value. For each optional through which the value passes, the runtime would look
    // up a generic type.
    var found: Value?
    withDeferredPayload(at: offset) { reader in
      guard let value = try Value._readElement(from: &reader) else { return }
      value._adopt(by: self)
      if Value._linkType == nil {
        PartPlace.note(value, in: self, at: offset)
      } else if self is EmbeddedObject, let object = value as? ObjectBase {
        _origin?.host.didReadLink(of: self, at: offset, to: object)
      }
      found = value
    }
    return found
  }

  /// Calls `body` with the payload of a lazily read property. Returns `nil` if there is no payload or if
  /// reading fails; a failure is reported to the store's event handler.
  @discardableResult
  func withDeferredPayload<Result>(
    at offset: Int,
    _ body: (inout ValueReader) throws -> Result
  ) -> Result? {
    guard let record = _record, let id = record.binding.columnID(ofPropertyAt: offset) else { return nil }
    do {
      return try record.withPayload(ofColumn: id) { payload in
        var reader = ValueReader(payload, context: _origin)
        return try body(&reader)
      } ?? nil
    } catch {
      _origin?.host.report(
        error,
        type: record.binding.table.name,
        property: descriptor.property(at: offset)?.name
      )
      return nil
    }
  }
}
