/// A collection of Swift's own that a property may have.
protocol CollectionValue {
  /// What is in it.
  static var elementOfCollection: any RealmCollectionValue.Type { get }
  /// The collection that has the elements it cannot have.
  static var collectionInPlace: String { get }
}
