/// The location in the store of a collection whose object was released, such as the collection of
/// `store.objects(Person.self).first?.dogs`.
///
/// The object refers to its collections strongly, so a collection refers to its object weakly. When the
/// object is released, its collections that are still in use receive their locations. With its location, a
/// collection can be queried and observed, and in a write it belongs to an object again.
final class CollectionPlace {
  private(set) var context: ObjectContext
  /// The name of the type of the object that contains the collection.
  let type: String
  private let binding: ObjectBinding?
  private let members: Result<QueryMembers, any Error>
  /// Whether the collection has unsaved changes.
  private var isAssigned: Bool

  /// - Parameters:
  ///   - root: the object with a separate record that is being released.
  ///   - path: the columns that lead from the object to the collection.
  ///   - isAssigned: whether one of the columns was assigned and not saved.
  init(of root: ObjectBase, _ context: ObjectContext, _ path: [String], isAssigned: Bool) {
    self.context = context
    self.isAssigned = isAssigned
    type = Swift.type(of: root).className()
    let binding = try? context.store?.binding(of: Swift.type(of: root))
    self.binding = binding
    members = Result {
      guard let binding, !(root is EmbeddedObject),
        // An object whose key was assigned is a different object, which may not be in the store.
        !binding.primaryKey.contains(where: { root.isAssigned($0) })
      else { throw Self.lost(Swift.type(of: root).className()) }
      let key = ObjectKey(bytes: try binding.key(of: root))
      return QueryMembers(type: binding.table.name, key: key, path: path)
    }
  }

  /// Returns the location of the collection in the store, and the context in which it is looked up.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if the location is unknown, `invalidQuery` if the
  ///   collection has unsaved changes and therefore differs from the collection in the store.
  func found() throws -> (ObjectContext, QueryMembers) {
    let members = try members.get()
    guard let store = context.store else { throw Self.lost(type) }
    if isAssigned { throw Self.unsaved(in: store, type: type, property: members.path.last) }
    return (store.inverseContext(of: context), members)
  }

  /// Returns whether the object that contains the collection no longer exists, in the newest state or in the
  /// write on this thread.
  ///
  /// - Throws: ``FiefError`` if the store cannot be read.
  func isGone() throws -> Bool {
    guard let store = context.store, let table = binding?.table else { return true }
    return try store.isGone(members.get().key.bytes, from: table)
  }

  /// Called when the collection was changed and does not belong to an object that could be saved.
  func noteChange() {
    // The write of this thread has already failed because of the change.
    if isAssigned || !WritingThreads.scopes.isEmpty { return }
    isAssigned = true
    guard let store = context.store else { return }
    var error = Self.lost(type)
    error.store = store.name
    error.property = (try? members.get())?.path.last
    store.emit(.misuse(error))
  }

  /// Returns the owner of the collection in this thread's write. The collection then has the same contents as
  /// the owner's collection in the write. If no owner is found, or the collection is frozen, the write fails.
  func owner(again collection: OwnedCollection) -> ObjectBase? {
    guard let first = WritingThreads.scopes.first, let store = context.store else { return nil }
    let write = store.activeWrite
    (write ?? first).undo.append(.contents(collection.saved()), of: collection)
    guard let write else {
      first.fail(
        FiefError.foreignObject(
          "A collection of another store was changed; StoreManager.write(to:) writes to both stores.",
          readFrom: store,
          in: first.store,
          type: type
        )
      )
      return nil
    }
    do {
      if context.isFrozen { throw FiefError.changedFrozen(in: store, type: type) }
      if let scope = context.currentScope, scope !== write {
        throw FiefError(
          .invalidValue,
          "A collection of an unfinished read { } was changed in a write, but a read shows a fixed state.",
          type: type
        )
      }
      let members = try members.get()
      guard let binding else { throw Self.lost(type) }
      let owner = try write.heldInstance(binding, members.key.bytes)
      guard put(collection, members.path, owner) == true else { throw Self.lost(type) }
      return owner
    } catch {
      write.fail(store.described(error))
      return nil
    }
  }

  /// Returns the owner of the collection in this thread's write, like ``owner(again:)``. Outside a write,
  /// returns the owner in the snapshot of a handler or in the newest state, if the existing objects of the
  /// store were refreshed since the collection was read.
  ///
  /// A collection keeps its elements if it has unsaved changes, or if its owner was deleted. If the embedded
  /// object that contains it was replaced by nil, the collection becomes empty.
  func ownerForReading(_ collection: OwnedCollection) -> ObjectBase? {
    guard !isAssigned, !context.isFrozen, context.currentScope == nil, let store = context.store,
      let binding, let members = try? members.get()
    else { return nil }
    let write = store.writeOfThread
    let owner: ObjectBase?
    if let write {
      owner = write.mayJoinByReading ? try? write.heldInstance(binding, members.key.bytes) : nil
    } else {
      guard let newest = context.newest() else { return nil }
      context = newest
      owner = store.refreshedObject(binding, members.key.bytes, newest)
    }
    guard let owner else { return nil }
    let saved = collection.saved()
    guard let isPut = put(collection, members.path, owner) else {
      if empty(collection, members, in: store) { write?.undo.append(.contents(saved), of: collection) }
      return nil
    }
    guard isPut else {
      collection.restore(saved)
      return nil
    }
    write?.undo.append(.contents(saved), of: collection)
    return owner
  }

