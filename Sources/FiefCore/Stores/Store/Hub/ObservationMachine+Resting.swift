/// Throttled observations: after a call they rest for an interval, in which changes are merged.
extension ObservationMachine {
  /// The next time at which ``endRests(upTo:)`` has something to do; nil where no observation rests.
  var nextRestEnd: Duration? { rests.next }

  /// Ends the intervals that are over: what has changed meanwhile is evaluated, or reported.
  ///
  /// - Parameter now: the time on the clock of intervals.
  mutating func endRests(upTo now: Duration) -> Actions {
    var actions = Actions()
    while let id = rests.removeFirst(upTo: now) {
      guard let observation = observations[id], observation.isResting else { continue }
      observations[id]?.isResting = false
      // One whose handler still runs, or that a write holds, goes on when that ends.
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

  /// Observations with long intervals may come and go: what is left of them is dropped when it is most of all.
  mutating func dropEndedRests() {
    guard rests.count > 64 + 2 * observations.count else { return }
    rests.removeAll { observations[$0] == nil }
  }
}

extension ObservationMachine.Observation {
  /// Whether its handler has to be called, or may have to be.
  var isBusy: Bool {
    switch phase {
    case .idle, .starting: false
    case .resting: hasReport || !pending.isEmpty
    case .waiting, .evaluating, .scheduled, .parked, .delivering, .calling, .held: true
    }
  }
}
