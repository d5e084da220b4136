/// What may have changed since an observer looked last.
struct PendingChanges: Sendable {
  /// Whether anything may have changed.
  var isUnknown = false
  /// The changes, merged in the order of the commits.
  var changes = ChangeSet()

  var isEmpty: Bool { !isUnknown && changes.isEmpty }
}
