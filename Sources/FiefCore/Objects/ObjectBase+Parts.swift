/// Embedded objects and the object whose record contains them.
extension ObjectBase {
  /// The object in whose record this object is stored, which may be itself; `nil` if it is unknown.
  var root: ObjectBase? {
    var object = self
    for _ in 0...EncodedGraph.deepestEmbedding {
      guard let part = object as? EmbeddedObject else { return object }
      guard let owner = part._owner else { return nil }
      object = owner
    }
    return nil
  }

  /// Marks the properties that contain a changed embedded object as assigned.
  func noteChange(of embedded: EmbeddedObject) {
    var depth = 0
    var (owner, part) = (self, embedded)
    while depth < EncodedGraph.deepestEmbedding {
      owner.markHolders(of: part)
      guard let next = owner as? EmbeddedObject, let outer = next._owner else { return }
      (owner, part) = (outer, next)
      depth += 1
    }
  }

  private func markHolders(of embedded: EmbeddedObject) {
    let properties = descriptor.properties.filter { $0.type.kind == .embedded && $0.access != .generic }
    let address = UnsafeRawPointer(Unmanaged.passUnretained(embedded).toOpaque())
    for property in properties where property.type.container == .none {
      // SAFETY: the value is a reference or nil, and is the wrapper's first field.
      let held = withFields { $0.load(fromByteOffset: property.offset, as: UnsafeRawPointer?.self) }
      if held == address { return markAssigned(property) }
    }
    for property in properties {
      markAssigned(property)
      (valueInMemory(of: property) as? any EmbeddedObjectHolder)?.didChangePart()
    }
  }

  /// Makes the next flush write all collections of embedded objects in full. Otherwise the flush would not
  /// detect an object that is part of two collections.
  func forgetStoredParts() {
    for property in descriptor.properties
    where property.type.kind == .embedded && property.access == .collection {
      (valueInMemory(of: property) as? any EmbeddedObjectHolder)?.didChangePart()
    }
  }

  /// Returns the value that a property has in memory, without reading from the store.
  func valueInMemory(of property: PropertyDescriptor) -> any Persistable {
    withFields { property.field.value($0 + property.offset) }
  }

  /// Assigns nil.
  func setNil(_ property: PropertyDescriptor) {
    let isShared = _origin != nil && willAssign()
    withFields { _ = property.field.setNil($0 + property.offset) }
    markAssigned(property)
    if isShared { didAssign() }
  }
}
