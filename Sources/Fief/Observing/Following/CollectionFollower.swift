/// Follows the rows or the elements of a collection.
protocol CollectionFollower: StateFollower {
  /// The changes of the collection since the last call; nil where there are none.
  func takeChanges() -> CollectionChanges?
}
