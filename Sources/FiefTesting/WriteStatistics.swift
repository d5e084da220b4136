import Fief

/// Statistics of the work of a store's write queue since the store was opened, and the number of waiting
/// writes.
public struct WriteStatistics: Sendable, Equatable {
  /// The number of commits. Many writes share a commit.
  public let batches: Int
  /// The number of finished writes, including failed ones.
  public let writes: Int
  /// The number of failed writes.
  public let failures: Int
  /// The number of writes that were cancelled before they began.
  public let cancelled: Int
  /// The number of waiting writes.
  public let pending: Int
  /// The largest number of writes that shared a commit.
  public let largestBatch: Int

  init(_ statistics: WriteQueueStatistics) {
    batches = statistics.batches
    writes = statistics.items + statistics.turns
    failures = statistics.failures
    cancelled = statistics.cancelled
    pending = statistics.pending
    largestBatch = statistics.largestBatch
  }
}
