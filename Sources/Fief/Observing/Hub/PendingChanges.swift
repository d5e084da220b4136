/// What may have changed since an observer looked last.
struct PendingChanges: Sendable {
  /// Whether anything may have changed.
  var isUnknown = false
  /// The changes, merged in the order of the commits.
  var changes = ChangeSet()

  var isEmpty: Bool { !isUnknown && changes.isEmpty }
}

extension PendingChanges {
  /// Adds what was changed after these changes.
  ///
  /// - Parameter limit: how many objects are kept; where there are more, anything may have changed.
  mutating func append(_ later: ChangeSet, limit: Int) {
    if isUnknown { return }
    changes.append(later)
    if changes.count > limit {
      isUnknown = true
      changes = ChangeSet()
    }
  }
}
