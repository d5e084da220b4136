extension WriteQueueMachine {
  /// Adds an item to the line.
  ///
  /// A caller who `canCommit` is a blocked thread that may be told to run the batch itself.
  package mutating func enqueue(
    _ entry: Entry,
    bytes: Int,
    canCommit: Bool,
    now: Int
  ) -> (admission: Admission, actions: Actions) {
    guard isAccepting else { return (.closed, Actions()) }
    let place = Place(entry: entry, bytes: max(0, bytes), isTurn: false, arrival: now)
    // Idle and not paused means that nobody is in line: the caller is the first.
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

  /// Adds a turn to the line; it is granted by an action.
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

  /// Takes an item that has not started out of the line; nil if it has, or if it was cancelled before.
  package mutating func cancel(_ ticket: Ticket, now: Int) -> (entry: Entry, actions: Actions)? {
    let place: Place
    if let found = pending.remove(ticket: ticket) {
      place = found
      forget(place)
      admit()
    } else if let found = waiting.remove(ticket: ticket) {
      place = found
      // It may have been the large one that kept the rest outside.
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

  /// Lets in those who wait, in order, as long as there is room.
  ///
  /// The first of them is never passed over, so that a large item is not starved by small ones.
  mutating func admit() {
    while let first = waiting.first, hasRoom(for: first), let (ticket, place) = waiting.popFirst() {
      admit(place, ticket: ticket)
    }
  }

  private mutating func admit(_ place: Place, ticket: Ticket) {
    pending.append(place, ticket: ticket)
    pendingBytes += place.bytes
    if place.isTurn { pendingTurns += 1 }
    counters.maximumPending = max(counters.maximumPending, pending.count)
  }

  private func hasRoom(for place: Place) -> Bool {
    if pending.isEmpty { return true }
    // The difference is negative while an item above the limit is pending alone.
    return pending.count < limits.maximumPending
      && place.bytes <= limits.maximumPendingBytes - pendingBytes
  }

  /// Takes the first pending place; the caller lets in others when it has taken all that it wants.
  mutating func takeFirst() -> Place? {
    guard let (_, place) = pending.popFirst() else { return nil }
    forget(place)
    return place
  }

  private mutating func forget(_ place: Place) {
    pendingBytes -= place.bytes
    if place.isTurn { pendingTurns -= 1 }
  }
}
