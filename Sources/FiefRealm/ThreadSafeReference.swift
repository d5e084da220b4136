import Fief

/// A reference to something of a store that can be handed to another thread or task: an object, an embedded object, a list, a
/// set, a map, an inverse, results.
///
/// ```swift
/// let reference = ThreadSafeReference(to: dog)
/// Task.detached { let dog = try Realm(configuration: configuration).resolve(reference) }
/// ```
/// It holds the class, the key and the way from the object to the part, no version of the store: what it is resolved to has
/// the newest state. It can be resolved any number of times.
public struct ThreadSafeReference<Confined>: Sendable {
  /// Looks it up.
  let find: @Sendable (Store) throws -> Any?
  /// What errors are reported of.
  let type: ObjectBase.Type

  private init(part: AnyObject) {
    do {
      let path = try PartPath(to: part)
      find = { try path.find(in: $0) }
      type = path.type
    } catch {
      find = { _ in throw error }
      type = ObjectBase.self
    }
  }

  /// Makes a reference to an object that was read from a store or saved to it, or that is embedded in such a one.
  ///
  /// For any other, and for one that was deleted, resolving it fails.
  public init(to object: Confined) where Confined: ObjectBase { self.init(part: object) }

  /// Makes a reference to a list of an object; of one that is in no store, resolving it fails.
  public init<Element>(to list: List<Element>) where Confined == List<Element> { self.init(part: list) }

  /// Makes a reference to a set of an object; of one that is in no store, resolving it fails.
  public init<Element>(to set: MutableSet<Element>) where Confined == MutableSet<Element> {
    self.init(part: set)
  }

  /// Makes a reference to a map of an object; of one that is in no store, resolving it fails.
  public init<Key, Value>(to map: Map<Key, Value>) where Confined == Map<Key, Value> {
    self.init(part: map)
  }

  /// Makes a reference to the inverse of an object; of one that is in no store, resolving it fails.
  public init<Element>(to inverse: LinkingObjects<Element>) where Confined == LinkingObjects<Element> {
    let property = inverse.inverse?.property ?? ""
    do {
      guard let target = inverse.inverse?.target else {
        throw FiefError(
          .foreignObject,
          "The reference is to an inverse of no object.",
          type: Element.className()
        )
      }
      let path = try PartPath(to: target)
      find = { store in try (path.find(in: store) as? ObjectBase)?.value(ofProperty: property) }
    } catch {
      find = { _ in throw error }
    }
    type = Element.self
  }

  /// Makes a reference to results. They could be handed on as they are.
  public init<Element>(to results: Results<Element>) where Confined == Results<Element> {
    find = { try $0.seen(results) }
    type = Element.self
  }

  /// Makes a reference to a collection of objects whose type is hidden.
  public init<Element>(to collection: AnyRealmCollection<Element>)
  where Confined == AnyRealmCollection<Element>, Element: Object {
    let results = collection.results
    find = { AnyRealmCollection(try $0.seen(results)) }
    type = Element.self
  }
}

extension Store {
  fileprivate func seen<Element>(_ results: Results<Element>) throws -> Results<Element> {
    guard try results.storeIdentity() == identity() else {
      throw FiefError(
        .foreignObject,
        "The reference is to results of another store.",
        type: Element.className()
      )
    }
    return results.seen(by: self)
  }

  /// What a reference leads to; nil where it was deleted, and where it cannot be read, which is an event.
  public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    do { return try fetchObject(reference) } catch {
      report(error, of: reference.type)
      return nil
    }
  }

  /// What a reference leads to; nil where it was deleted.
  ///
  /// - Throws: ``FiefError`` of code `foreignObject` for a reference to what is in another store or in none; `objectNotFound`
  ///   for one that was made of a deleted object; `storeClosed` where the store was closed when the reference was made; others
  ///   where it cannot be read.
  public func fetchObject<Confined>(_ reference: ThreadSafeReference<Confined>) throws -> Confined? {
    try reference.find(self) as? Confined
  }
}
