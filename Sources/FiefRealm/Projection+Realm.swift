import Fief

extension ProjectionObservable where Root: Object {
  /// The store of the projected object; nil for one of no store.
  public var realm: Realm? { rootObject.realm }

  /// Whether the projected object was in a store and has been deleted there since, by any writer; false for a
  /// frozen projection.
  public var isInvalidated: Bool { !isFrozen && rootObject.isInvalidated }
}

extension ProjectedCollection {
  /// The store that has the list or the set; nil where none has.
  public var realm: Realm? { originStore }

  /// Whether the object that has the list or the set was in a store and has been deleted there since, by any
  /// writer; false for a frozen collection.
  public var isInvalidated: Bool {
    do { return try isOwnerGone() } catch {
      reportFailure(error)
      return false
    }
  }
}
