import LMDB

/// Field operations in a write. Live objects show their results.
extension WriteTransaction {
  /// Applies operations to one object.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if the object does not exist, `invalidValue` if an
  ///   operation does not suit the value. The store is then unchanged.
  package func apply(_ edit: ObjectEdit) throws {
    try flush()
    _ = try liveTransaction()
    // This updates values that are computed from other objects, including values that the operations start
    // with.
    try changing { try writer.flushTrees() }
    let record = try writer.record(after: edit)
    try changing { try writer.put(record, of: edit) }
    try refreshLive(IdentityMap.Key(table: edit.edits.table.entry.id, key: edit.key))
  }

  /// Applies operations to the objects with some keys, which exist: to all of them or to none.
  ///
  /// - Parameters:
  ///   - isWhole: whether the write fails if the operations fail, so that nothing has to be rolled back here.
  /// - Throws: the errors of ``apply(_:)``.
  package func apply(_ edits: FieldEdits, to keys: RecordBatch, isWhole: Bool) throws {
    _ = try liveTransaction()
    do { try writer.checkTargets(of: edits) } catch {
      let key = keys.firstKey.map { edits.table.shown($0) }
      throw FiefError.described(error, store: store.name, type: edits.table.name, key: key)
    }
    let apply = { (writer: RecordWriter) in
      // The keys are visited again below, for the live objects.
      try keys.forEachKey { try writer.perform(edits, on: $0) }
    }
    if isWhole {
      try changing { try writer.linking(edits) { try apply(writer) } }
    } else {
      writer.trace = trace()
      defer { writer.trace = nil }
      try keepingCollections {
        try writer.undoable { writer in try writer.linking(edits) { try apply(writer) } }
      }
    }
    if live.count == 0 { return }
    while let (key, _) = keys.next() {
      try refreshLive(IdentityMap.Key(table: edits.table.entry.id, key: key))
    }
  }

  /// Calls a closure that applies operations.
  ///
  /// - Parameter hasLinked: whether new objects that the operations link are already written. They would stay
  ///   without the operations, so the write fails if the closure fails.
  package func applying<Value>(hasLinked: Bool, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      if hasLinked { fail(error) }
      throw error
    }
  }

  /// Updates the live instances of an object to the stored state.
  func refreshLive(_ id: IdentityMap.Key) throws {
    guard let object = live[id] else { return }
    try refresh(object, id)
    for alias in aliases.of(id) { try refresh(alias.object, id) }
  }

  /// Reads the unassigned properties of an object from the store.
  func readUnassigned(of object: ObjectBase, _ descriptor: ObjectDescriptor) throws {
    let binding = try store.binding(of: Swift.type(of: object))
    let stored = try binding.key(of: object).withUnsafeBytes {
      try store.load(binding, key: $0, from: liveTransaction(), context: context)
    }
    guard let stored else { return }
    object.copyPersistedValues(from: stored, descriptor: descriptor) { !object.isAssigned($0) }
  }
}
