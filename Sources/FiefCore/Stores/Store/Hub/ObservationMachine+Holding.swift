/// Writes without a notification to some observations: such a write holds them from its beginning to its end, and evaluates
/// them itself.
extension ObservationMachine {
  /// The outcome of ``hold(_:_:)``.
  enum Holding {
    case held(PendingChanges)
    /// Another thread evaluates it; to be retried.
    case busy
    case ended
  }

  /// Gives an observation to a write, with the changes that are pending.
  ///
  /// - Parameter commit: the commit that the write is based on.
  mutating func hold(_ id: ID, _ commit: UInt64) -> Holding {
    guard let observation = observations[id] else { return .ended }
    switch observation.phase {
    case .starting, .evaluating, .delivering, .held: return .busy
    case .idle, .waiting, .scheduled, .parked, .calling, .resting: break
    }
    if observation.isHeld { return .busy }
    // No unpublished commit can be newer: the write holds the writer's lock.
    _ = distribute(upTo: commit)
    guard let phase = observations[id]?.phase else { return .ended }
    let rests = phase == .idle || phase == .waiting || phase == .resting
    guard let pending = take(id, rests ? .held : phase) else { return .ended }
    observations[id]?.isHeld = true
    return .held(pending)
  }

  /// Takes an observation back from a write that has ended.
  ///
  /// - Parameters:
  ///   - interest: the types and objects that the observation depends on now.
  ///   - hasReport: whether its handler has to be called.
  ///   - commit: the commit that it was evaluated in; nil where the write was rolled back.
  mutating func release(_ id: ID, _ interest: ObservationInterest, hasReport: Bool, _ commit: UInt64?)
    -> Actions
  {
    guard observations[id]?.isHeld == true else { return Actions() }
    observations[id]?.isHeld = false
    endEvaluation(id, interest)
    if let commit {
      // No older snapshot may evaluate it from now on.
      distributed = max(distributed, commit)
    } else {
      observations[id]?.pending.isUnknown = true
    }
    switch observations[id]?.phase {
    case .held?: return finish(id, hasReport: hasReport)
    case .calling?: observations[id]?.hasReport = hasReport
    // A delivery of it is scheduled already.
    default: break
    }
    return Actions()
  }
}
