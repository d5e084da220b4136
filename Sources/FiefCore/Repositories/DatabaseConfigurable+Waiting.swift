import Foundation

/// Saving and deleting on the caller's thread, which blocks until the commit: for scripts, tests and threads
/// that may block.
///
/// If a method throws a ``FiefError``, the store is unchanged; the code is `nestedWrite` in a write of the
/// same store. When a method returns, the change is durable. On the main actor, use the `async` methods or
/// the methods with a completion handler.
extension DatabaseConfigurable {
  /// Saves an object and the objects to which it links, and waits until the change is durable.
  ///
  /// If two callers read an object, change it and save it, one of the changes is lost.
  /// ``StoreAccess/batch()``, `saveAndWait(entity:ifUnchanged:)` and
  /// ``StoreAccess/runTransaction(maximumAttempts:_:)`` prevent this.
  ///
  /// - Parameters:
  ///   - entity: a new object, or an object that was read from this store.
  ///   - update: whether to replace an object whose primary key exists. If false, the save fails if the key
  ///     exists.
  public func saveAndWait(entity: Object, update: Bool = true) throws {
    try saveAndWait(entities: [entity], update: UpdatePolicy(update))
  }

  /// Saves an object and the objects to which it links, with an update policy, and waits until the change is
  /// durable.
  public func saveAndWait(entity: Object, update: UpdatePolicy) throws {
    try saveAndWait(entities: [entity], update: update)
  }

  /// Saves an object and the objects to which it links, unless another task or process has changed it since
  /// it was read, and waits until the change is durable. See `save(entity:update:ifUnchanged:)` for the
  /// comparison.
  ///
  /// - Throws: ``FiefError`` of code `conflict`, with a line in `details` for each object that has changed;
  ///   and the errors of a save. The store is then unchanged, and the object keeps its assigned values.
  public func saveAndWait(entity: Object, update: UpdatePolicy = .all, ifUnchanged: Bool) throws {
    let store = store()
    let core = try store.core(for: CollectionOfOne(entity))
    let options = SaveOptions(update, seeing: store.visible, ifUnchanged: ifUnchanged)
    try Saving.save([entity], options, in: core)
  }

  /// Saves objects and the objects to which they link, all of them or none, and waits until the change is
  /// durable.
  public func saveAndWait(entities: [Object], update: Bool = true) throws {
    try saveAndWait(entities: entities, update: UpdatePolicy(update))
  }

  /// Saves objects and the objects to which they link, with an update policy, all of them or none, and waits
  /// until the change is durable.
  public func saveAndWait(entities: [Object], update: UpdatePolicy) throws {
    let store = store()
    let options = SaveOptions(update, seeing: store.visible)
    try Saving.save(entities, options, in: try store.core(for: entities))
  }

  /// Saves the objects of results, and waits until the change is durable.
  public func saveAndWait<Element: Object>(entities: Results<Element>, update: Bool = true) throws {
    try saveAndWait(entities: try entities.all(), update: UpdatePolicy(update))
  }

  /// Saves the objects of a JSON document, and waits until the change is durable.
  ///
  /// - Parameters:
  ///   - saveClass: the class of the document's objects.
  ///   - jsonData: the document, with at most 512 levels of nested arrays and objects.
  ///   - update: whether to change an object whose key exists. If false, the save fails if a key exists.
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

  /// Saves the objects of a JSON document, with an update policy, and waits until the change is durable.
  public func saveAndWait(
    saveClass: Object.Type,
    jsonData: Data,
    update: UpdatePolicy,
    options: JSONOptions = .default
  ) throws {
    let store = store()
    let core = try store.core(for: saveClass)
    let document = try JSONImport(of: saveClass, from: jsonData, options: options, store: core)
    let options = SaveOptions(update, places: document.places, seeing: store.visible)
    try Saving.save(document.objects, options, in: core)
  }

  /// Deletes an object, and waits until the change is durable. Links to the object become nil.
  public func deleteAndWait(entity: Object) throws { try deleteAndWait(entities: [entity]) }

  /// Deletes objects, all of them or none, and waits until the change is durable.
  public func deleteAndWait(entities: [Object]) throws {
    let core = try store().core(for: entities)
    let deletion = try Saving.deletion(of: entities, in: core)
    _ = try core.submit(.changes(deletion), bytes: deletion.bytes.count)
  }

  /// Deletes the objects with the given primary keys without reading them, all of them or none, and waits
  /// until the change is durable.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if an object with one of the keys does not exist.
  public func deleteAndWait<Element: Object>(ofType type: Element.Type, forPrimaryKeys keys: some Sequence)
    throws
  {
    let core = try store().core(for: type)
    let deletion = try Saving.deletion(ofType: type, forPrimaryKeys: keys, in: core)
    _ = try core.submit(.changes(deletion), bytes: deletion.bytes.count)
  }

  /// Deletes every object of a type, and waits until the change is durable.
  public func deleteAllAndWait(deleteObjClass: Object.Type) throws {
    let core = try store().core(for: deleteObjClass)
    _ = try core.submit(.changes(try Saving.deletionOfAll(deleteObjClass, in: core)))
  }
}
