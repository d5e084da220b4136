/// Access to the fields of an object by their descriptors.
extension ObjectBase {
  package var descriptor: ObjectDescriptor { ObjectDescriptor.of(Swift.type(of: self)) }

  // SAFETY: `body` gets the object's own address, which is valid while the object lives; every offset that
  // it is used with comes from the descriptor of the object's class.
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

  /// Whether the property's value is still to be read from the object's record.
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

  /// Lets the next read of each collection and embedded object be a first one again, so that the scope
  /// that the object now belongs to gets the error.
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

  /// Drops the value in the record in favour of the property's own value.
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

  func markAssigned(at offset: Int) {
    let isShared = _origin?.isInStore == true && willAssign()
    if let property = descriptor.property(at: offset) { markAssigned(property) }
    if isShared { didAssign() }
  }

  /// Called before values of the object are handed to the application by other ways than its properties.
  func willBeRead() { if isAnyThreadWriting() { willRead() } }

  /// The property's value; the work of the first read is done. The object does not join a write for it.
  package func value(of property: PropertyDescriptor) -> any Persistable {
    withFields { base in
      property.field.performFirstRead(base + property.offset, owner: self, offset: property.offset)
      let value = property.field.value(base + property.offset)
      // As the property itself shows it.
      guard property.type.kind == .any, value._hasObjects, !isAssigned(property) else { return value }
      return value._withoutDeletedObjects()
    }
  }

  /// Assigns a value of the property's type.
  package func setValue(_ value: Any, of property: PropertyDescriptor) {
    if _origin != nil { _ = willAssign() }
    withFields { base in property.field.set(value, base + property.offset, owner: self) }
    // Once more, since what was read for the value may have written the object as it was.
    if _origin?.isInStore == true, willAssign() { didAssign() }
  }

  /// Whether the value of the property at an offset is still in the record that the object was read from.
  func isDeferred(at offset: Int) -> Bool {
    guard let step = _record?.binding.step(ofPropertyAt: offset) else { return false }
    let flags = withFields { $0.load(fromByteOffset: Int(step.flagsOffset), as: UInt8.self) }
    return flags & PersistedFlags.deferred != 0
  }

  /// The object that an unresolved link or embedded property leads to.
  func resolveFault<Value: RealmCollectionValue>(at offset: Int, as type: Value.Type) -> Value? {
    guard isDeferred(at: offset) else { return nil }
    return withDeferredPayload(at: offset) { reader in
      let value = try Value._readElement(from: &reader)
      value?._adopt(by: self)
      if let value { PartPlace.note(value, in: self, at: offset) }
      if self is EmbeddedObject, Value._linkType != nil, let object = value as? ObjectBase {
        _origin?.didReadLink(of: self, at: offset, to: object)
      }
      return value
    } ?? nil
  }

  /// Hands `body` the bytes of a property that is read at its first use; nil where there are none, or
  /// where reading fails, which is then reported to the store's event handler.
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
      _origin?.report(
        error,
        type: record.binding.table.name,
        property: descriptor.property(at: offset)?.name
      )
      return nil
    }
  }
}
