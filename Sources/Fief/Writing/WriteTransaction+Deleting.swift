import LMDB

/// Deleting inside of a write.
extension WriteTransaction {
  /// Deletes an object: every link to it becomes nil, every collection loses it.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` where the store has no such object.
  public func delete(_ object: Object) throws {
    let binding = try store.binding(of: Swift.type(of: object))
    try flush()
    _ = try liveTransaction()
    let key = try binding.key(of: object)
    writer.clearedLinks = []
    defer { writer.clearedLinks = nil }
    let isDeleted = try changing {
      try key.withUnsafeBytes { try writer.delete(key: $0, from: binding.table) }
    }
    guard isDeleted else {
      throw FiefError(
        .objectNotFound,
        "There is no object with the key, so that it cannot be deleted.",
        store: store.name,
        type: binding.table.name,
        key: ObjectKey(bytes: key).description
      )
    }
    // While the object still has its row id.
    try drop(writer.clearedLinks ?? [])
    forget(IdentityMap.Key(table: binding.table.entry.id, key: key))
  }

  /// Deletes objects, as ``delete(_:)`` does each: all of them, or none.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` where the store does not have one of them, or where one
  ///   is there twice.
  public func delete(_ objects: some Sequence<Object>) throws {
    // What is new and linked gets its row id here.
    try flush()
    try delete(try Saving.deletion(of: Array(objects), in: store))
  }

  /// Deletes the objects with given primary keys, without reading them: all of them, or none.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - keys: primary keys; an array of the parts for each compound one.
  /// - Throws: ``FiefError`` of code `objectNotFound` where one of the keys has no object or is there twice.
  public func delete<Element: Object>(ofType type: Element.Type, forPrimaryKeys keys: some Sequence) throws {
    try delete(try Saving.deletion(ofType: type, forPrimaryKeys: keys, in: store))
  }

  private func delete(_ deletion: PreparedChanges) throws {
    try flush()
    _ = try liveTransaction()
    writer.clearedLinks = []
    defer { writer.clearedLinks = nil }
    try changing { try writer.perform(deletion, checkingFirst: true) }
    // While the objects still have their row ids.
    try drop(writer.clearedLinks ?? [])
    deletion.bytes.withUnsafeBytes { bytes in
      for operation in deletion.operations {
        let table = deletion.tables[Int(operation.table)]
        forget(IdentityMap.Key(table: table.entry.id, key: operation.key(in: bytes)))
      }
    }
  }

  /// Deletes every object of a type.
  public func deleteAll(_ type: Object.Type) throws {
    let binding = try store.binding(of: type)
    try flush()
    _ = try liveTransaction()
    try changing { try writer.deleteAll(from: binding.table) }
    forgetAll(of: binding.table)
    try dropLinks(to: binding.table.name)
  }

  /// Deletes every object of the store.
  public func deleteAll() throws {
    for table in store.tables.all where table.records != nil {
      try flush()
      _ = try liveTransaction()
      try changing { try writer.deleteAll(from: table) }
      forgetAll(of: table)
    }
  }

  private func forget(_ id: IdentityMap.Key) {
    guard let object = live[id] else { return }
    undo.note(object)
    object._context = nil
    object._rowID = 0
    _ = live.remove(id)
    forgetAliases { $0 == id }
  }

  private func forgetAll(of table: Table) {
    for object in live.removeAll(ofTable: table.entry.id) {
      undo.note(object)
      object._context = nil
      object._rowID = 0
    }
    forgetAliases { $0.belongs(to: table.entry.id) }
  }

  /// An alias of a deleted object would bring it back with its next assignment.
  private func forgetAliases(where isGone: (IdentityMap.Key) -> Bool) {
    for (key, alias) in aliases where isGone(alias.id) {
      undo.note(alias.object)
      alias.object._context = nil
      alias.object._rowID = 0
      aliases[key] = nil
    }
  }
}
