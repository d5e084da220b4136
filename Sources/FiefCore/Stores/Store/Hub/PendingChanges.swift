/// The changes since the last evaluation of an observation.
package struct PendingChanges: Sendable {
  /// Whether the changes are unknown, so that everything may have changed.
  package var isUnknown = false
  /// If changes are unknown, a commit before all of them; 0 if everything may have changed. Known changes of
  /// later commits are not kept.
  package private(set) var unknownAfter: UInt64 = 0
  /// The changes, merged in the order of the commits.
  package var changes = ChangeSet()

  package var isEmpty: Bool { !isUnknown && changes.isEmpty && changes.places.isEmpty }
}

extension PendingChanges {
  /// Notes that the changes of all commits after a commit are unknown.
  mutating func makeUnknown(after commit: UInt64 = 0) {
    unknownAfter = isUnknown ? min(unknownAfter, commit) : commit
    isUnknown = true
  }

  /// Adds the changes of a later commit.
  ///
  /// - Parameter limit: the maximum number of objects that are kept. Beyond it, the changes become unknown.
  mutating func append(_ later: ChangeSet, limit: Int) {
    if isUnknown { return }
    changes.append(later)
    if changes.count > limit {
      makeUnknown()
      changes = ChangeSet()
    }
  }
}
