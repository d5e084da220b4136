/// Derived properties of objects.
extension ObjectBase {
  /// Makes each read of a derived property first apply pending changes of the object's scope.
  func expectDerivedReads(_ descriptor: ObjectDescriptor) {
    setDerivedFlags(descriptor) { $0 | PersistedFlags.firstRead }
  }

  /// Called before a derived property is read, while the object may be live.
  @usableFromInline
  func prepareDerivedProperties() {
    if _origin?.host.willReadDerived(of: self) == true { return }
    // The scope has ended, so the values are final.
    setDerivedFlags(descriptor) { $0 & ~PersistedFlags.firstRead }
  }

  private func setDerivedFlags(_ descriptor: ObjectDescriptor, _ change: (UInt8) -> UInt8) {
    withFields { base in
      for property in descriptor.derivedProperties {
        let flags = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self)
        base.storeBytes(of: change(flags), toByteOffset: property.flagsOffset, as: UInt8.self)
      }
    }
  }
}
