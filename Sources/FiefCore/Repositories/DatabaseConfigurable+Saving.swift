import Foundation

/// Saving and deleting without waiting: with a completion handler.
///
/// A method encodes the objects before it returns, and does not wait for the disk: assignments to them after
/// the call are not part of it. Only objects without a primary key need a commit now and then, for a block of
/// row ids: for the first of a type in a process, and for twice as many each time. Writes are done in the
/// order of the calls, many of them in one commit.
///
/// The handler is called once, later, with the outcome; never before the method has returned. A success means
/// that the change is durable. A failure is a ``FiefError``, also for objects that could not be encoded, and
/// the store is then unchanged the call. Handlers are called in the order of the calls, where the caller is
/// isolated: on the main actor for code of the main actor. Those of callers without isolation are called one
/// at a time on a thread of the store's, while the caller continues: their values have to be safe for that.
/// ``StoreOptions/completionQueue`` is a place for all of them.
///
/// Objects become the store's when the handler is called; those of a caller without isolation with the call, and a
/// failure takes it back. A handler may save, wait for a save, or close the store. ``close()`` commits all that waits,
/// and returns after the handlers on the store's thread were called; on the main actor it calls those of the main actor.
///
/// ``StoreOptions/maximumWaitingBytes`` bounds the waiting objects. Code that needs the outcome at once uses
/// the methods that are called `…AndWait`, tasks the `async` ones.
extension DatabaseConfigurable {
  /// The store's handle; it is opened where it is not open yet.
  ///
  /// Never fails by itself: where opening failed, the handle carries the error.
  public func store() -> Store { StoreRegistry.shared.store(for: self) }

  /// Saves an object with the objects that it links, and does not wait for it.
  ///
  /// Of two that read an object, change and save it, one loses its change: ``batch()``, `save(entity:ifUnchanged:)` and
  /// ``runTransaction(maximumAttempts:_:)`` do not.
  ///
  /// - Parameters:
  ///   - entity: a new object, or one that was read from this store.
  ///   - update: true inserts or replaces by primary key; false fails where the key exists.
  ///   - isolation: the isolation in which the handler is called; the caller's.
  ///   - completion: gets the outcome, after the method has returned.
  public func save(
    entity: Object,
    update: Bool,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave([entity], UpdatePolicy(update), isolation, completion)
  }

  /// Saves an object with the objects that it links, by a policy, and does not wait for it.
  public func save(
    entity: Object,
    update: UpdatePolicy,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave([entity], update, isolation, completion)
  }

  /// Saves objects with those that they link, all of them or none, and does not wait for it.
  public func save(
    entities: [Object],
    update: Bool = true,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave(entities, UpdatePolicy(update), isolation, completion)
  }

  /// Saves objects with those that they link, by a policy, all of them or none, and does not wait for it.
  public func save(
    entities: [Object],
    update: UpdatePolicy,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave(entities, update, isolation, completion)
  }

  /// Saves the results of a repository, and does not wait for it; it is read before the method returns.
  public func save<Element: Object>(
    entities: Results<Element>,
    update: Bool = true,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    let policy = UpdatePolicy(update)
    leave([Element.self], isolation, completion) { core, visible, isCallersPlace in
      try Saving.left(
        try entities.all(),
        policy: policy,
        seeing: visible,
        isCallersPlace: isCallersPlace,
        in: core
      )
    }
  }

  private func leave(
    _ objects: [Object],
    _ policy: UpdatePolicy,
    _ isolation: (any Actor)?,
    _ completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave(objects.map { Swift.type(of: $0) }, isolation, completion) { core, visible, isCallersPlace in
      try Saving.left(objects, policy: policy, seeing: visible, isCallersPlace: isCallersPlace, in: core)
    }
  }

  /// Leaves a write to the queue of the repository's store.
  ///
  /// - Parameters:
  ///   - classes: the classes of the written objects.
  ///   - prepare: as that of the store's method, with the types that the repository declares.
  func leave(
    _ classes: @autoclosure () -> [Object.Type],
    _ isolation: (any Actor)?,
    _ completion: @escaping (Result<Bool, any Error>) -> Void,
    _ prepare: (StoreCore, VisibleTypes?, _ isCallersPlace: Bool) throws -> LeftWrite
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
  /// The policy for `update: true` or `update: false`.
  init(_ update: Bool) { self = update ? .all : .error }
}
