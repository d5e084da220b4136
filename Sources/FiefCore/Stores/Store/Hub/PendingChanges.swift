/// The changes since the last evaluation of an observation.
package struct PendingChanges: Sendable {
  /// Whether the changes are unknown, so that everything may have changed.
  package var isUnknown = false
  /// The changes, merged in the order of the commits.
  package var changes = ChangeSet()

  package var isEmpty: Bool { !isUnknown && changes.isEmpty }
}

extension PendingChanges {
  /// Adds the changes of a later commit.
  ///
  /// - Parameter limit: the maximum number of objects that are kept. Beyond it, the changes become unknown.
  mutating func append(_ later: ChangeSet, limit: Int) {
    if isUnknown { return }
    changes.append(later)
    if changes.count > limit {
      isUnknown = true
      changes = ChangeSet()
    }
  }
}
