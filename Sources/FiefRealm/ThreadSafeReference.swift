import Fief

/// A reference to something of a store that can be handed to another thread or task: an object, an embedded object, a list, a
/// set, a map, an inverse, results, a projection.
///
/// ```swift
/// let reference = ThreadSafeReference(to: dog)
/// Task.detached { let dog = try Realm(configuration: configuration).resolve(reference) }
/// ```
/// It holds the class, the key and the path from the object to the part, no version of the store: resolving
/// it gives the newest state. It can be resolved any number of times. The path to an embedded object of a
/// list is its place in the list.
public struct ThreadSafeReference<Confined>: Sendable {
  /// Looks it up.
  let find: @Sendable (Store) throws -> Any?
  /// The type that errors name.
  let type: ObjectBase.Type

  init(_ place: _ThreadPlace) {
    find = place.find
    type = place.type
  }

  /// Makes a reference to something that is in a store. Results could be handed on as they are.
  ///
  /// Resolving a reference to a value that is in no store, or that was deleted, fails.
  public init(to confined: Confined) where Confined: ThreadReferable { self.init(confined._threadPlace) }
}

extension Store {
  /// The value that a reference leads to; nil where it was deleted, and where it cannot be read, which is an event.
  public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    do { return try fetchObject(reference) } catch {
      report(error, of: reference.type)
      return nil
    }
  }

  /// The value that a reference leads to; nil where it was deleted.
  ///
  /// - Throws: ``FiefError`` of code `foreignObject` for a reference to a value in another store or in none;
  ///   `objectNotFound` for one that was made from a deleted object; `storeClosed` where the store was closed
  ///   when the reference was made; others where it cannot be read.
  public func fetchObject<Confined>(_ reference: ThreadSafeReference<Confined>) throws -> Confined? {
    try reference.find(self) as? Confined
  }
}
