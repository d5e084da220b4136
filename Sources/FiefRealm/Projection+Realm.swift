import Fief

extension ProjectionObservable where Root: Object {
  /// The store of the projected object, or `nil` if the object is unsaved.
  public var realm: Realm? { rootObject.realm }

  /// A Boolean value that indicates whether the projected object was deleted from its store, by any writer.
  /// It is `false` for a frozen projection.
  public var isInvalidated: Bool { !isFrozen && rootObject.isInvalidated }
}

extension ProjectedCollection {
  /// The store of the list or the set, or `nil` if it is in no store.
  public var realm: Realm? { originStore }

  /// A Boolean value that indicates whether the owner of the list or the set was deleted from its store, by
  /// any writer. It is `false` for a frozen collection.
  public var isInvalidated: Bool {
    do { return try isOwnerGone() } catch {
      reportFailure(error)
      return false
    }
  }
}
