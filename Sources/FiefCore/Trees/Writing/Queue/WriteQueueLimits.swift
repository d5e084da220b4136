/// The limits of a write queue: the amount of work that it accepts, and the time for which a batch gathers
/// work.
package struct WriteQueueLimits: Sendable {
  /// The maximum number of pending items: items that the queue has admitted and not started. Beyond this
  /// limit, producers wait in the order of their arrival.
  package var maximumPending: Int
  /// The maximum number of pending bytes. A larger item is admitted when nothing else is pending.
  package var maximumPendingBytes: Int
  /// The maximum number of bytes of queued items for which no caller waits, whether they are pending or not.
  /// A larger item is accepted if the queue contains no other such item.
  package var maximumLeftBytes: Int
  /// The maximum number of items in a batch.
  package var maximumBatch: Int
  /// The time for which a batch waits for each further caller of the previous batch to return. In total, a
  /// batch waits no longer than the previous batch took. A queue waits only if several callers use it at the
  /// same time and its commits take longer than this interval.
  package var gatherInterval: Duration

  /// The minimum size, in bytes, that an item without a waiting caller counts for: the memory that the queue
  /// itself needs for it.
  static let leastLeftBytes = 512
  /// The time for which a batch of items without waiting callers waits for the next item, in nanoseconds.
  static let leftInterval = 500_000
  /// The maximum total time for which such a batch waits, in nanoseconds.
  static let leftPatience = 10_000_000

  /// Creates limits. Counts below one become one; negative sizes and times become zero.
  package init(
    maximumPending: Int = 4096,
    maximumPendingBytes: Int = 64 << 20,
    maximumLeftBytes: Int = 256 << 20,
    maximumBatch: Int = 4096,
    gatherInterval: Duration = .microseconds(50)
  ) {
    self.maximumPending = maximumPending
    self.maximumPendingBytes = maximumPendingBytes
    self.maximumLeftBytes = maximumLeftBytes
    self.maximumBatch = maximumBatch
    self.gatherInterval = gatherInterval
  }

  /// The same limits, with every value in its valid range.
  var sanitized: WriteQueueLimits {
    WriteQueueLimits(
      maximumPending: max(1, maximumPending),
      maximumPendingBytes: max(0, maximumPendingBytes),
      maximumLeftBytes: max(0, maximumLeftBytes),
      maximumBatch: max(1, maximumBatch),
      gatherInterval: min(max(.zero, gatherInterval), .seconds(1))
    )
  }

  /// The gather interval in nanoseconds. ``sanitized`` keeps it far from overflow.
  var gatherNanoseconds: Int {
    let (seconds, attoseconds) = gatherInterval.components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
