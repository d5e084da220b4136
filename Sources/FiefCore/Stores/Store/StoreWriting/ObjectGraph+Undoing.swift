/// The changes that a graph makes to objects while it encodes them.
extension ObjectGraph {
  /// Records that an object will be stored again, if a write has deleted it.
  func revive(_ object: ObjectBase) {
    guard object._wasDeleted else { return }
    log.append(.revival, of: object)
    object._wasDeleted = false
    revived[ObjectIdentifier(object)] = object
  }

  /// Whether an object was deleted by the write, and is stored again.
  func isRevived(_ object: ObjectBase?) -> Bool {
    guard let object, !revived.isEmpty else { return false }
    return revived[ObjectIdentifier(object)] != nil
  }

  private var log: UndoLog {
    if let undo { return undo }
    let log = UndoLog()
    undo = log
    return log
  }

  /// Removes the default objects from links and embedded properties that were not assigned. They must not be
  /// saved with an object that is already in the store.
  func dropDefaults(of object: ObjectBase, _ descriptor: ObjectDescriptor) {
    for property in descriptor.properties
    where property.access == .fault && !object.isAssigned(property) && !object.isDeferred(property) {
      let value = object.valueInMemory(of: property)
      if value._isNil { continue }
      log.append(.defaultValue(FieldValue(value, of: property, in: object)), of: object)
      object.withFields { _ = property.field.setNil($0 + property.offset) }
    }
  }

  /// Undoes the changes that were made to objects while they were encoded, after the failure of a save that
  /// is not part of a write.
  package func undoEncoding() {
    if ownContext == nil { undo?.undo() }
    outcome?.end(isSaved: false)
    revived = [:]
  }
}
