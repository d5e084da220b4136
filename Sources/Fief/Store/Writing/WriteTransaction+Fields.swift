import LMDB

/// Field operations in a write: the objects that are live show them.
extension WriteTransaction {
  /// Applies operations to one object.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` where there is none, `invalidValue` where an operation does not suit
  ///   the value, both with nothing changed.
  func apply(_ edit: ObjectEdit) throws {
    try flush()
    _ = try liveTransaction()
    // What is computed of other objects is right then, and so is what the operations begin with.
    try changing { try writer.flushTrees() }
    let record = try writer.record(after: edit)
    try changing { try writer.put(record, of: edit) }
    try refreshLive(IdentityMap.Key(table: edit.edits.table.entry.id, key: edit.key))
  }

  /// Brings the live instances of an object to the stored state.
  func refreshLive(_ id: IdentityMap.Key) throws {
    guard let object = live[id] else { return }
    try refresh(object, id)
    for alias in Array(aliases.values) where alias.id == id { try refresh(alias.object, id) }
  }

  /// Reads what was not assigned to an object from the store.
  func readUnassigned(of object: ObjectBase, _ descriptor: ObjectDescriptor) throws {
    let binding = try store.binding(of: Swift.type(of: object))
    let stored = try binding.key(of: object).withUnsafeBytes {
      try store.load(binding, key: $0, from: liveTransaction(), context: context)
    }
    guard let stored else { return }
    object.copyPersistedValues(from: stored, descriptor: descriptor) { !object.isAssigned($0) }
  }
}
