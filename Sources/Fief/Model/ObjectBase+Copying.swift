extension ObjectBase {
  /// Takes over every persisted value of another object of the same class.
  func copyPersistedValues(from other: ObjectBase, descriptor: ObjectDescriptor) {
    _record = other._record
    for property in descriptor.properties where property.access != .none {
      if other.isDeferred(property) {
        resetDeferred(property, like: other)
      } else {
        let value = other.value(of: property)
        withFields { property.field.set(value, $0 + property.offset, owner: self) }
      }
    }
  }

  /// Puts a link or a collection back to unread; its next read takes it from the object's record.
  func resetDeferred(_ property: PropertyDescriptor, like other: ObjectBase) {
    withFields { base in
      _ = property.field.setNil(base + property.offset)
      property.field.reset(base + property.offset)
      let deferral = PersistedFlags.firstRead | PersistedFlags.deferred
      let flags = other.flags(of: property) & deferral
      let own = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self) & ~deferral
      base.storeBytes(of: own | flags, toByteOffset: property.flagsOffset, as: UInt8.self)
    }
  }
}
