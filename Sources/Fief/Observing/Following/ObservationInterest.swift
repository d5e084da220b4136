/// What an observer depends on: the hub asks it which commits concern it.
struct ObservationInterest: Sendable, Equatable {
  /// By type name: the columns whose change matters, nil for all (insertions and deletions always matter).
  var types: [String: ColumnSet?] = [:]
  /// Single objects by type name and key (e.g. the owner of a list, an observed object), with the columns that
  /// matter, nil for all.
  var objects: [String: [ObjectKey: ColumnSet?]] = [:]
  /// Whether every commit matters, as to the observers of a store.
  var isEverything = false
}
