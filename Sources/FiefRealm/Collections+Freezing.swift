import Fief

extension Results {
  /// Returns a frozen copy of the results: later writes change neither the copy nor the values of its
  /// objects.
  ///
  /// ```swift
  /// let dogs = realm.objects(Dog.self).sorted(byKeyPath: "name").freeze()
  /// ```
  /// The records of the objects are copied, so memory use grows with the number of objects, but the file does
  /// not grow. The objects are frozen, as described for `object.freeze()`. Sort, filter and compute before
  /// you freeze; afterwards these operations fail with the code `invalidQuery`. `FrozenResults` of the module
  /// `Fief` keep only keys: `try results.fetchFrozen()`.
  ///
  /// If the objects cannot be read, each use of the frozen results reports the reason to the event handler of
  /// the store.
  public func freeze() -> Results { frozenObjects }

  /// Returns the results in their current state.
  public func thaw() -> Results? { thawed }
}

extension ObjectCollection {
  /// Returns the current objects in their order as frozen results; see `Results.freeze()`.
  public func freeze() -> Results<Member> { results.freeze() }

  /// `false`: each use reads the newest state, or in a handler the state of the change.
  public var isFrozen: Bool { false }

  /// Returns the collection, or for a collection of a frozen object the collection in its present state; nil
  /// if the object was deleted.
  ///
  /// If the object cannot be read, the result is nil, and the event handler of the store gets the reason.
  public func thaw() -> Self? {
    if let erased = self as? any ErasedObjects { return erased.thawedObjects() as? Self }
    guard let owned = self as? _OwnedCollection, owned.isOfFrozenObject else { return self }
    let place = owned._threadPlace
    guard case .success(let store) = place.store else { return nil }
    do { return try place.find(store) as? Self } catch {
      store.report(error, of: place.type)
      return nil
    }
  }
}

extension _OwnedCollection {
  /// A Boolean value that indicates whether the object that owns the collection is frozen, so that no write
  /// changes the elements.
  public var isFrozen: Bool { isOfFrozenObject }
}

extension ValueCollection {
  /// Not available: an array keeps the values.
  @available(*, unavailable, message: "write Array(list), which keeps the values")
  public func freeze() -> Self { self }

  /// Not available: a collection that is not frozen has the newest state.
  @available(*, unavailable, message: "read the object again for the newest state")
  public func thaw() -> Self? { nil }
}

extension Map {
  /// Not available: a dictionary keeps the entries.
  @available(*, unavailable, message: "write map.dictionary, which keeps the entries")
  public func freeze() -> Self { self }

  /// Not available: a collection that is not frozen has the newest state.
  @available(*, unavailable, message: "read the object again for the newest state")
  public func thaw() -> Self? { nil }
}
