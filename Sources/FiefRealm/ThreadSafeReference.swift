import Fief

/// A reference to a value of a store that can be passed to another thread or task: an object, an embedded
/// object, a collection, results or a projection.
///
/// ```swift
/// let reference = ThreadSafeReference(to: dog)
/// Task.detached { let dog = try Realm(configuration: configuration).resolve(reference) }
/// ```
/// The reference consists of the class, the key and the path from the object to the value. It keeps no
/// version of the store: resolving it returns the newest state, and you can resolve it any number of times.
/// The path to an embedded object in a list is its index.
public struct ThreadSafeReference<Confined>: Sendable {
  /// Looks the value up.
  let find: @Sendable (Store) throws -> Any?
  /// The type in errors.
  let type: ObjectBase.Type

  init(_ place: _ThreadPlace) {
    find = place.find
    type = place.type
  }

  /// Creates a reference to a value of a store. Results need no reference.
  ///
  /// If the value is in no store or was deleted, resolving the reference fails.
  public init(to confined: Confined) where Confined: ThreadReferable { self.init(confined._threadPlace) }
}

extension Store {
  /// Returns the value of a reference. The result is `nil` if the value was deleted or cannot be read. A
  /// failed read is reported.
  public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    do { return try fetchObject(reference) } catch {
      report(error, of: reference.type)
      return nil
    }
  }

  /// Returns the value of a reference, or `nil` if the value was deleted.
  ///
  /// - Throws: ``FiefError`` of code `foreignObject` if the value is in another store or in no store, of code
  ///   `objectNotFound` if the reference was created for a deleted object, of code `storeClosed` if the store
  ///   was closed when the reference was created, and other codes if reading fails.
  public func fetchObject<Confined>(_ reference: ThreadSafeReference<Confined>) throws -> Confined? {
    try reference.find(self) as? Confined
  }
}
