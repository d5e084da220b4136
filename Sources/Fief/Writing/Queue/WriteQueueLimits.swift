/// How much a write queue takes in, and how long it lets a batch gather.
package struct WriteQueueLimits: Sendable {
  /// How many items may be pending: accepted into the queue and not started. Producers beyond it
  /// wait in the order in which they came.
  package var maximumPending: Int
  /// How many bytes may be pending. An item that is larger is let in when nothing else is pending.
  package var maximumPendingBytes: Int
  /// How many items one batch holds at most.
  package var maximumBatch: Int
  /// How long a batch waits for the next of the last batch's callers to come back; in all no longer
  /// than the last batch took. Only a queue that several callers use at once, and whose commits take
  /// longer than this, ever waits.
  package var gatherInterval: Duration

  /// Makes limits; counts below one are taken as one, negative sizes and times as zero.
  package init(
    maximumPending: Int = 4096,
    maximumPendingBytes: Int = 64 << 20,
    maximumBatch: Int = 4096,
    gatherInterval: Duration = .microseconds(50)
  ) {
    self.maximumPending = maximumPending
    self.maximumPendingBytes = maximumPendingBytes
    self.maximumBatch = maximumBatch
    self.gatherInterval = gatherInterval
  }

  /// The same limits with every value in its valid range.
  var sanitized: WriteQueueLimits {
    WriteQueueLimits(
      maximumPending: max(1, maximumPending),
      maximumPendingBytes: max(0, maximumPendingBytes),
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
