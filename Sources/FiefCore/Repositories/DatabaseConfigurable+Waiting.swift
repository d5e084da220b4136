import Foundation

/// Saving and deleting on the caller's thread, which waits for the commit: for scripts, tests and threads that may.
///
/// Each throws a ``FiefError``, and leaves the store as it was; `nestedWrite` inside of a write of the same
/// store. After the return the change is durable. Code on the main actor uses the `async` methods, or those
/// with a completion handler.
extension DatabaseConfigurable {
  /// Saves an object with the objects that it links, and waits until it is durable.
  ///
  /// Of two that read an object, change and save it, one loses its change: ``batch()``, `saveAndWait(entity:ifUnchanged:)` and
  /// ``runTransaction(maximumAttempts:_:)`` do not.
  ///
  /// - Parameters:
  ///   - entity: a new object, or one that was read from this store.
  ///   - update: true inserts or replaces by primary key; false fails where the key exists.
  public func saveAndWait(entity: Object, update: Bool = true) throws {
    try saveAndWait(entities: [entity], update: UpdatePolicy(update))
  }

  /// Saves an object with the objects that it links, by a policy, and waits until it is durable.
  public func saveAndWait(entity: Object, update: UpdatePolicy) throws {
    try saveAndWait(entities: [entity], update: update)
  }

  /// Saves an object with the objects that it links, unless others have changed it since it was read, and waits until it is
  /// durable; `save(entity:update:ifUnchanged:)` says what is compared.
  ///
  /// - Throws: ``FiefError`` of code `conflict`, with a line in `details` for each object that is another one; and what a save
  ///   throws. The store is then unchanged, and the object has its assignments still.
  public func saveAndWait(entity: Object, update: UpdatePolicy = .all, ifUnchanged: Bool) throws {
    let store = store()
    let core = try store.core(for: CollectionOfOne(entity))
    try Saving.save([entity], policy: update, seeing: store.visible, ifUnchanged: ifUnchanged, in: core)
  }

  /// Saves objects with those that they link, all of them or none, and waits until they are durable.
  public func saveAndWait(entities: [Object], update: Bool = true) throws {
    try saveAndWait(entities: entities, update: UpdatePolicy(update))
  }

  /// Saves objects with those that they link, by a policy, all of them or none, and waits until they are durable.
  public func saveAndWait(entities: [Object], update: UpdatePolicy) throws {
    let store = store()
    try Saving.save(entities, policy: update, seeing: store.visible, in: try store.core(for: entities))
  }

  /// Saves the results of a repository, and waits until it is durable.
  public func saveAndWait<Element: Object>(entities: Results<Element>, update: Bool = true) throws {
    try saveAndWait(entities: try entities.all(), update: UpdatePolicy(update))
  }

  /// Saves the objects of a JSON document, and waits until they are durable.
  ///
  /// - Parameters:
  ///   - saveClass: the class of the document's objects.
  ///   - jsonData: the document; at most 512 arrays and objects inside of each other.
  ///   - update: true inserts or replaces by primary key; false fails where a key exists.
  ///   - options: the options for reading the document.
  public func saveAndWait(
    saveClass: Object.Type,
    jsonData: Data,
    update: Bool = true,
    options: JSONOptions = .default
  ) throws {
    try saveAndWait(
      saveClass: saveClass,
      jsonData: jsonData,
      update: UpdatePolicy(update),
      options: options
    )
  }

  /// Saves the objects of a JSON document, by a policy, and waits until they are durable.
  public func saveAndWait(
    saveClass: Object.Type,
    jsonData: Data,
    update: UpdatePolicy,
    options: JSONOptions = .default
  ) throws {
    let store = store()
    let core = try store.core(for: saveClass)
    let document = try JSONImport(of: saveClass, from: jsonData, options: options, store: core)
    try Saving.save(
      document.objects,
      policy: update,
      places: document.places,
      seeing: store.visible,
      in: core
    )
  }

  /// Deletes an object, and waits until that is durable; links to it become nil.
  public func deleteAndWait(entity: Object) throws { try deleteAndWait(entities: [entity]) }

  /// Deletes objects, all of them or none, and waits until that is durable.
  public func deleteAndWait(entities: [Object]) throws {
    let core = try store().core(for: entities)
    let deletion = try Saving.deletion(of: entities, in: core)
    _ = try core.submit(.changes(deletion), bytes: deletion.bytes.count)
  }

  /// Deletes the objects with given primary keys, without reading them, all of them or none, and waits until that is
  /// durable.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` where one of the keys has no object.
  public func deleteAndWait<Element: Object>(ofType type: Element.Type, forPrimaryKeys keys: some Sequence)
    throws
  {
    let core = try store().core(for: type)
    let deletion = try Saving.deletion(ofType: type, forPrimaryKeys: keys, in: core)
    _ = try core.submit(.changes(deletion), bytes: deletion.bytes.count)
  }

  /// Deletes every object of a type, and waits until that is durable.
  public func deleteAllAndWait(deleteObjClass: Object.Type) throws {
    let core = try store().core(for: deleteObjClass)
    _ = try core.submit(.changes(try Saving.deletionOfAll(deleteObjClass, in: core)))
  }
}
