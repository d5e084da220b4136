/// What happens to an object that is saved under a key that exists.
public enum UpdatePolicy: Sendable, Hashable {
  /// The save fails with ``FiefError/Code/duplicatePrimaryKey``.
  case error
  /// Only the properties that were assigned are written; others keep what the store has.
  case modified
  /// The stored object is replaced.
  case all
}
