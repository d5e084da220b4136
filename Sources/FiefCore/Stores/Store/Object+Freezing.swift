extension Object {
  /// Whether the object is a copy of one state that no write changes: true for one that ``freeze()`` has made, and for objects
  /// that are read through its links.
  public var isFrozen: Bool { _context?.isFrozen ?? false }

  /// A copy of the object in one state: later writes do not change it.
  ///
  /// ```swift
  /// let before = dog.freeze()
  /// try store.write { dog.age += 1 }
  /// print(dog.age - before.age)  // 1
  /// ```
  /// It has the values of the newest committed state, or of the `read { }` that the object came from; in a `write { }` the values
  /// from before it. Values that were assigned to the object and not saved are not in it. Its own values, its embedded objects
  /// and its collections are of that state; a large collection has to be touched before others change it. A link is followed when it is read, in the newest state, to a frozen object.
  /// No version of the store is kept for it.
  ///
  /// An assignment to it fails the write on the thread; outside of a write it is reported as ``StoreEvent/misuse(_:)``. It cannot
  /// be saved (`invalidValue`) nor observed. Where the object is in no store, was deleted, or was made in the present write, that is reported as misuse,
  /// and the object itself is returned, which ``isFrozen`` says.
  public func freeze() -> Self {
    if isFrozen { return self }
    do {
      let origin = try FrozenOrigin(of: self)
      guard let object = try origin.committed(followsInScope: false).part as? Self else {
        throw origin.goneError
      }
      return object
    } catch {
      reportMisuse(error)
      return self
    }
  }

  /// The object in its present state, in the `write { }` on this thread if there is one; itself where it is not frozen, nil
  /// where it was deleted.
  ///
  /// An error of reading is reported to the store's event handler, and the result is nil.
  public func thaw() -> Self? {
    guard isFrozen else { return self }
    do { return try FrozenOrigin(of: self).found() as? Self } catch {
      // A deleted object is not reported: nil is its answer.
      if (error as? FiefError)?.code != .objectNotFound { reportMisuse(error) }
      return nil
    }
  }
}

extension EmbeddedObject {
  /// Not available: an embedded object is frozen with the object that has it.
  @available(*, unavailable, message: "freeze the object that it is embedded in")
  public func freeze() -> Self { self }

  /// Not available: an embedded object is frozen with the object that has it.
  @available(*, unavailable, message: "thaw the object that it is embedded in")
  public func thaw() -> Self? { self }

  /// Whether the object that it is embedded in is frozen.
  public var isFrozen: Bool { (root ?? self)._context?.isFrozen ?? false }
}
