extension WriteQueueMachine {
  /// Adds an item to the queue.
  ///
  /// A caller that `canCommit` is a blocked thread that may have to run the batch itself.
  package mutating func enqueue(
    _ entry: Entry,
    bytes: Int,
    canCommit: Bool,
    now: Int
  ) -> (admission: Admission, actions: Actions) {
    guard isAccepting else { return (.closed, Actions()) }
    let place = Place(entry: entry, bytes: max(0, bytes), isTurn: false, arrival: now)
    // An idle queue that is not paused is empty, so this caller is the first.
    if canCommit, phase == .idle, !isPaused, let deadline = deadlineForGathering(now: now) {
      let ticket = add(place)
      startGathering(by: ticket, until: deadline)
      return (.gather(ticket, until: deadline), Actions())
    }
    let ticket = add(place)
    var actions = advance(now: now)
    nudgeIfGathered(&actions)
    return (.queued(ticket), actions)
  }

  /// Adds an item without a waiting caller to the queue.
  ///
  /// The caller of such an item does not wait, so the limits of pending items do not bound the number of
  /// items. Instead, the total bytes of these items in the queue are bounded. Each item counts as at least
  /// ``WriteQueueLimits/leastLeftBytes``.
  package mutating func leave(
    _ entry: Entry,
    bytes: Int,
    now: Int
  ) -> (admission: Admission, actions: Actions) {
    guard isAccepting else { return (.closed, Actions()) }
    var place = Place(entry: entry, bytes: max(0, bytes), isTurn: false, arrival: now)
    place.isLeft = true
    // The difference is negative while the queue contains a single item above the limit.
    guard leftBytes == 0 || place.leftBytes <= limits.maximumLeftBytes - leftBytes else {
      return (.full, Actions())
    }
    leftBytes += place.leftBytes
    let ticket = add(place)
    var actions = advance(now: now)
    nudgeIfGathered(&actions)
    return (.queued(ticket), actions)
  }

  /// Adds a turn to the queue. An action grants the turn.
  package mutating func enqueueTurn(
    _ entry: Entry,
    now: Int
  ) -> (admission: Admission, actions: Actions) {
    guard isAccepting else { return (.closed, Actions()) }
    let ticket = add(Place(entry: entry, bytes: 0, isTurn: true, arrival: now))
    var actions = advance(now: now)
    nudgeIfGathered(&actions)
    return (.queued(ticket), actions)
  }

  /// Adds a turn ahead of everything in the queue, even if the queue is paused. Call this method if
  /// ``beginUrgentTurn(now:)`` could not begin the turn. A later action grants the turn.
  ///
  /// - Returns: Whether the queue accepts the turn.
  package mutating func enqueueUrgentTurn(_ entry: Entry, now: Int) -> Bool {
    guard isAccepting else { return false }
    urgent.append(Place(entry: entry, bytes: 0, isTurn: true, arrival: now))
    return true
  }

  /// Removes an item that has not started from the queue. Returns `nil` if the item has started or was
  /// cancelled before.
  package mutating func cancel(_ ticket: Ticket, now: Int) -> (entry: Entry, actions: Actions)? {
    let place: Place
    if let found = pending.remove(ticket: ticket) {
      place = found
      forget(place)
      admit()
    } else if let found = waiting.remove(ticket: ticket) {
      place = found
      leftBytes -= place.leftBytes
      // The cancelled item may have been large and kept other items from being admitted.
      admit()
    } else {
      return nil
    }
    counters.cancelled += 1
    if phase == .summoned, pending.isEmpty { phase = .idle }
    var actions = advance(now: now)
    nudgeIfGathered(&actions)
    return (place.entry, actions)
  }

  private mutating func add(_ place: Place) -> Ticket {
    let ticket = nextTicket
    nextTicket += 1
    if waiting.isEmpty, hasRoom(for: place) {
      admit(place, ticket: ticket)
    } else {
      waiting.append(place, ticket: ticket)
    }
    return ticket
  }

  /// Admits waiting items in order, as far as the limits allow.
  ///
  /// The first item is never skipped, so small items cannot starve a large one.
  mutating func admit() {
    while let first = waiting.first, hasRoom(for: first), let (ticket, place) = waiting.popFirst() {
      admit(place, ticket: ticket)
    }
  }

  private mutating func admit(_ place: Place, ticket: Ticket) {
    pending.append(place, ticket: ticket)
    pendingBytes += place.bytes
    if place.isTurn { pendingTurns += 1 }
    if place.isLeft { pendingLeft += 1 }
    counters.maximumPending = max(counters.maximumPending, pending.count)
  }

  private func hasRoom(for place: Place) -> Bool {
    if pending.isEmpty { return true }
    // The difference is negative while a single item above the limit is pending.
    return pending.count < limits.maximumPending
      && place.bytes <= limits.maximumPendingBytes - pendingBytes
  }

  /// Removes and returns the first pending item. The caller of this method then admits other items.
  mutating func takeFirst() -> Place? {
    guard let (_, place) = pending.popFirst() else { return nil }
    forget(place)
    return place
  }

  private mutating func forget(_ place: Place) {
    pendingBytes -= place.bytes
    if place.isTurn { pendingTurns -= 1 }
    if place.isLeft { pendingLeft -= 1 }
    leftBytes -= place.leftBytes
  }
}

extension WriteQueueMachine.Place {
  /// The bytes that the item counts against the limit for items without waiting callers.
  var leftBytes: Int { isLeft ? max(bytes, WriteQueueLimits.leastLeftBytes) : 0 }
}
