import Foundation

extension DatabaseConfigurable {
  /// Saves an object and the objects to which it links, and returns when the change is durable.
  ///
  /// If two tasks read an object, change it and save it, one of the changes is lost. To prevent this, use the
  /// operations of ``StoreAccess/batch()``, which are applied at the commit; `save(entity:ifUnchanged:)`,
  /// which fails in this case; or ``StoreAccess/runTransaction(maximumAttempts:_:)``, which runs again. The
  /// object is encoded before the first suspension. If the task is cancelled before the write has begun, the
  /// write is removed from the queue.
  ///
  /// - Throws: ``FiefError``; the store is then unchanged.
  @discardableResult
  nonisolated(nonsending) public func save(entity: Object, update: Bool) async throws -> Bool {
    try await save(entities: [entity], update: UpdatePolicy(update))
  }

  /// Saves an object and the objects to which it links, with an update policy.
  @discardableResult
  nonisolated(nonsending) public func save(entity: Object, update: UpdatePolicy) async throws -> Bool {
    try await save(entities: [entity], update: update)
  }

  /// Saves an object and the objects to which it links, unless another task or process has changed it since
  /// it was read.
  ///
  /// ```swift
  /// dog.age += 1
  /// do { try await pets.save(entity: dog, ifUnchanged: true) } catch let error as FiefError where error.code
  /// == .conflict { // Read the object again, and decide once more. }
  /// ```
  /// At the commit, Fief compares the stored state of the object, and of each new or changed object that is
  /// saved with it, with the state that was read or that this process saved last. An object that was never
  /// stored must not exist in the store. Objects that are only linked are not compared. After the save, later
  /// saves compare the objects with the state that this save has written.
  ///
  /// The state written by other kinds of saves is known only for whole objects. Read the object again after a
  /// save with `.modified`, and after saving an object with derived properties or with lists, sets and maps
  /// that are too large for its record. The comparison uses a hash of 63 bits.
  /// ``StoreAccess/runTransaction(maximumAttempts:_:)`` compares every byte, and retries automatically.
  ///
  /// - Parameters:
  ///   - entity: a new object, or an object that was read from this store.
  ///   - update: what to do with an object whose key exists.
  ///   - ifUnchanged: whether to compare. If false, the object is saved unconditionally.
  /// - Throws: ``FiefError`` of code `conflict`, with a line in `details` for each object that has changed;
  ///   and the errors of a save. The store is then unchanged, and the object keeps its assigned values.
  @discardableResult
  nonisolated(nonsending)
    public func save(entity: Object, update: UpdatePolicy = .all, ifUnchanged: Bool) async throws -> Bool
  {
    let store = store()
    let core = try store.core(for: CollectionOfOne(entity))
    let options = SaveOptions(update, seeing: store.visible, ifUnchanged: ifUnchanged)
    try await Saving.save([entity], options, in: core)
    return true
  }

  /// Saves objects and the objects to which they link: all of them, or none.
  @discardableResult
  nonisolated(nonsending) public func save(entities: [Object], update: Bool = true) async throws -> Bool {
    try await save(entities: entities, update: UpdatePolicy(update))
  }

  /// Saves objects and the objects to which they link, with an update policy: all of them, or none.
  @discardableResult
  nonisolated(nonsending) public func save(entities: [Object], update: UpdatePolicy) async throws -> Bool {
    let store = store()
    let options = SaveOptions(update, seeing: store.visible)
    try await Saving.save(entities, options, in: try store.core(for: entities))
    return true
  }

  /// Deletes an object. Links to it become nil.
  @discardableResult
  nonisolated(nonsending) public func delete(entity: Object) async throws -> Bool {
    try await delete(entities: [entity])
  }

  /// Deletes objects: all of them, or none.
  @discardableResult
  nonisolated(nonsending) public func delete(entities: [Object]) async throws -> Bool {
    let core = try store().core(for: entities)
    _ = try await core.submit(.changes(try Saving.deletion(of: entities, in: core)))
    return true
  }

  /// Deletes the objects with the given primary keys without reading them: all of them, or none.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if an object with one of the keys does not exist; the
  ///   store is then unchanged.
  @discardableResult
  nonisolated(nonsending)
    public func delete<Element: Object>(ofType type: Element.Type, forPrimaryKeys keys: some Sequence)
    async throws -> Bool
  {
    let core = try store().core(for: type)
    let deletion = try Saving.deletion(ofType: type, forPrimaryKeys: keys, in: core)
    _ = try await core.submit(.changes(deletion), bytes: deletion.bytes.count)
    return true
  }

  /// Deletes every object of a type.
  @discardableResult
  nonisolated(nonsending) public func deleteAll(deleteObjClass: Object.Type) async throws -> Bool {
    let core = try store().core(for: deleteObjClass)
    _ = try await core.submit(.changes(try Saving.deletionOfAll(deleteObjClass, in: core)))
    return true
  }
}
