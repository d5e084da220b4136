import Foundation

extension DatabaseConfigurable {
  /// Saves an object with the objects that it links; returns when the change is durable.
  ///
  /// Two tasks that read an object, change and save it lose the change of one of them: ``batch()`` has operations that are applied
  /// at the commit. The object is encoded before the first suspension. Cancelling the task removes a write that has not
  /// begun.
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
