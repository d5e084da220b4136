import Fief

/// A reference to an object of a store that can be handed to another thread or task.
///
/// ```swift
/// let reference = ThreadSafeReference(to: dog)
/// Task.detached { let dog = try Realm(configuration: configuration).resolve(reference) }
/// ```
/// It holds the class and the key, no version of the store: what it is resolved to has the newest state. It can be resolved
/// any number of times.
public struct ThreadSafeReference<Confined: Object>: Sendable {
  /// The key; nil for an object that had none when the reference was made.
  let key: [UInt8]?
  /// The store that the object came from.
  let store: String?

  /// Makes a reference to an object that was read from a store or saved to it.
  public init(to object: Confined) {
    key = (try? object.originKey()) ?? nil
    store = object.originStore.flatMap { try? $0.identity() }
  }
}

extension Store {
  /// The object that a reference leads to; nil where it was deleted, and where it cannot be read, which is an event.
  public func resolve<Confined: Object>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    do { return try fetchObject(reference) } catch {
      report(error, of: Confined.self)
      return nil
    }
  }

  /// The object that a reference leads to; nil where it was deleted.
  ///
  /// - Throws: ``FiefError`` of code `foreignObject` for a reference to an object of another store or of none; others where
  ///   the object cannot be read.
  public func fetchObject<Confined: Object>(_ reference: ThreadSafeReference<Confined>) throws -> Confined? {
    guard let key = reference.key, let origin = reference.store, try origin == identity() else {
      throw FiefError(
        .foreignObject,
        "The reference is to an object of another store, or of none.",
        type: Confined.className()
      )
    }
    return try object(ofType: Confined.self, key: key)
  }
}
