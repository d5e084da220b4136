import Fief

/// A value that can be passed to another thread: an object, an embedded object, a collection, results or a
/// projection.
public protocol ThreadReferable {
  /// The location of the value in its store.
  var _threadPlace: _ThreadPlace { get }
}

/// The location of a value in a store, as stored by ``ThreadSafeReference`` and ``ThreadSafe``.
public struct _ThreadPlace: Sendable {
  /// Looks the value up.
  let find: @Sendable (Store) throws -> Any?
  /// The type in errors.
  let type: ObjectBase.Type
  /// A handle of the store, or the reason why the value is in no store.
  let store: Result<Store, any Error>

  init(_ type: ObjectBase.Type, in store: Store?, _ find: @escaping @Sendable (Store) throws -> Any?) {
    self.type = type
    self.find = find
    self.store =
      store.map { .success($0) }
      ?? .failure(
        FiefError(
          .foreignObject,
          "The value is in no store: save it before you refer to it.",
          type: type.className()
        )
      )
  }

  fileprivate init(failing error: any Error, _ type: ObjectBase.Type) {
    self.type = type
    find = { _ in throw error }
    store = .failure(error)
  }

  /// Creates the location of an object, an embedded object or a collection.
  ///
  /// - Parameter step: returns the value of the object that was found.
  fileprivate init(
    of part: AnyObject,
    in store: @autoclosure () -> Store?,
    step: @escaping @Sendable (AnyObject) throws -> Any? = { $0 }
  ) {
    do {
      let path = try PartPath(to: part)
      self.init(path.type, in: store()) { try path.find(in: $0).flatMap(step) }
    } catch {
      self.init(failing: error, ObjectBase.self)
    }
  }
}

extension ObjectBase: ThreadReferable {
  /// The location of the object.
  public var _threadPlace: _ThreadPlace { _ThreadPlace(of: self, in: originStore) }
}

extension _OwnedCollection: ThreadReferable {
  /// The location of the list, the set or the map.
  public var _threadPlace: _ThreadPlace { _ThreadPlace(of: self, in: originStore) }
}

extension Projection: ThreadReferable {
  /// The location of the projected object.
  public var _threadPlace: _ThreadPlace {
    let type = Swift.type(of: self)
    return _ThreadPlace(of: rootObject, in: rootObject.originStore) { object in
      (object as? Root).map { type.init(projecting: $0) }
    }
  }
}

extension LinkingObjects: ThreadReferable {
  /// The location of the inverse.
  public var _threadPlace: _ThreadPlace {
    guard let (target, property) = inverse else {
      let error = FiefError(
        .foreignObject,
        "The inverse belongs to no object.",
        type: Element.className()
      )
      return _ThreadPlace(failing: error, Element.self)
    }
    return _ThreadPlace(of: target, in: target.originStore) { object in
      try (object as? ObjectBase)?.value(ofProperty: property)
    }
  }
}

extension Results: ThreadReferable {
  /// The store and the query.
  public var _threadPlace: _ThreadPlace { _ThreadPlace(Element.self, in: originStore) { try $0.seen(self) } }
}

extension AnyRealmCollection: ThreadReferable where Element: Object {
  /// The store and the query.
  public var _threadPlace: _ThreadPlace {
    let results = results
    return _ThreadPlace(Element.self, in: results.originStore) { AnyRealmCollection(try $0.seen(results)) }
  }
}

extension Store {
  fileprivate func seen<Element>(_ results: Results<Element>) throws -> Results<Element> {
    guard try results.storeIdentity() == identity() else {
      throw FiefError(
        .foreignObject,
        "The results belong to another store.",
        type: Element.className()
      )
    }
    return results.seen(by: self)
  }
}
