import LMDB

/// Objects that were read before the write, or added by an earlier write, and are used in this write.
extension WriteTransaction {
  /// Adds an object that was read earlier to the live objects of the write. It then shows the state of the
  /// write.
  ///
  /// - Parameters:
  ///   - object: an object with a separate record. If its primary key was assigned, it is a different object
  ///     and does not join.
  ///   - part: the changed part of the object: a collection or an embedded object; nil for the object itself.
  /// - Returns: whether the object is live. If the store no longer has the object, the write fails.
  func join(_ object: ObjectBase, _ part: AnyObject?) -> Bool {
    do {
      let binding = try store.binding(of: Swift.type(of: object))
      if binding.primaryKey.contains(where: { object.isAssigned($0) }) { return false }
      if object.isEnding { return false }
      if failure != nil {
        noteUnjoined(object)
        return false
      }
      note(UndoRecord(object))
      let key = try binding.key(of: object)
      let id = IdentityMap.Key(table: binding.table.entry.id, key: key)
      guard let fresh = try freshInstance(binding, key, id) else { throw goneError(binding, key) }
      makeLive(object, as: fresh, binding, id, keeping: Self.chain(from: part))
      return true
    } catch {
      noteUnjoined(object)
      fail(store.described(error))
      return false
    }
  }

  /// Makes a held object live before one of its values is read.
  ///
  /// An object with unsaved assignments does not join, and shows the assigned values. An object that was
  /// deleted from the store does not join either, and keeps its values. Neither case fails the write.
  func joinByReading(_ object: ObjectBase) {
    guard mayJoinByReading, !object.isEnding, let binding = try? store.binding(of: Swift.type(of: object)),
      !object.hasAssignedProperties(binding.descriptor), let key = try? binding.key(of: object)
    else { return }
    let id = IdentityMap.Key(table: binding.table.entry.id, key: key)
    do {
      // Reading flushes waiting changes, which may make this object live.
      guard let fresh = try freshInstance(binding, key, id), object._context !== context else { return }
      note(UndoRecord(object))
      makeLive(object, as: fresh, binding, id)
    } catch {
      store.report(error, type: binding.table.name, property: nil)
    }
  }

  /// Whether an object may join now because it is read.
  var mayJoinByReading: Bool { failure == nil && activity.isEmpty }

  private func makeLive(
    _ object: ObjectBase,
    as fresh: ObjectBase,
    _ binding: ObjectBinding,
    _ id: IdentityMap.Key,
    keeping parts: [ObjectIdentifier] = []
  ) {
    object._context = context
    object.take(fresh, keeping: parts)
    if binding.table.hasDerived { object.expectDerivedReads(binding.descriptor) }
    if binding.descriptor.hasParts { object.expectPartsToBeHandedOut(binding.descriptor) }
    makeLive(object, id)
  }

  /// Returns an instance of an object as if it had been read before the write, so that it can join the write.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if the store no longer has the object.
  func heldInstance(_ binding: ObjectBinding, _ key: [UInt8]) throws -> ObjectBase {
    let id = IdentityMap.Key(table: binding.table.entry.id, key: key)
    guard let object = try freshInstance(binding, key, id) else { throw goneError(binding, key) }
    object._context = ObjectContext(store: store, visible: visible)
    return object
  }

  private func note(_ state: UndoRecord) {
    guard let object = state.object else { return }
    undo.append(.joining(state), of: object)
    if state.hasDrafts { drafts[ObjectIdentifier(object)] = state }
  }

  /// Records which unsaved properties the write has assigned, before they are written.
  func noteAssigned(to objects: [ObjectBase]) {
    for object in objects { drafts[ObjectIdentifier(object)]?.noteAssigned() }
  }

  private func goneError(_ binding: ObjectBinding, _ key: [UInt8]) -> FiefError {
    FiefError(
      .objectNotFound,
      "The changed object was deleted after it was read.",
      store: store.name,
      type: binding.table.name,
      key: binding.table.text(ofKey: key)
    )
  }

  /// Returns a part and its owners, from the inside out.
  private static func chain(from part: AnyObject?) -> [ObjectIdentifier] {
    guard let part else { return [] }
    var chain = [ObjectIdentifier(part)]
    var object = (part as? OwnedCollection)?.owner ?? (part as? EmbeddedObject)?._owner
    while let embedded = object as? EmbeddedObject, chain.count <= ObjectGraph.deepestEmbedding {
      chain.append(ObjectIdentifier(embedded))
      object = embedded._owner
    }
    return chain
  }

