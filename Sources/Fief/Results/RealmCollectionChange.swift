/// A change of an observed collection.
///
/// Deletions are places in the collection as it was when it was reported last, insertions and modifications
/// places in the collection as it is; all of them ascend. To bring a table from one to the other, remove the
/// deletions from the last to the first, insert the insertions from the first to the last, then reload the
/// modifications. An object that has moved is a deletion and an insertion.
///
/// ```swift
/// let token = dogs.observe { change in
///   switch change {
///   case .initial(let dogs): show(Array(dogs))
///   case .update(let dogs, let deletions, let insertions, let modifications):
///     for index in deletions.reversed() { table.remove(at: index) }
///     for index in insertions { table.insert(dogs[index], at: index) }
///     for index in modifications { table.reload(dogs[index], at: index) }
///   case .error(let error): show(error)
///   }
/// }
/// ```
public enum RealmCollectionChange<Collection> {
  /// The collection as it is when the observation begins; it comes first, and once.
  case initial(Collection)
  /// The collection has changed.
  case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
  /// The collection cannot be read any more; nothing comes after it.
  case error(any Error)
}

extension RealmCollectionChange: Sendable where Collection: Sendable {}
