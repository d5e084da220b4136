/// A change of an observed collection.
///
/// As in Realm, deletions and modifications are indexes in the previously reported collection; insertions are
/// indexes in the current collection. Each list is in ascending order. An object that moved is reported as a
/// deletion and an insertion. A table view can apply the indexes unchanged in one batch:
///
/// ```swift
/// let token = dogs.observe(on: .main) { change in
///   switch change {
///   case .initial(let dogs): show(Array(dogs))
///   case .update(_, let deletions, let insertions, let modifications):
///     table.performBatchUpdates {
///       table.deleteRows(at: deletions)
///       table.insertRows(at: insertions)
///       table.reloadRows(at: modifications)
///     }
///   case .error(let error): show(error)
///   }
/// }
/// ```
/// ``newModifications`` contains the indexes of the modified objects in the current collection. Use it to
/// apply the change to an array step by step, and to read the modified objects.
public enum RealmCollectionChange<Collection> {
  /// The collection when the observation begins. It is reported first, and only once.
  case initial(Collection)
  /// The collection has changed.
  case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
  /// The collection can no longer be read. This is the last report.
  case error(any Error)
}

extension RealmCollectionChange: Sendable where Collection: Sendable {}

extension RealmCollectionChange {
  /// The indexes of the modified elements in the current collection, in ascending order; empty unless the
  /// change is an `.update`.
  ///
  /// ```swift
  /// if case .update(let dogs, _, _, _) = change {
  ///   for index in change.newModifications { print(dogs[index]?.name ?? "") }
  /// }
  /// ```
  public var newModifications: [Int] {
    guard case .update(_, let deletions, let insertions, let modifications) = self else { return [] }
    return ElementPlaces.converted(modifications, without: deletions, among: insertions)
  }
}
