extension WriteQueueMachine {
  /// Starts an item on its caller's thread without enqueueing it, unless another item, a turn or a pause
  /// prevents this.
  ///
  /// Returns `nil` if the item must be enqueued. Otherwise the caller executes the item, or fails it with the
  /// error in the result, and then reports ``batchFinished(failures:now:)``.
  package mutating func beginDirectly(now: Int) -> Batch? {
    guard isAccepting, phase == .idle, !isPaused, deadlineForGathering(now: now) == nil else {
      return nil
    }
    let injected = takeInjection()
    begin(items: 1, injected: injected == nil ? 0 : 1, now: now)
    return Batch(entries: [], injected: injected.map { [$0] } ?? [])
  }

  /// Returns the next step of the queue's thread. The thread calls this method after every wake-up and after
  /// every batch.
  package mutating func threadStep(now: Int) -> (step: Step, actions: Actions) {
    switch phase {
    case .running, .turn, .gathering(by: .some):
      return (.wait, Actions())
    case .summoned:
      if let deadline = deadlineForGathering(now: now), !pending.isEmpty, !hasGathered {
        startGathering(by: nil, until: deadline)
        return (.gather(until: deadline), Actions())
      }
      if let deadline = deadlineForLeft(now: now) {
        startGatheringLeft(until: deadline)
        return (.gather(until: deadline), Actions())
      }
      return nextBatch(now: now)
    case .gathering(by: nil):
      if let deadline = nextGatherDeadline(now: now) { return (.gather(until: deadline), Actions()) }
      return nextBatch(now: now)
    case .idle:
      return nextBatch(now: now)
    }
  }

  /// Returns the next step of the caller that waited for its batch to gather more works: run the batch, or
  /// wait for an answer.
  package mutating func gathered(by ticket: Ticket, now: Int) -> (step: Step, actions: Actions) {
    // Pausing takes the batch away from the caller, which then waits for its answer like any other.
    guard phase == .gathering(by: ticket) else { return (.wait, Actions()) }
    if let deadline = nextGatherDeadline(now: now) { return (.gather(until: deadline), Actions()) }
    return nextBatch(now: now)
  }

  private mutating func nextBatch(now: Int) -> (step: Step, actions: Actions) {
    phase = .idle
    guard !isPaused else { return (.wait, Actions()) }
    guard let first = pending.first else {
      guard !isAccepting else { return (.wait, Actions()) }
      thread = .ended
      return (.end, Actions())
    }
    // The items before the turn were cancelled.
    if first.isTurn { return (.wait, advance(now: now)) }
    return (.run(takeBatch(now: now)), Actions())
  }

  private mutating func takeBatch(now: Int) -> Batch {
    var batch = Batch(entries: [], injected: [])
    batch.entries.reserveCapacity(min(limits.maximumBatch, pending.count))
    var left = 0
    while batch.entries.count < limits.maximumBatch, let first = pending.first, !first.isTurn,
      let place = takeFirst()
    {
      // `injected` has the errors of the first entries, so it ends at the first entry without an error.
      if let error = takeInjection() { batch.injected.append(error) }
      count(wait: now - place.arrival)
      batch.entries.append(place.entry)
      if place.isLeft { left += 1 }
    }
    admit()
    begin(items: batch.entries.count, injected: batch.injected.count, now: now)
    runningLeft = left
    return batch
  }

  private mutating func begin(items: Int, injected: Int, now: Int) {
    phase = .running
    runningItems = items
    runningLeft = 0
    runningSince = now
    counters.failures += injected
    if items > injected { counters.countBatch(of: items - injected) }
  }

  /// Ends the running batch, in which `failures` of the executed items failed.
  package mutating func batchFinished(failures: Int, now: Int) -> Actions {
    guard phase == .running else { return Actions() }
    phase = .idle
    counters.items += runningItems
    counters.failures += failures
    noteEnd(items: runningItems - runningLeft, now: now)
    count(execution: now - runningSince, of: runningItems)
    return advance(now: now)
  }

  // MARK: Turns

  /// Begins a turn without enqueueing it, unless an item, another turn or a pause prevents this.
  package mutating func beginTurn(now: Int) -> Bool {
    guard isAccepting, phase == .idle, !isPaused else { return false }
    phase = .turn
    runningSince = now
    return true
  }

  /// Begins a turn before everything in the queue, even if the queue is paused, unless something runs.
  package mutating func beginUrgentTurn(now: Int) -> Bool {
    guard isAccepting else { return false }
    switch phase {
    case .running, .turn: return false
    // The thread or the caller that was about to run a batch finds the turn. The thread is woken again after
    // the turn.
    case .idle, .summoned, .gathering: break
    }
    phase = .turn
    runningSince = now
    return true
  }

  mutating func grantUrgentTurn(now: Int, _ actions: inout Actions) {
    let place = urgent.removeFirst()
    count(wait: now - place.arrival)
    phase = .turn
    runningSince = now
    actions.granted = place.entry
  }

  mutating func grantTurn(now: Int, _ actions: inout Actions) {
    guard let place = takeFirst() else { return }
    admit()
    count(wait: now - place.arrival)
    phase = .turn
    runningSince = now
    actions.granted = place.entry
  }

  /// Ends the running turn.
  package mutating func endTurn(now: Int) -> Actions {
    guard phase == .turn else { return Actions() }
    phase = .idle
    counters.turns += 1
    count(execution: now - runningSince, of: 1)
    return advance(now: now)
  }

  // MARK: The thread

  /// Records that the system could not start the thread, and returns the items that only the thread could
  /// have answered.
  package mutating func threadFailed(now: Int) -> (entries: [Entry], actions: Actions) {
    thread = .none
    // In every other phase, either a batch or a turn is running or nothing can start. The next event tries
    // again.
    guard phase == .summoned else { return ([], Actions()) }
    var entries: [Entry] = []
    while let first = pending.first, !first.isTurn, let place = takeFirst() {
      entries.append(place.entry)
      admit()
    }
    counters.items += entries.count
    counters.failures += entries.count
    phase = .idle
    return (entries, advance(now: now))
  }

  private mutating func count(wait: Int) {
    let wait = max(0, wait)
    counters.waitingNanoseconds += wait
    counters.totalNanoseconds += wait
  }

  private mutating func count(execution: Int, of answers: Int) {
    let execution = max(0, execution)
    counters.executingNanoseconds += execution
    counters.totalNanoseconds += execution * answers
  }
}
