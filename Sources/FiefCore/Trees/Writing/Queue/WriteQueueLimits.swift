/// The limits of a write queue: how much it takes in, and how long a batch gathers.
package struct WriteQueueLimits: Sendable {
  /// The number of items that may be pending: accepted into the queue and not started. Producers beyond it
  /// wait in the order in which they came.
  package var maximumPending: Int
  /// The number of bytes that may be pending. An item that is larger is let in when nothing else is pending.
  package var maximumPendingBytes: Int
  /// The number of bytes in line of items that no caller waits for, whether or not they would fit among the
  /// pending ones. One that is larger is let in when no other is in line.
  package var maximumLeftBytes: Int
  /// The greatest number of items in one batch.
  package var maximumBatch: Int
  /// The time for which a batch waits for the next of the last batch's callers to come back; in all no longer
  /// than the last batch took. Only a queue that several callers use at once, and whose commits take longer
  /// than this, ever waits.
  package var gatherInterval: Duration

  /// The least size of an item that no caller waits for: the memory that the queue itself needs for it.
  static let leastLeftBytes = 512
  /// The time for which a batch of items that no caller waits for waits for the next one, in nanoseconds.
  static let leftInterval = 500_000
  /// The time for which such a batch waits in all, in nanoseconds.
  static let leftPatience = 10_000_000

  /// Makes limits; counts below one are taken as one, negative sizes and times as zero.
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

  /// The same limits with every value in its valid range.
  var sanitized: WriteQueueLimits {
    WriteQueueLimits(
      maximumPending: max(1, maximumPending),
      maximumPendingBytes: max(0, maximumPendingBytes),
      maximumLeftBytes: max(0, maximumLeftBytes),
      maximumBatch: max(1, maximumBatch),
      gatherInterval: min(max(.zero, gatherInterval), .seconds(1))
    )
  }

  /// The gather interval in nanoseconds; `sanitized` keeps it far from overflow.
  var gatherNanoseconds: Int {
    let (seconds, attoseconds) = gatherInterval.components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
