import Fief

extension Store {
  /// Brings the held objects of the store to the newest state, with their collections: each is read again when it is used next,
  /// and shows one state. This includes collections whose object is not held.
  ///
  /// ```swift
  /// realm.refresh()
  /// print(dog.age, person.dogs.count)
  /// ```
  /// Results have the newest state in any case. Objects with unsaved assignments, frozen objects and the objects of an open
  /// `read { }` keep their values. The objects of all threads are refreshed. So after a call no two threads may use one object at the
  /// same time, not even to read it. Reading a property then takes some nanoseconds longer in this process.
  /// - Returns: whether there were commits since the last call, or since the store was opened. Inside of a write, which has the newest
  ///   state, false.
  @discardableResult
  public func refresh() -> Bool { refreshHeldObjects() }

  /// Brings the held objects and collections to the newest state, as ``refresh()`` does.
  ///
  /// - Returns: as ``refresh()``.
  @discardableResult
  nonisolated(nonsending) public func asyncRefresh() async -> Bool { refreshHeldObjects() }
}
