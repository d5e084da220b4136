/// What to do with a saved object whose key already exists in the store.
public enum UpdatePolicy: Sendable, Hashable {
  /// The save fails with ``FiefError/Code/duplicatePrimaryKey``.
  case error
  /// A new object is written with all its properties, as with ``all``. For an object that was read from the
  /// store, only the properties that were assigned since are written.
  ///
  /// If an object was read from the store or saved to it, and has been deleted since, the save fails with
  /// ``FiefError/Code/objectNotFound``, so that a save does not undo a deletion by accident. With
  /// ``StoreOptions/reinsertsDeletedObjects`` the object is added again. An object that is created from a
  /// dictionary, an array or a document keeps the stored values of the properties that its source does not
  /// include.
  case modified
  /// The stored object is replaced. An object that is created from a dictionary, an array or a document is
  /// written as with ``modified``: properties that its source does not include keep their stored values.
  case all
  /// Only the assigned properties are written, even for a new object. The other properties keep their stored
  /// values.
  ///
  /// ```swift
  /// let patch = Dog()
  /// patch.id = 7
  /// patch.name = "Rex"
  /// try transaction.add(patch, update: .assigned)  // The age of dog 7 stays as it is.
  /// ```
  /// An object whose key does not exist is added. A deleted object is treated as with ``modified``.
  case assigned
}
