/// Follows the rows or the elements of a collection.
protocol CollectionFollower: StateFollower {
  /// What has become of the collection since the last call; nil where nothing has.
  func takeChanges() -> CollectionChanges?
}
