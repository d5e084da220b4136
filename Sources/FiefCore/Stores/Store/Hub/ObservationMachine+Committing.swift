/// The changes of one part of a commit, and the observations that are not notified of this part.
struct CommittedChanges: Sendable {
  /// Nil if the changes are unknown, as for a commit of another process.
  var changes: ChangeSet?
  /// The observations that are not notified of the part, because the write has already evaluated them.
  var silent: Set<ObservationMachine.ID> = []
  /// The number of the commit.
  var commit: UInt64 = 0
  /// A commit before these changes; 0 if no such commit is known.
  var after: UInt64 = 0
}

extension ObservationMachine {
  /// Announces a commit of this process: a reader that sees the commit before ``didCommit(_:_:)`` must retry.
  mutating func willCommit() { isCommitting = true }

  /// Ends an announced commit that was rolled back.
  mutating func didNotCommit() -> Actions {
    isCommitting = false
    return Actions(wakesNotifier: needsRound, schedules: unpark())
  }

  /// Publishes a commit of this process.
  ///
  /// - Parameters:
  ///   - commits: the number of the commit, or several numbers if it took several commits; empty if there was
  ///     nothing to commit.
  ///   - parts: the changes of the commit, in order.
  mutating func didCommit(_ commits: [UInt64], _ parts: [CommittedChanges]) -> Actions {
    isCommitting = false
    guard !observations.isEmpty else { return Actions() }
    let parts = parts.filter { $0.changes?.isEmpty != true }
    // In memory, a commit without changes repeats the previous number.
    for commit in commits where isShared || !parts.isEmpty {
      // A gap in the numbers means that other processes have committed in between, with unknown changes.
      if isShared, let known, commit > known + 1 {
        enqueue(CommittedChanges(commit: commit - 1, after: known))
      }
      known = max(known ?? 0, commit)
    }
    for var part in parts {
      part.commit = commits.last ?? known ?? 0
      if part.changes != nil, let first = commits.first { part.after = max(first, 1) - 1 }
      enqueue(part)
    }
    return Actions(wakesNotifier: needsRound, schedules: unpark())
  }

  /// Records that the file has a commit, which may come from another process.
  mutating func noteCommitOfFile(_ commit: UInt64) -> Actions {
    guard isShared, !observations.isEmpty, commit > known ?? 0 else { return Actions() }
    mayHaveForeignCommits = true
    return Actions(wakesNotifier: true)
  }

  private mutating func enqueue(_ part: CommittedChanges) {
    undistributedCount += part.changes?.count ?? 0
    guard undistributedCount <= limit else {
      // There are too many changes to keep. They are replaced by one part with unknown changes, so that
      // everything is evaluated.
      let after = (undistributed.first ?? part).after
      undistributed = [CommittedChanges(commit: part.commit, after: after)]
      return
    }
    undistributed.append(part)
  }

  /// Distributes the published changes, up to the commit of a snapshot, to the observations that depend on
  /// them.
  mutating func distribute(upTo commit: UInt64) -> SnapshotState {
    // The observation may have pending changes of a later commit, which this snapshot does not contain.
    if commit < distributed { return .stale }
    if commit > known ?? 0 {
      if isCommitting { return .unpublished }
      // Every commit of this process up to here is published, so this commit is from another process.
      if isShared, let known { enqueue(CommittedChanges(commit: commit, after: known)) }
      known = commit
    }
    distributed = commit
    let parts = undistributed
    forgetUndistributed()
    for part in parts {
      if part.commit <= commit || part.changes == nil { distribute(part) }
      if part.commit > commit { enqueue(part) }
    }
    return .good
  }

  private mutating func distribute(_ part: CommittedChanges) {
    guard let changes = part.changes else {
      for id in observations.keys { updatePending(of: id) { $0.pending.makeUnknown(after: part.after) } }
      return
    }
    let limit = limit
    for id in index.concerned(by: changes).union(inEvaluation) where !part.silent.contains(id) {
      let isInEvaluation = inEvaluation.contains(id)
      updatePending(of: id) {
        $0.pending.append(isInEvaluation ? changes : changes.concerning($0.interest), limit: limit)
      }
    }
  }
}
