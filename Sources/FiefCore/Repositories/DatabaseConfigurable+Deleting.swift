import Foundation

/// Deleting without waiting, with a completion handler as for saving.
extension DatabaseConfigurable {
  /// Deletes an object without waiting. Links to it become nil.
  ///
  /// - Parameters:
  ///   - entity: an object of this store.
  ///   - isolation: the isolation in which the handler is called; by default the caller's.
  ///   - completion: receives the result, after the method has returned.
  public func delete(
    entity: Object,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave([Swift.type(of: entity)], isolation, completion) { core, _, _ in
      Saving.left(deleting: try Saving.deletion(of: CollectionOfOne(entity), in: core))
    }
  }

  /// Deletes objects without waiting: all of them, or none.
  public func delete(
    entities: [Object],
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave(entities.map { Swift.type(of: $0) }, isolation, completion) { core, _, _ in
      Saving.left(deleting: try Saving.deletion(of: entities, in: core))
    }
  }

  /// Deletes the objects with the given primary keys without reading them and without waiting: all of them,
  /// or none.
  ///
  /// ```swift
  /// pets.delete(ofType: Dog.self, forPrimaryKeys: [3, 5, 8]) { outcome in … }
  /// ```
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - keys: primary keys. For a compound key, pass an array of its parts.
  ///   - isolation: the isolation in which the handler is called; by default the caller's.
  ///   - completion: receives the result, after the method has returned. A failure is a ``FiefError``, of
  ///     code `objectNotFound` if an object with one of the keys does not exist; the store is then unchanged.
  public func delete<Element: Object>(
    ofType type: Element.Type,
    forPrimaryKeys keys: some Sequence,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave([type], isolation, completion) { core, _, _ in
      Saving.left(deleting: try Saving.deletion(ofType: type, forPrimaryKeys: keys, in: core))
    }
  }

  /// Deletes every object of a type without waiting.
  public func deleteAll(
    deleteObjClass: Object.Type,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave([deleteObjClass], isolation, completion) { core, _, _ in
      Saving.left(deleting: try Saving.deletionOfAll(deleteObjClass, in: core))
    }
  }
}
