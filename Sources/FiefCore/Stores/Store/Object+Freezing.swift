extension Object {
  /// A Boolean value that indicates whether the object is a copy of one state that no write changes.
  ///
  /// It is true for a copy that ``freeze()`` has made, and for objects that are read through the copy's
  /// links.
  public var isFrozen: Bool { _context?.isFrozen ?? false }

  /// Returns a frozen copy of the object, which later writes do not change.
  ///
  /// ```swift
  /// let before = dog.freeze()
  /// try store.write { dog.age += 1 }
  /// print(dog.age - before.age)  // 1
  /// ```
  /// The copy has the values of the newest committed state, or of the `read { }` in which the object was
  /// read. In a `write { }` it has the values from before the write. Values that were assigned to the object
  /// and not saved are not included.
  ///
  /// The object's own values, its embedded objects and its collections belong to this state, but you must
  /// access a large collection before another write changes it. A link is followed when you read it, in the
  /// newest state, and gives a frozen object. The store does not keep an old version of its data for the
  /// copy.
  ///
  /// Assigning to the copy makes the write on the thread fail; outside a write, it is reported as
  /// ``StoreEvent/misuse(_:)``. The copy cannot be saved (`invalidValue`) or observed. If the object is not
  /// in a store, was deleted, or was created in the active write, this is reported as misuse, and the object
  /// itself is returned; check ``isFrozen`` to distinguish the cases.
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

  /// Returns the object in its current state. If a `write { }` is active on this thread, this is the state of
  /// the write.
  ///
  /// If the object is not frozen, the result is the object itself. If the object was deleted, the result is
  /// `nil`. If the object cannot be read, the error is reported to the store's event handler and the result
  /// is `nil`.
  public func thaw() -> Self? {
    guard isFrozen else { return self }
    do { return try FrozenOrigin(of: self).found() as? Self } catch {
      // If the object was deleted, the result is nil, which is not an error.
      if (error as? FiefError)?.code != .objectNotFound { reportMisuse(error) }
      return nil
    }
  }
}

extension EmbeddedObject {
  /// Not available. An embedded object is frozen with the object that contains it.
  @available(*, unavailable, message: "freeze the object that owns it")
  public func freeze() -> Self { self }

  /// Not available. An embedded object is thawed with the object that contains it.
  @available(*, unavailable, message: "thaw the object that owns it")
  public func thaw() -> Self? { self }

  /// A Boolean value that indicates whether the object that contains this object is frozen.
  public var isFrozen: Bool { (root ?? self)._context?.isFrozen ?? false }
}
