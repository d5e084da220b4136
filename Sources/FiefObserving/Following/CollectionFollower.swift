/// Follows the rows or the elements of a collection.
package protocol CollectionFollower: StateFollower {
  /// Returns the changes of the collection since the last call, or `nil` if nothing changed.
  func takeChanges() -> CollectionChanges?

  /// Returns the number of objects that a report reads, and their type.
  ///
  /// - Parameter changes: the reported changes, or `nil` for the first state.
  func cost(of changes: CollectionChanges?) -> (typeName: String, reads: Int)
}
