import LMDB

/// Deleting inside of a write.
extension WriteTransaction {
  /// Deletes an object according to the rules of its relationships. By default, every link to it becomes
  /// `nil`, and it is removed from every collection.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if the object is not in the store, `foreignObject` if
  ///   it was read from another store, `deletionDenied` if a rule denies the deletion. The store is then
  ///   unchanged.
  public func delete(_ object: Object) throws {
    if let visible { try visible.check(Swift.type(of: object), in: store) }
    let binding = try store.binding(of: Swift.type(of: object))
    try Saving.checkOrigin(of: object, binding, in: store)
    try flush()
    _ = try liveTransaction()
    if object._context !== context { object.keepForDeletion() }
    let key = try binding.key(of: object)
    let isDeleted = try deleting([binding.table]) { writer in
      try key.withUnsafeBytes { try writer.delete(key: $0, from: binding.table) }
    }
    guard isDeleted else {
      throw FiefError(
        .objectNotFound,
        "The object cannot be deleted because no object has the key.",
        store: store.name,
        type: binding.table.name,
        key: binding.table.text(ofKey: key)
      )
    }
  }

  /// Deletes all objects of a sequence, or none. Each object is deleted as ``delete(_:)`` deletes it. The
  /// objects in the sequence do not deny the deletion of each other.
  ///
  /// - Parameter objects: for example an array, results, a collection of links or an inverse.
  /// - Throws: ``FiefError`` of code `objectNotFound` if one of the objects is not in the store or occurs
  ///   twice; `deletionDenied` if a rule denies the deletion. The store is then unchanged.
  public func delete<Element: Object>(_ objects: some Sequence<Element>) throws {
    // New objects that are linked get their row ids here.
    try flush()
    let objects = Array(objects) as [Object]
    if let visible { try visible.check(objects, in: store) }
    try delete(try Saving.deletion(of: objects, in: store))
  }

  /// Deletes the objects with the given primary keys without reading them: all of them or none. The objects
  /// with these keys do not deny the deletion of each other.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - keys: primary keys; an array of the parts for each compound key.
  /// - Throws: ``FiefError`` of code `objectNotFound` if an object does not exist or a key occurs twice;
  ///   `deletionDenied` if a rule denies the deletion. The store is then unchanged.
  public func delete<Element: Object>(ofType type: Element.Type, forPrimaryKeys keys: some Sequence) throws {
    if let visible { try visible.check(type, in: store) }
    try delete(try Saving.deletion(ofType: type, forPrimaryKeys: keys, in: store))
  }

  private func delete(_ deletion: PreparedChanges) throws {
    try flush()
    _ = try liveTransaction()
    try deleting(deletion.tables) { try $0.perform(deletion, checkingFirst: true) }
  }

  /// Deletes every object of a type according to the rules of its relationships.
  ///
  /// - Throws: ``FiefError`` of code `deletionDenied`; the store is then unchanged.
  public func deleteAll(_ type: Object.Type) throws {
    if let visible { try visible.check(type, in: store) }
    try deleteAll(of: try store.binding(of: type).table)
  }

  package func deleteAll(of table: Table) throws {
    try flush()
    _ = try liveTransaction()
    try withoutJoining {
      try deleting([table]) {
        try keepCollections(of: table, $0)
        try $0.deleteAll(from: table)
      }
      dropPartLinks(toAllOf: table)
      forgetAll(of: table)
      try dropLinks(to: table.name)
      if !aliases.isEmpty { try refreshSharedInstances() }
    }
  }

  /// Deletes every object of the store.
  ///
  /// If the repository declares only some of the store's types, only their objects are deleted, one type
  /// after the other, according to the rules of their relationships.
  ///
  /// - Throws: ``FiefError`` of code `deletionDenied` if a rule denies the deletion, and other errors.
  public func deleteAll() throws {
    if let visible {
      for table in store.tables.all where table.records != nil && visible.contains(table.name) {
        try deleteAll(of: table)
      }
      return
    }
    try flush()
    _ = try liveTransaction()
    try withoutJoining {
      try keepingCollections {
        for table in store.tables.all { try keepCollections(of: table, writer) }
        try changing { try writer.deleteEverything() }
      }
      for table in store.tables.all where table.records != nil {
        dropPartLinks(toAllOf: table)
        forgetAll(of: table)
      }
    }
  }

  /// Deletes the objects with some keys, which exist.
  ///
  /// - Throws: ``FiefError`` of code `deletionDenied`; the store is then unchanged.
  package func delete(_ keys: RecordBatch, from table: Table) throws {
    _ = try liveTransaction()
    try deleting([table]) { writer in
      let deletion = try Deletion(writer)
      while let (key, _) = keys.next() { _ = try deletion.delete(key, from: table) }
      try deletion.finish()
    }
  }

  /// Returns a trace that records the effects of changed records on live objects.
  func trace() -> DeletionTrace {
    DeletionTrace(linkedByParts: linkingParts.types) { table, key in
      self.live[IdentityMap.Key(table: table.entry.id, key: key)] != nil
    } willDelete: { writer, table, key, record in
      self.keepCollections(of: record, key: key, in: table, writer)
    }
  }

  /// Deletes objects, and updates the live objects accordingly.
  private func deleting<Value>(_ tables: [Table], _ body: (RecordWriter) throws -> Value) throws -> Value {
    let trace = trace()
    writer.trace = trace
    defer { writer.trace = nil }
    return try withoutJoining {
      let value = try keepingCollections { try changing { try writer.undoable(where: tables, body) } }
      // This happens while the objects still have their row ids.
      try drop(trace.clearedLinks)
      try drop(trace.danglingLinks)
      dropPartLinks(trace)
      try refreshAliases(after: trace)
      for (table, key) in trace.deleted { forget(IdentityMap.Key(table: table.entry.id, key: key)) }
      return value
    }
  }

  private func forget(_ id: IdentityMap.Key) {
    guard let object = live[id] else { return }
    markDeleted(object)
    _ = live.remove(id)
    forget(aliases.removeAll(of: id))
  }

  private func forgetAll(of table: Table) {
    for object in live.removeAll(ofTable: table.entry.id) {
      markDeleted(object)
    }
    forget(aliases.removeAll(ofTable: table.entry.id))
  }

  private func markDeleted(_ object: ObjectBase) {
    undo.append(.identity(IdentityRecord(object, object.descriptor)), of: object)
    object._context = deletedContext
    object._rowID = 0
    object._wasDeleted = true
    deletions += 1
  }

  /// Marks the aliases of a deleted object as deleted. An alias would otherwise restore the object with its
  /// next assignment.
  private func forget(_ aliases: [Aliases.Alias]) {
    for alias in aliases { markDeleted(alias.object) }
  }

  /// Updates the aliases whose links a deletion has cleared.
  private func refreshAliases(after trace: DeletionTrace) throws {
    if aliases.isEmpty { return }
    // Links in embedded objects are traced only by type.
    if !linkingParts.types.isEmpty { return try refreshSharedInstances() }
    let links = trace.clearedLinks + trace.danglingLinks
    for id in Set(links.map { IdentityMap.Key(table: $0.table.entry.id, key: $0.key) }) {
      for alias in aliases.of(id) where alias.object._isShared { try refresh(alias.object, id) }
    }
  }
}