  /// Makes the write fail because of an object that cannot join it. After the failure, the object has its
  /// former values.
  func refuse(_ object: ObjectBase, _ error: FiefError) {
    noteUnjoined(object)
    fail(error)
  }

  /// Notes the state of an object that the failed write is about to change. The object does not join, but the
  /// rollback restores it. A cancelled write was rolled back already.
  private func noteUnjoined(_ object: ObjectBase) {
    if cancellation != .done, !object.isEnding { undo.noteState(of: object) }
  }

  /// Makes the write fail because a changed embedded object has no owner, so that nothing can store the change.
  ///
  /// - Parameter part: the embedded object that was changed itself or by a change of its collection.
  func failForLostOwner(of part: EmbeddedObject) {
    noteUnjoined(part)
    fail(
      FiefError(
        .objectNotFound,
        "An embedded object was changed after its owner replaced it or was released.",
        store: store.name,
        type: type(of: part).className()
      )
    )
  }

  /// Updates the other instances of an object after an assignment to one of them.
  func share(_ object: ObjectBase) {
    do {
      guard try flushSharing() else { return }
      let binding = try store.binding(of: Swift.type(of: object))
      let id = IdentityMap.Key(table: binding.table.entry.id, key: try binding.key(of: object))
      try refreshInstances(of: id, but: object)
    } catch { fail(error) }
  }

  /// Updates the instances of an object to the stored state.
  func refreshInstances(of id: IdentityMap.Key, but object: ObjectBase? = nil) throws {
    var instances: [ObjectBase] = []
    if let known = live[id], known._isShared { instances.append(known) }
    instances += aliases.of(id).map(\.object).filter(\._isShared)
    for instance in instances where instance !== object { try refresh(instance, id) }
  }

  /// Updates the additional instances of all objects to the stored state.
  func refreshSharedInstances() throws {
    for alias in aliases.all where alias.object._isShared { try refresh(alias.object, alias.id) }
  }

  func refresh(_ object: ObjectBase, _ id: IdentityMap.Key) throws {
    let binding = try store.binding(of: Swift.type(of: object))
    guard let fresh = try freshInstance(binding, try binding.key(of: object), nil) else { return }
    object.take(fresh)
    if binding.table.hasDerived { object.expectDerivedReads(binding.descriptor) }
    if binding.descriptor.hasParts { object.expectPartsToBeHandedOut(binding.descriptor) }
  }

  // MARK: Ending the write

  /// Restores, after the commit, the values that were assigned to objects before the write and are not saved.
  func restoreDrafts() {
    for state in drafts.values { state.restoreDrafts() }
    drafts = [:]
  }

  /// Called when a collection of a joined object is changed. If the collection had unsaved changes before the
  /// write, they are restored first.
  func takeUpDraft(of object: ObjectBase, _ part: AnyObject?) {
    guard let collection = part as? OwnedCollection, let state = drafts[ObjectIdentifier(object)],
      state.object === object
    else { return }
    _ = state.takeUp(collection)
  }

  /// Adds the drafts of an added object that has joined the write, so that values assigned before the write
  /// are also written.
  func addDrafts(of object: ObjectBase) {
    guard let state = drafts.removeValue(forKey: ObjectIdentifier(object)), state.object === object else {
      return
    }
    if state.restoreDrafts() { noteChange(of: object) }
  }

  /// Updates live objects that are still held to the stored values, after the transaction was rolled back.
  /// They were read in the transaction, and the next attempt may begin with them.
  ///
  /// - Parameters:
  ///   - instances: the instances that were live.
  ///   - context: the context of the transaction.
  func reload(_ instances: inout [ObjectBase?], of context: ObjectContext) {
    var held: [ObjectBase] = []
    for index in instances.indices where !isKnownUniquelyReferenced(&instances[index]) {
      if let object = instances[index], object._context === context { held.append(object) }
    }
    if held.isEmpty { return }
    let newest = ObjectContext(store: store, visible: context.visible)
    // If an object cannot be read, it keeps its values.
    try? store.read { transaction in
      for object in held {
        let binding = try store.binding(of: Swift.type(of: object))
        let fresh = try binding.key(of: object).withUnsafeBytes { key -> ObjectBase? in
          if try object.hasValues(of: key, binding, in: transaction) { return object }
          return try store.load(binding, key: key, from: transaction, context: newest)
        }
        guard let fresh else { continue }
        object._context = newest
        if fresh !== object { object.take(fresh) }
      }
    }
  }
}

