import Foundation

extension DatabaseConfigurable {
  /// Saves an object with the objects that it links; returns when the change is durable.
  ///
  /// Two tasks that read an object, change and save it lose the change of one of them: ``batch()`` has operations that are applied
  /// at the commit, `save(entity:ifUnchanged:)` fails then, and ``runTransaction(maximumAttempts:_:)`` runs again. The object is
  /// encoded before the first suspension. Cancelling the task removes a write that has not begun.
  ///
  /// - Throws: ``FiefError``; the store is then unchanged.
  @discardableResult
  nonisolated(nonsending) public func save(entity: Object, update: Bool) async throws -> Bool {
    try await save(entities: [entity], update: UpdatePolicy(update))
  }

  /// Saves an object with the objects that it links, by a policy.
  @discardableResult
  nonisolated(nonsending) public func save(entity: Object, update: UpdatePolicy) async throws -> Bool {
    try await save(entities: [entity], update: update)
  }

  /// Saves an object with the objects that it links, unless others have changed it since it was read.
  ///
  /// ```swift
  /// dog.age += 1
  /// do { try await pets.save(entity: dog, ifUnchanged: true) } catch let error as FiefError where error.code == .conflict {
  ///   // Read the object again, and decide once more.
  /// }
  /// ```
  /// The object, and each that is saved with it because it is new or was changed, is compared with what the store has at the
  /// commit: it has to be as it was read, or as this process has saved it last. One that was never stored must not be there.
  /// Objects that are only linked are not compared. After the save its objects are compared with what that has written.
  ///
  /// What a save of another kind has written is known for whole objects: after one with `.modified`, and after one of an object
  /// with derived properties or more elements in lists, sets and maps than its record has room for, read the object again. The
  /// comparison is by a hash of 63 bits. ``Store/runTransaction(maximumAttempts:_:)`` compares every byte, and runs again by
  /// itself.
  ///
  /// - Parameters:
  ///   - entity: a new object, or one that was read from this store.
  ///   - update: the treatment of an object whose key exists.
  ///   - ifUnchanged: false saves it in any case.
  /// - Throws: ``FiefError`` of code `conflict`, with a line in `details` for each object that is another one; and what a save
  ///   throws. The store is then unchanged, and the object has its assignments still.
  @discardableResult
  nonisolated(nonsending)
    public func save(entity: Object, update: UpdatePolicy = .all, ifUnchanged: Bool) async throws -> Bool
  {
    let store = store()
    let core = try store.core(for: CollectionOfOne(entity))
    try await Saving.save([entity], policy: update, seeing: store.visible, ifUnchanged: ifUnchanged, in: core)
    return true
  }

  /// Saves objects with those that they link: all of them, or none.
  @discardableResult
  nonisolated(nonsending) public func save(entities: [Object], update: Bool = true) async throws -> Bool {
    try await save(entities: entities, update: UpdatePolicy(update))
  }

  /// Saves objects with those that they link, by a policy: all of them, or none.
  @discardableResult
  nonisolated(nonsending) public func save(entities: [Object], update: UpdatePolicy) async throws -> Bool {
    let store = store()
    try await Saving.save(entities, policy: update, seeing: store.visible, in: try store.core(for: entities))
    return true
  }

  /// Deletes an object; links to it become nil.
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

  /// Deletes the objects with given primary keys, without reading them: all of them, or none.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` where one of the keys has no object; the store is then
  ///   unchanged.
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
