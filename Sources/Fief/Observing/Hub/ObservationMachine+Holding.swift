/// Writes that some observations do not hear of: each has them from its begin to its end, and brings them to its state.
extension ObservationMachine {
  /// What came of the wish to have an observation.
  enum Holding {
    case held(PendingChanges)
    /// Somebody looks at it; it will be free.
    case busy
    case ended
  }

  /// Takes an observation for a write, which is to look at what is left to look at.
  ///
  /// - Parameter commit: the commit that the write begins with.
  mutating func hold(_ id: ID, _ commit: UInt64) -> Holding {
    guard let observation = observations[id] else { return .ended }
    switch observation.phase {
    case .starting, .looking, .delivering, .held: return .busy
    case .idle, .waiting, .scheduled, .parked, .calling: break
    }
    if observation.isHeld { return .busy }
    // The write has the only state that is newer than this one.
    _ = learn(commit)
    guard let phase = observations[id]?.phase else { return .ended }
    let rests = phase == .idle || phase == .waiting
    guard let pending = take(id, rests ? .held : phase) else { return .ended }
    observations[id]?.isHeld = true
    return .held(pending)
  }

  /// The write has ended.
  ///
  /// - Parameters:
  ///   - interest: what the observation depends on now.
  ///   - hasNews: whether there is something to report.
  ///   - commit: the commit that it has looked at; nil where the write has come to nothing.
  mutating func release(_ id: ID, _ interest: ObservationInterest, hasNews: Bool, _ commit: UInt64?)
    -> Actions
  {
    guard observations[id]?.isHeld == true else { return Actions() }
    observations[id]?.isHeld = false
    endWork(id, interest)
    if let commit {
      // Nobody may look at it in an older state any more.
      handed = max(handed, commit)
    } else {
      observations[id]?.pending.isUnknown = true
    }
    switch observations[id]?.phase {
    case .held?: return settle(id, hasNews: hasNews)
    case .calling?: observations[id]?.hasNews = hasNews
    // Its delivery is on the way.
    default: break
    }
    return Actions()
  }
}
