import Foundation

/// Saving and deleting, in two forms each. The one with a completion handler waits for the commit and
/// calls the handler on the caller's thread before it returns, so that it can be used from any synchronous
/// code; the `async` one suspends. Success means that the change is durable.
extension DatabaseConfigurable {
  /// The store's handle; it is opened where it is not open yet.
  ///
  /// Never fails by itself: where opening failed, the handle carries the error.
  public func store() -> Store { StoreRegistry.shared.store(for: self) }

  /// Saves an object with what it links.
  ///
  /// - Parameters:
  ///   - entity: a new object, or one that was read from this store.
  ///   - update: true inserts or replaces by primary key; false fails where the key exists.
  ///   - completion: gets the outcome, before the method returns. A failure is a ``FiefError``, and the
  ///     store then holds what it held before.
  public func save(entity: Object, update: Bool, completion: (Result<Bool, any Error>) -> Void) {
    save(entity: entity, update: UpdatePolicy(update), completion: completion)
  }

  /// Saves an object with what it links, by a policy.
  public func save(entity: Object, update: UpdatePolicy, completion: (Result<Bool, any Error>) -> Void) {
    completion(outcome { try Saving.save([entity], policy: update, in: try store().core()) })
  }

  /// Saves objects with what they link: all of them, or none.
  public func save(entities: [Object], update: Bool = true, completion: (Result<Bool, any Error>) -> Void) {
    save(entities: entities, update: UpdatePolicy(update), completion: completion)
  }

  /// Saves objects with what they link, by a policy: all of them, or none.
  public func save(entities: [Object], update: UpdatePolicy, completion: (Result<Bool, any Error>) -> Void) {
    completion(outcome { try Saving.save(entities, policy: update, in: try store().core()) })
  }

  /// Saves what a repository has found.
  public func save<Element: Object>(
    entities: Results<Element>,
    update: Bool = true,
    completion: (Result<Bool, any Error>) -> Void
  ) {
    completion(
      outcome { try Saving.save(try entities.all(), policy: UpdatePolicy(update), in: try store().core()) }
    )
  }

  /// Deletes an object; links to it become nil.
  public func delete(entity: Object, completion: (Result<Bool, any Error>) -> Void) {
    delete(entities: [entity], completion: completion)
  }

  /// Deletes objects: all of them, or none.
  public func delete(entities: [Object], completion: (Result<Bool, any Error>) -> Void) {
    completion(
      outcome {
        let core = try store().core()
        _ = try core.submit(.changes(try Saving.deletion(of: entities, in: core)))
      }
    )
  }

  /// Deletes the objects with given primary keys, without reading them: all of them, or none.
  ///
  /// ```swift
  /// pets.delete(ofType: Dog.self, forPrimaryKeys: [3, 5, 8]) { outcome in … }
  /// ```
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - keys: primary keys; an array of the parts for each compound one.
  ///   - completion: gets the outcome, before the method returns. A failure is a ``FiefError``, of code
  ///     `objectNotFound` where one of the keys has no object; the store then holds what it held before.
  public func delete<Element: Object>(
    ofType type: Element.Type,
    forPrimaryKeys keys: some Sequence,
    completion: (Result<Bool, any Error>) -> Void
  ) {
    completion(
      outcome {
        let core = try store().core()
        let deletion = try Saving.deletion(ofType: type, forPrimaryKeys: keys, in: core)
        _ = try core.submit(.changes(deletion), bytes: deletion.bytes.count)
      }
    )
  }

  /// Deletes every object of a type.
  public func deleteAll(deleteObjClass: Object.Type, completion: (Result<Bool, any Error>) -> Void) {
    completion(
      outcome {
        let core = try store().core()
        _ = try core.submit(.changes(try Saving.deletionOfAll(deleteObjClass, in: core)))
      }
    )
  }

  private func outcome(_ body: () throws -> Void) -> Result<Bool, any Error> {
    Result {
      try body()
      return true
    }
  }
}

extension UpdatePolicy {
  /// The policy that `update: true` and `update: false` stand for.
  init(_ update: Bool) { self = update ? .all : .error }
}
