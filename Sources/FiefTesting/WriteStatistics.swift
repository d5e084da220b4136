import Fief

/// The counts of the work of a store's write queue since it was opened, and of the writes that it holds.
public struct WriteStatistics: Sendable, Equatable {
  /// The commits of the queue; many writes share one.
  public let batches: Int
  /// The writes that were answered, failed ones included.
  public let writes: Int
  /// The writes that failed.
  public let failures: Int
  /// The writes that were cancelled before they began.
  public let cancelled: Int
  /// The writes that wait.
  public let pending: Int
  /// The most writes that shared a commit.
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
