/// Writes that do not notify some observations. Such a write holds these observations from its beginning to
/// its end and evaluates them itself.
extension ObservationMachine {
  /// The outcome of ``hold(_:_:)``.
  enum HoldOutcome {
    case held(PendingChanges)
    /// Another thread is evaluating the observation. The call must be retried.
    case busy
    case ended
  }

  /// Begins to hold an observation for a write, and returns its pending changes.
  ///
  /// - Parameter commit: the commit on which the write is based.
  mutating func hold(_ id: ID, _ commit: UInt64) -> HoldOutcome {
    guard let observation = observations[id] else { return .ended }
    switch observation.phase {
    case .starting, .evaluating, .delivering, .held: return .busy
    case .idle, .waiting, .scheduled, .parked, .calling, .resting: break
    }
    if observation.isHeld { return .busy }
    // There is no newer unpublished commit, because the write has the writer lock.
    _ = distribute(upTo: commit)
    guard let phase = observations[id]?.phase else { return .ended }
    let rests = phase == .idle || phase == .waiting || phase == .resting
    guard let pending = take(id, rests ? .held : phase) else { return .ended }
    observations[id]?.isHeld = true
    return .held(pending)
  }

  /// Releases an observation that a write held, after the write has ended.
  ///
  /// - Parameters:
  ///   - interest: the types and objects that the observation depends on now.
  ///   - hasReport: whether its handler must be called.
  ///   - commit: the commit in which it was evaluated; nil if the write was rolled back.
  mutating func release(_ id: ID, _ interest: ObservationInterest, hasReport: Bool, _ commit: UInt64?)
    -> Actions
  {
    guard observations[id]?.isHeld == true else { return Actions() }
    observations[id]?.isHeld = false
    endEvaluation(id, interest)
    if let commit {
      // From now on, no older snapshot may evaluate the observation.
      distributed = max(distributed, commit)
    } else {
      observations[id]?.pending.makeUnknown()
    }
    switch observations[id]?.phase {
    case .held?: return finish(id, hasReport: hasReport)
    case .calling?: observations[id]?.hasReport = hasReport
    // A delivery of the observation is already scheduled.
    default: break
    }
    return Actions()
  }
}