extension ObjectBase {
  /// Whether the object is known to have the values of the stored record with its key. Only objects whose
  /// properties are all plain values are compared, by the hash of the record.
  fileprivate func hasValues(
    of key: UnsafeRawBufferPointer,
    _ binding: ObjectBinding,
    in transaction: LMDB.Transaction
  ) throws -> Bool {
    let stamp = _stamp
    guard stamp != 0, _record == nil, !binding.table.hasDerived, binding.descriptor.hasOnlyPlainValues,
      !hasAssignedProperties(binding.descriptor), let records = binding.table.records,
      let record = try transaction.get(records, key)
    else { return false }
    return RecordStamp.of(try binding.table.view(record).verifiedHash(key, of: binding.table)) == stamp
  }

  /// Whether the object is in its own `deinit`, so that nothing can hold it.
  var isEnding: Bool {
    weak let held = self
    return held == nil
  }
}

extension StoreCore {
  /// Returns whether another core belongs to this store, which may have been closed and opened since. A copy
  /// of a store has the same id; if both are open, they are different stores.
  func isSame(as other: StoreCore) -> Bool {
    self === other
      || (storeID == other.storeID
        && (isClosed || other.isClosed || directory.hasSameBytes(as: other.directory)))
  }

  /// The write to this store whose closure runs on the calling thread.
  var writeOfThread: WriteTransaction? {
    activeWrite ?? WritingThreads.scopes.first { isSame(as: $0.store) }
  }

  /// Makes an object that was read from this store join the write of the calling thread.
  ///
  /// - Returns: the write; nil if no write is active, or if the object cannot join it.
  @inline(never)
  func join(_ object: ObjectBase, _ part: AnyObject?) -> WriteTransaction? {
    if let write = writeOfThread { return write.join(object, part) ? write : nil }
    guard let first = WritingThreads.scopes.first else { return nil }
    first.refuse(
      object,
      FiefError.foreignObject(
        "An object of another store was changed. Use StoreManager.write(to:) to write to both, or change a detached copy.",
        readFrom: self,
        in: first.store,
        type: Swift.type(of: object).className()
      )
    )
    return nil
  }

  /// Reports a change, inside of a write, of an object that this store no longer has.
  @inline(never)
  func reportChange(ofDeleted object: ObjectBase) {
    guard let write = activeWrite ?? WritingThreads.scopes.first else { return }
    write.store.emit(
      .misuse(
        FiefError(
          .objectNotFound,
          "A deleted object was changed; it is not in a store, and the change is lost unless the object is added again.",
          store: name,
          type: Swift.type(of: object).className()
        )
      )
    )
  }

  /// Makes the write of the calling thread fail because of a change of a frozen object. Outside of writes,
  /// the change is reported.
  @inline(never)
  func refuse(frozen object: ObjectBase) {
    let error = FiefError.changedFrozen(in: self, type: Swift.type(of: object).className())
    guard let write = activeWrite ?? WritingThreads.scopes.first else { return emit(.misuse(error)) }
    write.refuse(object, error)
  }

  /// Makes the write of the calling thread fail because of an object of a `read { }` that has not ended.
  @inline(never)
  func refuse(_ object: ObjectBase, of scope: AccessScope) {
    guard let write = activeWrite ?? WritingThreads.scopes.first else { return }
    write.refuse(
      object,
      FiefError(
        .invalidValue,
        "An object of an unfinished read { } was changed in a write, but a read shows a fixed state.",
        store: name,
        type: Swift.type(of: object).className()
      )
    )
  }
}

extension FiefError {
  /// Returns the error for a change of a frozen object or its collection.
  static func changedFrozen(in store: StoreCore, type: String) -> FiefError {
    FiefError(
      .invalidValue,
      "A frozen object was changed; the store is unaffected. Change the live object that thaw() returns.",
      store: store.name,
      type: type
    )
  }
}
