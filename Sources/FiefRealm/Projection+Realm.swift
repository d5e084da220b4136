import Fief

extension ProjectionObservable where Root: Object {
  /// The store of the projected object; nil for one of no store.
  public var realm: Realm? { rootObject.realm }

  /// Whether the projected object was in a store and has been deleted there since, by anyone.
  public var isInvalidated: Bool { rootObject.isInvalidated }

  /// Not available: the object outside of a write is a copy of one state.
  @available(*, unavailable, message: "the object of a projection is a copy of one state: use it as it is")
  public func freeze() -> Self { self }

  /// Not available: the object joins the write that changes it.
  @available(
    *,
    unavailable,
    message: "assign in a write, which the projection's object joins, or read it again"
  )
  public func thaw() -> Self? { self }

  /// Not available: the object outside of a write is a copy of one state.
  @available(
    *,
    unavailable,
    message: "the object of a projection is a copy of one state, which can be edited and saved"
  )
  public var isFrozen: Bool { false }
}

extension ProjectedCollection {
  /// The store of the object in whose property the list or the set is; nil for one of no store.
  public var realm: Realm? { (owner as? Object)?.realm }

  /// Whether that object was in a store and has been deleted there since, by anyone.
  public var isInvalidated: Bool { (owner as? Object)?.isInvalidated ?? false }

  /// Not available: outside of a write the collection is as its object was read.
  @available(
    *,
    unavailable,
    message: "the collection is as its object was read: Array(names) keeps the values"
  )
  public func freeze() -> Self { self }

  /// Not available: outside of a write the collection is as its object was read.
  @available(*, unavailable, message: "assign in a write, which the object joins, or read the object again")
  public func thaw() -> Self? { self }

  /// Not available: outside of a write the collection is as its object was read.
  @available(
    *,
    unavailable,
    message: "the collection is as its object was read: Array(names) keeps the values"
  )
  public var isFrozen: Bool { false }
}
