/// The counts of a write queue's work since it was made, and of the items that it holds now.
package struct WriteQueueStatistics: Sendable, Equatable {
  /// The batches that were executed.
  package internal(set) var batches = 0
  /// The items that were answered by a batch, failed ones included, cancelled ones not.
  package internal(set) var items = 0
  /// The turns that ended.
  package internal(set) var turns = 0
  /// The most items one batch held.
  package internal(set) var largestBatch = 0
  /// The items and turns accepted and not started.
  package internal(set) var pending = 0
  /// The items and turns that wait until the limits of pending ones allow them.
  package internal(set) var waitingForRoom = 0
  /// The most that was ever pending at once; never above the limit.
  package internal(set) var maximumPending = 0
  /// The items that failed.
  package internal(set) var failures = 0
  /// The items that were cancelled before they started.
  package internal(set) var cancelled = 0
  /// The batches by size: element `i` counts those of `1 << i` to `(2 << i) - 1` items.
  package internal(set) var batchSizes: [Int] = []

  var waitingNanoseconds = 0
  var executingNanoseconds = 0
  var totalNanoseconds = 0

  /// The time items and turns spent in the queue before they started, summed over all of them.
  package var waitingTime: Duration { .nanoseconds(waitingNanoseconds) }
  /// The time spent in batches and turns.
  package var executingTime: Duration { .nanoseconds(executingNanoseconds) }
  /// The time from arrival to answer, summed over all items and turns.
  package var totalTime: Duration { .nanoseconds(totalNanoseconds) }

  mutating func countBatch(of size: Int) {
    batches += 1
    largestBatch = max(largestBatch, size)
    let index = Int.bitWidth - 1 - size.leadingZeroBitCount
    while batchSizes.count <= index { batchSizes.append(0) }
    batchSizes[index] += 1
  }
}
