/// A change of an observed collection.
///
/// Deletions and modifications are places in the collection as it was reported last, insertions are places in the collection
/// as it is now, as in Realm. Each list ascends. An object that has moved is a deletion and an insertion. A table view applies
/// the places as they are in one batch:
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
/// ``newModifications`` has the places of the modified objects in the collection as it is now. Use them if you apply the change to
/// an array step by step, and to read the modified objects.
public enum RealmCollectionChange<Collection> {
  /// The collection as it is when the observation begins; it comes first, and once.
  case initial(Collection)
  /// The collection has changed.
  case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
  /// The collection cannot be read any more; nothing comes after it.
  case error(any Error)
}

extension RealmCollectionChange: Sendable where Collection: Sendable {}

extension RealmCollectionChange {
  /// The places of the modified elements in the collection as it is now, in ascending order; empty unless the change is an
  /// `.update`.
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
