/// The result of a transaction at one place of a tree. See
/// ``TreeReference/runTransaction(maximumAttempts:applyLocally:_:)``.
public struct TreeTransaction: Sendable {
  /// The decision of the function of a transaction.
  public enum Step: Sendable {
    /// The transaction stores the value.
    case commit
    /// The transaction changes nothing.
    case abort
  }

  /// A Boolean value that indicates whether the function has returned ``Step/commit`` and its value is stored.
  public let committed: Bool
  /// The value of the place at the end of the transaction.
  public let snapshot: TreeSnapshot
  /// The number of times that the function ran.
  public let attempts: Int
}
