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
  /// The object's key and what tells its store from others, or why they could not be had.
  let place: Result<Place, FiefError>

  struct Place: Sendable {
    let key: [UInt8]
    let store: String
  }

  /// Makes a reference to an object that was read from a store or saved to it. For any other object, resolving it fails.
  public init(to object: Confined) {
    let foreign = FiefError(
      .foreignObject,
      "The reference is to an object of no store.",
      type: Confined.className()
    )
    do {
      guard let store = object.originStore, let key = try object.originKey() else { throw foreign }
      place = .success(Place(key: key, store: try store.identity()))
    } catch { place = .failure(error as? FiefError ?? foreign) }
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
  /// - Throws: ``FiefError`` of code `foreignObject` for a reference to an object of another store or of none; `storeClosed`
  ///   where the object's store was closed when the reference was made; others where the object cannot be read.
  public func fetchObject<Confined: Object>(_ reference: ThreadSafeReference<Confined>) throws -> Confined? {
    let place = try reference.place.get()
    guard try place.store == identity() else {
      throw FiefError(
        .foreignObject,
        "The reference is to an object of another store.",
        type: Confined.className()
      )
    }
    return try object(ofType: Confined.self, key: place.key)
  }
}
