/// What a part of a commit changed, and whom it does not concern.
struct CommittedChanges: Sendable {
  /// Nil where that is not known.
  var changes: ChangeSet?
  /// The observations that do not want to hear of it.
  var silent: Set<ObservationMachine.ID> = []
  /// The number of the commit.
  var commit: UInt64 = 0
}

extension ObservationMachine {
  /// A write of this process is about to be committed: whoever sees it before ``didCommit(_:_:)`` comes again.
  mutating func willCommit() { isCommitting = true }

  /// A write of this process was not committed.
  mutating func didNotCommit() -> Actions {
    isCommitting = false
    return Actions(wakesNotifier: needsRound, schedules: unpark())
  }

  /// A write of this process was committed.
  ///
  /// - Parameters:
  ///   - commits: its number, or several where it took several commits; none where there was nothing to commit.
  ///   - parts: what it changed, in order.
  mutating func didCommit(_ commits: [UInt64], _ parts: [CommittedChanges]) -> Actions {
    isCommitting = false
    guard !observations.isEmpty else { return Actions() }
    let parts = parts.filter { $0.changes?.isEmpty != true }
    // In memory the number of a commit that changes nothing is given again.
    for commit in commits where isShared || !parts.isEmpty {
      // Others have committed in between.
      if isShared, let known, commit > known + 1 { arrive(CommittedChanges(commit: commit - 1)) }
      known = max(known ?? 0, commit)
    }
    for var part in parts {
      part.commit = commits.last ?? known ?? 0
      arrive(part)
    }
    return Actions(wakesNotifier: needsRound, schedules: unpark())
  }

  /// The file has a commit, whoever made it.
  mutating func poke(_ commit: UInt64) -> Actions {
    guard isShared, !observations.isEmpty, commit > known ?? 0 else { return Actions() }
    isPoked = true
    return Actions(wakesNotifier: true)
  }

  private mutating func arrive(_ part: CommittedChanges) {
    arrivedCount += part.changes?.count ?? 0
    guard arrivedCount <= limit else {
      // What was kept is forgotten with it: whoever looks has to look at everything, at any state.
      arrived = [CommittedChanges(commit: part.commit)]
      return
    }
    arrived.append(part)
  }

  /// Takes note of the commit whose state somebody reads, and hands on what has arrived up to it.
  mutating func learn(_ commit: UInt64) -> Reading {
    // What was handed on may be waiting for the one who asks, and is not in this state.
    if commit < handed { return .tooOld }
    if commit > known ?? 0 {
      if isCommitting { return .tooEarly }
      // Commits of this process are told of before anyone can learn of them.
      if isShared, known != nil { arrive(CommittedChanges(commit: commit)) }
      known = commit
    }
    handed = commit
    let parts = arrived
    forgetCommits()
    for part in parts {
      if part.commit <= commit || part.changes == nil { hand(part) }
      if part.commit > commit { arrive(part) }
    }
    return .good
  }

  private mutating func hand(_ part: CommittedChanges) {
    guard let changes = part.changes else {
      for id in observations.keys { keep(id) { $0.pending.isUnknown = true } }
      return
    }
    let limit = limit
    for id in index.concerned(by: changes).union(atWork) {
      let (isSilent, isAtWork) = (part.silent.contains(id), atWork.contains(id))
      // Changes themselves are told as they come; whoever compares states has to know of those it made.
      if isSilent, observations[id]?.interest.isEverything == true { continue }
      keep(id) {
        let own = isAtWork ? changes : changes.concerning($0.interest)
        $0.pending.append(own, isSilent: isSilent, limit: limit)
      }
    }
  }
}
