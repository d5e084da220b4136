/// Throttled observations. After a call they rest for an interval, in which changes are merged.
extension ObservationMachine {
  /// The next time at which ``endRests(upTo:)`` has something to do; nil if no observation rests.
  var nextRestEnd: Duration? { rests.next }

  /// Ends the intervals that are over. The changes that occurred during an interval are then evaluated or
  /// reported.
  ///
  /// - Parameter now: the time on the clock of intervals.
  mutating func endRests(upTo now: Duration) -> Actions {
    var actions = Actions()
    while let id = rests.removeFirst(upTo: now) {
      guard let observation = observations[id], observation.isResting else { continue }
      observations[id]?.isResting = false
      // If a handler is still running or a write holds the observation, the observation continues afterwards.
      guard observation.phase == .resting else { continue }
      let next = finish(id, hasReport: observation.hasReport)
      actions.wakesNotifier = actions.wakesNotifier || next.wakesNotifier
      actions.schedules += next.schedules
    }
    return actions
  }

  mutating func rest(_ id: ID, until end: Duration) {
    observations[id]?.isResting = true
    rests.insert(id, until: end)
  }

  /// Removes the intervals of ended observations when they outnumber the others. Otherwise observations with
  /// long intervals that begin and end often would fill the memory.
  mutating func dropEndedRests() {
    guard rests.count > 64 + 2 * observations.count else { return }
    rests.removeAll { observations[$0] == nil }
  }
}

extension ObservationMachine.Observation {
  /// Whether the handler has to be called, or may have to be.
  var isBusy: Bool {
    switch phase {
    case .idle, .starting: false
    case .resting: hasReport || !pending.isEmpty
    case .waiting, .evaluating, .scheduled, .parked, .delivering, .calling, .held: true
    }
  }
}
