import Fief

extension Store {
  /// Updates the held objects of the store and their collections to the newest state.
  ///
  /// Each object is read again when you next use it, and shows one state. This includes collections whose
  /// owner is not held.
  ///
  /// ```swift
  /// realm.refresh()
  /// print(dog.age, person.dogs.count)
  /// ```
  /// Results show the newest state in any case. Objects with unsaved assignments, frozen objects and objects
  /// of an open `read { }` keep their values. The objects of all threads are updated. So after a call, two
  /// threads must not use one object at the same time, not even to read it. Reading a property then takes
  /// some nanoseconds longer in this process.
  /// - Returns: true if there were commits since the last call, or since the store was opened. Inside of a
  ///   write, which shows the newest state, it is false.
  @discardableResult
  public func refresh() -> Bool { refreshHeldObjects() }

  /// Updates the held objects and collections to the newest state, as ``refresh()`` does.
  ///
  /// - Returns: the value that ``refresh()`` returns.
  @discardableResult
  nonisolated(nonsending) public func asyncRefresh() async -> Bool { refreshHeldObjects() }
}
