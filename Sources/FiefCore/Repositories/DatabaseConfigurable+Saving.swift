import Foundation

/// Saving and deleting without waiting, with a completion handler.
///
/// A method encodes the objects before it returns and does not wait for the disk; later assignments to the
/// objects are not saved. Only objects without a primary key occasionally need a commit, which reserves a
/// block of row ids: for the first object of a type in a process, and then for blocks of doubling size.
/// Writes are performed in the order of the calls, many of them in one commit.
///
/// The handler is called once with the result, always after the method has returned. Success means that the
/// change is durable. A failure is a ``FiefError``, also if the objects could not be encoded; the store is
/// then unchanged. Handlers are called in the order of the calls, in the caller's isolation: on the main
/// actor for code of the main actor. Handlers of callers without isolation are called one at a time on a
/// thread of the store, concurrently with the caller, so the values that they capture must be safe for that.
/// ``StoreOptions/completionQueue`` sets one queue for all handlers.
///
/// Objects become managed by the store when the handler is called. Objects of a caller without isolation
/// become managed by the call itself, and a failure reverts this. A handler may save, wait for a save, or
/// close the store. ``close()`` commits all waiting writes, and returns after the handlers on the store's
/// thread were called; on the main actor it calls the handlers of the main actor.
///
/// ``StoreOptions/maximumWaitingBytes`` limits the waiting objects. If your code needs the result
/// immediately, use the `…AndWait` methods; in tasks, use the `async` methods.
extension DatabaseConfigurable {
  /// Returns the handle of the store, opening the store if necessary.
  ///
  /// This method never fails. If the store cannot be opened, the handle contains the error.
  public func store() -> Store { StoreRegistry.shared.store(for: self) }

  /// Saves an object and the objects to which it links, without waiting.
  ///
  /// If two callers read an object, change it and save it, one of the changes is lost.
  /// ``StoreAccess/batch()``, `save(entity:ifUnchanged:)` and
  /// ``StoreAccess/runTransaction(maximumAttempts:_:)`` prevent this.
  ///
  /// - Parameters:
  ///   - entity: a new object, or an object that was read from this store.
  ///   - update: whether to replace an object whose primary key exists. If false, the save fails if the key
  ///     exists.
  ///   - isolation: the isolation in which the handler is called; by default the caller's.
  ///   - completion: receives the result, after the method has returned.
  public func save(
    entity: Object,
    update: Bool,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave([entity], UpdatePolicy(update), isolation, completion)
  }

  /// Saves an object and the objects to which it links, with an update policy, without waiting.
  public func save(
    entity: Object,
    update: UpdatePolicy,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave([entity], update, isolation, completion)
  }

  /// Saves objects and the objects to which they link, without waiting: all of them, or none.
  public func save(
    entities: [Object],
    update: Bool = true,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave(entities, UpdatePolicy(update), isolation, completion)
  }

  /// Saves objects and the objects to which they link, with an update policy, without waiting: all of them,
  /// or none.
  public func save(
    entities: [Object],
    update: UpdatePolicy,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave(entities, update, isolation, completion)
  }

  /// Saves the objects of results without waiting. The results are read before the method returns.
  public func save<Element: Object>(
    entities: Results<Element>,
    update: Bool = true,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    let policy = UpdatePolicy(update)
    leave([Element.self], isolation, completion) { core, visible, isCallersPlace in
      let options = SaveOptions(policy, seeing: visible)
      return try Saving.left(try entities.all(), options, isCallersPlace: isCallersPlace, in: core)
    }
  }

  private func leave(
    _ objects: [Object],
    _ policy: UpdatePolicy,
    _ isolation: (any Actor)?,
    _ completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave(objects.map { Swift.type(of: $0) }, isolation, completion) { core, visible, isCallersPlace in
      let options = SaveOptions(policy, seeing: visible)
      return try Saving.left(objects, options, isCallersPlace: isCallersPlace, in: core)
    }
  }

  /// Adds a write to the queue of the repository's store.
  ///
  /// - Parameters:
  ///   - classes: the classes of the written objects.
  ///   - prepare: prepares the write, as in the store's method. It also receives the types that the
  ///     repository declares.
  func leave(
    _ classes: @autoclosure () -> [Object.Type],
    _ isolation: (any Actor)?,
    _ completion: @escaping (Result<Bool, any Error>) -> Void,
    _ prepare: (StoreCore, VisibleTypes?, _ isCallersPlace: Bool) throws -> DetachedWrite
  ) {
    let store = store()
    store.leave(isolation: isolation, completion) { core, isCallersPlace in
      if let visible = store.visible {
        for type in classes() { try visible.check(type, in: core) }
      }
      return try prepare(core, store.visible, isCallersPlace)
    }
  }
}

extension UpdatePolicy {
  /// Creates the policy for `update: true` or `update: false`.
  init(_ update: Bool) { self = update ? .all : .error }
}
