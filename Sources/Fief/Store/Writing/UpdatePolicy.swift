/// The treatment of an object that is saved under a key that exists.
public enum UpdatePolicy: Sendable, Hashable {
  /// The save fails with ``FiefError/Code/duplicatePrimaryKey``.
  case error
  /// Only the properties that were assigned are written; others keep their stored values. A new object is added.
  ///
  /// An object that was read from the store, or saved to it, and was deleted since is the error
  /// ``FiefError/Code/objectNotFound``, so that a save does not undo a deletion by accident; with
  /// ``StoreOptions/reinsertsDeletedObjects`` it is added again.
  case modified
  /// The stored object is replaced. One that is made from a dictionary, an array or a document is written as
  /// by ``modified``: properties that they do not name keep their stored values.
  case all
}
