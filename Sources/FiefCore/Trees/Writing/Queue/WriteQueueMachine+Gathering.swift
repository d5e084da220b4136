/// Gathering: a batch waits briefly for the callers of the previous batch.
///
/// Callers that write in a loop all return shortly after a commit, but not at the same time. If the first of
/// them committed alone, the others would share the next commit, and every second commit would contain a
/// single item. The same happens if two groups of callers alternate, each waiting while the other commits.
/// Therefore a batch waits until all expected callers have arrived, or until no caller has arrived for an
/// interval. The expected callers are the callers answered last and the callers whose items were pending at
/// that time. A batch waits no longer than the last batch took. It does not wait if commits take less time
/// than the interval, or long after the last batch.
///
/// A batch without waiting callers waits for more such items as long as each arrives within
/// ``WriteQueueLimits/leftInterval`` of the previous one, but no longer than
/// ``WriteQueueLimits/leftPatience``. A thread that saves in a loop thus fills a few large commits. An item
/// with a waiting caller ends the wait immediately.
extension WriteQueueMachine {
  /// The number of intervals after a batch during which its callers are still expected to return.
  private static var patience: Int { 4 }

  /// Returns the time until which a batch that could start now should wait, or `nil` if it should start.
  func deadlineForGathering(now: Int) -> Int? {
    guard expectedCallers > 1, gatherInterval > 0, lastDuration >= gatherInterval, isAccepting,
      now - lastEnd <= Self.patience * gatherInterval
    else { return nil }
    return now + gatherInterval
  }

  /// Returns the time until which a batch of items without waiting callers should wait, or `nil` if the queue
  /// contains other items.
  func deadlineForLeft(now: Int) -> Int? {
    hasOnlyLeft && !isFullForLeft ? now + WriteQueueLimits.leftInterval : nil
  }

  private var hasOnlyLeft: Bool {
    pendingLeft > 0 && pendingLeft == pending.count && isAccepting
  }

  private var isFullForLeft: Bool { pending.count >= limits.maximumBatch || !waiting.isEmpty }

  mutating func startGatheringLeft(until deadline: Int) {
    startGathering(by: nil, until: deadline)
    gatherStart = deadline - WriteQueueLimits.leftInterval
    gathersLeft = true
  }

  mutating func startGathering(by ticket: Ticket?, until deadline: Int) {
    phase = .gathering(by: ticket)
    gathersLeft = false
    gatherStart = deadline - gatherInterval
    gatherDeadline = deadline
    gatherCount = pending.count
    isNudged = false
  }

  /// Returns the time until which the batch continues to gather, or `nil` if it must start.
  mutating func nextGatherDeadline(now: Int) -> Int? {
    if hasGathered { return nil }
    if now < gatherDeadline { return gatherDeadline }
    if gathersLeft { return nextLeftDeadline(now: now) }
    // Waking many threads takes longer than an interval, so the batch waits while callers keep arriving.
    guard pending.count > gatherCount, now + gatherInterval - gatherStart <= lastDuration else { return nil }
    gatherCount = pending.count
    gatherDeadline = now + gatherInterval
    return gatherDeadline
  }

  private mutating func nextLeftDeadline(now: Int) -> Int? {
    let next = now + WriteQueueLimits.leftInterval
    guard pending.count > gatherCount, next - gatherStart <= WriteQueueLimits.leftPatience else { return nil }
    gatherCount = pending.count
    gatherDeadline = next
    return next
  }

  /// Whether no more work is expected, or the batch is full.
  var hasGathered: Bool {
    if gathersLeft { return !hasOnlyLeft || isFullForLeft }
    return pending.count >= min(expectedCallers, limits.maximumPending, limits.maximumBatch)
      || pendingTurns > 0 || !waiting.isEmpty || !isAccepting
  }

  /// Nudges the committer once when its batch has finished gathering.
  mutating func nudgeIfGathered(_ actions: inout Actions) {
    guard case .gathering(let caller) = phase, !isNudged, hasGathered else { return }
    isNudged = true
    if caller == nil {
      actions.thread = .wake
    } else {
      // The caller was the first in the queue, and it still is, because a blocked thread cannot be cancelled.
      actions.nudged = pending.first?.entry
    }
  }

  mutating func noteEnd(items: Int, now: Int) {
    lastEnd = now
    lastDuration = now - runningSince
    expectedCallers = items + pending.count - pendingTurns - pendingLeft + waiting.count
  }
}
