/// The treatment of an object that is saved under a key that exists.
public enum UpdatePolicy: Sendable, Hashable {
  /// The save fails with ``FiefError/Code/duplicatePrimaryKey``.
  case error
  /// Every property of a new object is written, as with ``all``. Of an object that was read from the store, only the properties that were
  /// assigned since are written.
  ///
  /// An object that was read from the store, or saved to it, and was deleted since is the error
  /// ``FiefError/Code/objectNotFound``, so that a save does not undo a deletion by accident; with
  /// ``StoreOptions/reinsertsDeletedObjects`` it is added again. An object that is made from a dictionary, an array or a
  /// document keeps the stored values of the properties that they do not name.
  case modified
  /// The stored object is replaced. One that is made from a dictionary, an array or a document is written as
  /// by ``modified``: properties that they do not name keep their stored values.
  case all
  /// Only the properties that were assigned are written, of a new object too; others keep their stored values.
  ///
  /// ```swift
  /// let patch = Dog()
  /// patch.id = 7
  /// patch.name = "Rex"
  /// try transaction.add(patch, update: .assigned)  // The age of dog 7 stays as it is.
  /// ```
  /// An object of a key that does not exist is added. A deleted one is treated as by ``modified``.
  case assigned
}
