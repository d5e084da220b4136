/// Follows the rows or the elements of a collection.
package protocol CollectionFollower: StateFollower {
  /// The changes of the collection since the last call; nil where there are none.
  func takeChanges() -> CollectionChanges?

  /// The reads that a report costs, and the type that they are of.
  ///
  /// - Parameter changes: the reported changes; nil for the first state.
  func cost(of changes: CollectionChanges?) -> (typeName: String, reads: Int)
}
