import LMDB

/// Assignments to stored objects outside writes, which Realm does not allow.
extension ObjectContext {
  /// Whether an assignment on this thread is outside any write and must be reported.
  var reportsAssignment: Bool {
    guard let visible, visible.reportsAssignments, store != nil, !isFrozen, reads == nil else { return false }
    // After `cancelWrite()` the rest of the closure is outside the write.
    return WritingThreads.scopes.isEmpty
  }
}

extension StoreCore {
  /// Reports the properties of an object that were assigned outside a write. Each property of a class is
  /// reported once.
  @inline(never)
  func reportAssignments(of object: ObjectBase) {
    let descriptor = object.descriptor
    for property in descriptor.properties where object.isAssigned(property) {
      let place = descriptor.name + "." + property.name
      guard assignedPlaces.withLock({ $0.insert(place).inserted }) else { continue }
      let key = try? binding(of: Swift.type(of: object)).text(ofKeyOf: object)
      emit(
        .misuse(
          FiefError(
            .transactionEnded,
            "A property of a stored object was assigned outside a write. The store does not have the value: "
              + "assign it in realm.write { }, or save the object with realm.add(_:update:).",
            store: name,
            type: descriptor.name,
            property: property.name,
            key: key
          )
        )
      )
    }
  }
}
