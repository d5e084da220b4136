import Fief

extension Results {
  /// The objects in one state: later writes change neither the results nor the values of their objects.
  ///
  /// ```swift
  /// let dogs = realm.objects(Dog.self).sorted(byKeyPath: "name").freeze()
  /// ```
  /// The records of the objects are copied, so that memory grows with the number of the objects; no version of the store is kept. The
  /// objects are frozen: `object.freeze()` says what they keep. Frozen results keep their order: sort, filter and compute before;
  /// afterwards it is an error of code `invalidQuery`. The core's `FrozenResults` keep keys only: `try results.fetchFrozen()`.
  ///
  /// If the objects cannot be read, each use of the frozen results reports the reason to the event handler of the store.
  public func freeze() -> Results { frozenObjects }

  /// The results as they are now.
  public func thaw() -> Results? { thawed }
}

extension ObjectCollection {
  /// The objects of the state now, in their order, as frozen results; see `Results.freeze()`.
  public func freeze() -> Results<Member> { results.freeze() }

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
