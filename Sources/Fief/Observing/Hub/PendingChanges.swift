/// What may have changed since an observer looked last.
struct PendingChanges: Sendable {
  /// Whether anything may have changed.
  var isUnknown = false
  /// The changes, merged in the order of the commits.
  var changes = ChangeSet()
  /// Objects whose changes the observer made itself and does not want to hear of, by type.
  var silent: [String: Set<ObjectKey>] = [:]

  var isEmpty: Bool { !isUnknown && changes.isEmpty }
}