  /// Removes the elements of a collection that its owner no longer has, and reports this.
  ///
  /// - Returns: whether the collection had elements that were known.
  private func empty(_ collection: OwnedCollection, _ members: QueryMembers, in store: StoreCore) -> Bool {
    if collection.unread != nil { return false }
    let error = FiefError(
      .objectNotFound,
      "A collection is empty because its object no longer has the embedded object of the collection.",
      store: store.name,
      type: type,
      property: members.path.joined(separator: "."),
      key: binding?.table.text(ofKey: members.key.bytes)
    )
    collection.forget()
    collection.noteUnread(error)
    store.report(error, type: type, property: error.property)
    return true
  }

  /// Updates the collection to its contents in a scope. Unsaved changes are kept.
  ///
  /// - Throws: ``FiefError`` if the owner of the collection cannot be read.
  func refresh(_ collection: OwnedCollection, in scope: AccessScope) throws {
    guard !isAssigned, !context.isFrozen, context.store === scope.store, let binding,
      let owner = try members.get().key.bytes.withUnsafeBytes({ try scope.load(binding, key: $0) })
    else { return }
    let saved = collection.saved()
    guard let isPut = try put(collection, members.get().path, owner) else {
      _ = try empty(collection, members.get(), in: scope.store)
      return
    }
    if !isPut { collection.restore(saved) }
  }

  /// Attaches the collection to an instance that was just read, and reads it.
  ///
  /// - Returns: whether the class of the instance has such a collection; nil if the instance lacks the embedded
  ///   object that has the collection. The collection is then unchanged.
  private func put(_ collection: OwnedCollection, _ path: [String], _ owner: ObjectBase) -> Bool? {
    var holder = owner
    for column in path.dropLast() {
      guard let property = holder.descriptor.properties.first(where: { $0.column == column }),
        let part = holder.value(of: property) as? EmbeddedObject
      else { return nil }
      holder = part
    }
    guard let property = holder.descriptor.properties.first(where: { $0.column == path.last }),
      let value = collection as? any Persistable
    else { return false }
    collection.forget()
    holder.withFields { base in
      property.field.restore(value, base + property.offset)
      property.field.performFirstRead(base + property.offset, owner: holder, offset: property.offset)
    }
    return collection.owner === holder
  }

  static func unsaved(in store: StoreCore, type: String, property: String?) -> FiefError {
    FiefError(
      .invalidQuery,
      "The collection has unsaved changes and differs from the collection in the store.",
      store: store.name,
      type: type,
      property: property
    )
  }

  private static func lost(_ type: String) -> FiefError {
    FiefError(
      .objectNotFound,
      "A collection was changed or queried, but its object was released and its store is unknown.",
      type: type
    )
  }
}

extension ObjectBase {
  /// Called when the object is released. Its collections that are still in use receive their locations in the
  /// store.
  func leaveCollections(in context: ObjectContext) {
    guard context.store != nil else { return }
    leaveCollections(to: self, context, path: [], isAssigned: false)
  }

  private func leaveCollections(
    to root: ObjectBase,
    _ context: ObjectContext,
    path: [String],
    isAssigned: Bool
  ) {
    let base = UnsafeMutableRawPointer(Unmanaged.passUnretained(self).toOpaque())
    // The record's binding provides the descriptor without a lookup.
    for property in (_record?.binding.descriptor ?? descriptor).parts {
      if property.access == .collection {
        // SAFETY: the value is a reference to the collection and the wrapper's first field. The object is
        // being released, so nothing else uses it.
        let field = (base + property.offset).assumingMemoryBound(to: OwnedCollection.self)
        if isKnownUniquelyReferenced(&field.pointee) { continue }
        let collection = field.pointee
        guard collection.isLeft(by: self) else { continue }
        if let record = _record { collection.largeAccess?.leave(record) }
        collection.stay(
          at: CollectionPlace(
            of: root,
            context,
            path + [property.column],
            isAssigned: isAssigned || self.isAssigned(property)
          )
        )
      } else if path.count < ObjectGraph.deepestEmbedding {
        // SAFETY: the value is a reference or nil, and is the wrapper's first field.
        let held = (base + property.offset).assumingMemoryBound(to: ObjectBase?.self).pointee
        guard let held, held._lendsCollections || held._holdsObjects else { continue }
        held.leaveCollections(
          to: root,
          context,
          path: path + [property.column],
          isAssigned: isAssigned || self.isAssigned(property)
        )
      }
    }
  }
}
