import Fief

extension Store {
  /// Updates the existing objects of the store and their collections to the newest state.
  ///
  /// Each object is read again when you next use it, and then has the values of one state. This also applies
  /// to collections whose owner no longer exists in memory.
  ///
  /// ```swift
  /// realm.refresh()
  /// print(dog.age, person.dogs.count)
  /// ```
  /// Results read the newest state in any case. Objects with unsaved assignments, frozen objects and objects
  /// of an open `read { }` keep their values. The objects of all threads are updated. Therefore after a call,
  /// two threads must not use one object at the same time, not even to read it. Reading a property then takes
  /// some nanoseconds longer in this process.
  /// - Returns: `true` if there were commits since the last call, or since the store was opened. In a write,
  ///   which sees the newest state, it is `false`.
  @discardableResult
  public func refresh() -> Bool { refreshHeldObjects() }

  /// Updates the existing objects and collections to the newest state, like ``refresh()``.
  ///
  /// - Returns: the value that ``refresh()`` returns.
  @discardableResult
  nonisolated(nonsending) public func asyncRefresh() async -> Bool { refreshHeldObjects() }
}
