import Fief

extension ObjectCollection {
  /// The objects of the state now, in their order, as frozen results.
  ///
  /// Objects that cannot be found are left out, and the event handler of the store gets the reason.
  public func freeze() -> FrozenResults<Member> { results.freeze() }

  /// Whether the objects are always the same: false, since each use sees the newest state.
  public var isFrozen: Bool { false }

  /// Not available: a collection that is not frozen sees the newest state.
  @available(*, unavailable, message: "the collection sees the newest state: use it as it is")
  public func thaw() -> Results<Member>? { nil }
}

extension _OwnedCollection {
  /// Whether the object that has the collection is frozen, so that no write changes the elements.
  public var isFrozen: Bool { isOfFrozenObject }
}

extension ValueCollection {
  /// Not available: an array of the values stays as it is.
  @available(*, unavailable, message: "write Array(list), which keeps the values")
  public func freeze() -> Self { self }

  /// Not available: a collection that is not frozen sees the newest state.
  @available(*, unavailable, message: "read the object again for the newest state")
  public func thaw() -> Self? { nil }
}

extension Map {
  /// Not available: a dictionary of the entries stays as it is.
  @available(*, unavailable, message: "write map.dictionary, which keeps the entries")
  public func freeze() -> Self { self }

  /// Not available: a collection that is not frozen sees the newest state.
  @available(*, unavailable, message: "read the object again for the newest state")
  public func thaw() -> Self? { nil }
}

extension FrozenResults {
  /// Not available: frozen results cannot be queried.
  @available(*, unavailable, message: "ask first, then freeze: results.where { ... }.freeze()")
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> { thaw() }

  /// Not available: frozen results cannot be queried.
  @available(*, unavailable, message: "ask first, then freeze: results.filter(\"...\").freeze()")
  public func filter(_ format: String, _ args: Any...) -> Results<Element> { thaw() }

  /// Not available: frozen results keep their order.
  @available(*, unavailable, message: "order first, then freeze: results.sorted(byKeyPath: \"...\").freeze()")
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> { thaw() }

  /// Not available: frozen results do not change.
  @available(
    *,
    unavailable,
    message: "what is frozen does not change: observe the results that it was made of"
  )
  public func observe(_ handler: (RealmCollectionChange<FrozenResults>) -> Void) {}
}
