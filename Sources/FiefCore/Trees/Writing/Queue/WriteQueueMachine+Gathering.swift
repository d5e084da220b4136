/// Gathering: a batch waits a moment for the callers of the batch before.
///
/// Callers who write in a loop all come back right after a commit, but not at once. Were the first of
/// them to commit alone, the others would share the next commit, and every second one would be spent
/// on a single item. The same happens when two crowds take turns, each waiting while the other
/// commits. So a batch waits until as many have come as are known to be about (those answered last
/// and those pending then), or until none came for an interval. It never waits longer than the last
/// batch took, never when commits are cheaper than the interval, and never long after the last batch.
///
/// A batch in a line without waiting callers waits for more items of the kind: as long as each comes within
/// ``WriteQueueLimits/leftInterval`` of the one before, and no longer than ``WriteQueueLimits/leftPatience``.
/// A thread that saves in a loop fills few commits in this way, and an item with a waiting caller ends the
/// wait at once.
extension WriteQueueMachine {
  /// The number of intervals after a batch during which its callers are still expected back.
  private static var patience: Int { 4 }

  /// The time until which a batch that could start now should wait; nil if it should not.
  func deadlineForGathering(now: Int) -> Int? {
    guard expectedCallers > 1, gatherInterval > 0, lastDuration >= gatherInterval, isAccepting,
      now - lastEnd <= Self.patience * gatherInterval
    else { return nil }
    return now + gatherInterval
  }

  /// The time until which a batch of items that no caller waits for should wait; nil if there are others.
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

  /// The time until which the batch gathers; nil if it has to start.
  mutating func nextGatherDeadline(now: Int) -> Int? {
    if hasGathered { return nil }
    if now < gatherDeadline { return gatherDeadline }
    if gathersLeft { return nextLeftDeadline(now: now) }
    // Waking a crowd of threads takes longer than an interval; as long as they come, they are coming.
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

  /// Whether no more work is expected, or none would fit.
  var hasGathered: Bool {
    if gathersLeft { return !hasOnlyLeft || isFullForLeft }
    return pending.count >= min(expectedCallers, limits.maximumPending, limits.maximumBatch)
      || pendingTurns > 0 || !waiting.isEmpty || !isAccepting
  }

  /// Tells the committer, once, that its batch has gathered.
  mutating func nudgeIfGathered(_ actions: inout Actions) {
    guard case .gathering(let caller) = phase, !isNudged, hasGathered else { return }
    isNudged = true
    if caller == nil {
      actions.thread = .wake
    } else {
      // The caller came first, and a blocked thread cannot be cancelled: it still stands first.
      actions.nudged = pending.first?.entry
    }
  }

  mutating func noteEnd(items: Int, now: Int) {
    lastEnd = now
    lastDuration = now - runningSince
    expectedCallers = items + pending.count - pendingTurns - pendingLeft + waiting.count
  }
}
