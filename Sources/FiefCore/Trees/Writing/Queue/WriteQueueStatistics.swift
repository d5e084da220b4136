/// Counts of a write queue's work since its creation, and of the items that it contains now.
package struct WriteQueueStatistics: Sendable, Equatable {
  /// The number of executed batches.
  package internal(set) var batches = 0
  /// The number of items that batches have executed, including failed items but not cancelled ones.
  package internal(set) var items = 0
  /// The number of turns that ended.
  package internal(set) var turns = 0
  /// The maximum number of items in one batch.
  package internal(set) var largestBatch = 0
  /// The number of items and turns that were admitted and have not started.
  package internal(set) var pending = 0
  /// The number of items and turns that wait for admission.
  package internal(set) var waitingForRoom = 0
  /// The maximum number of items and turns that were pending at the same time. Never exceeds the limit.
  package internal(set) var maximumPending = 0
  /// The number of failed items.
  package internal(set) var failures = 0
  /// The number of items that were cancelled before they started.
  package internal(set) var cancelled = 0
  /// The number of batches by size: element `i` counts the batches of `1 << i` to `(2 << i) - 1` items.
  package internal(set) var batchSizes: [Int] = []

  var waitingNanoseconds = 0
  var executingNanoseconds = 0
  var totalNanoseconds = 0

  /// The total time that items and turns waited in the queue before they started.
  package var waitingTime: Duration { .nanoseconds(waitingNanoseconds) }
  /// The time spent in batches and turns.
  package var executingTime: Duration { .nanoseconds(executingNanoseconds) }
  /// The total time from arrival to answer of all items and turns.
  package var totalTime: Duration { .nanoseconds(totalNanoseconds) }

  mutating func countBatch(of size: Int) {
    batches += 1
    largestBatch = max(largestBatch, size)
    let index = Int.bitWidth - 1 - size.leadingZeroBitCount
    while batchSizes.count <= index { batchSizes.append(0) }
    batchSizes[index] += 1
  }
}
