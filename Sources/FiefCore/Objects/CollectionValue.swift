/// A Swift collection that a property may have.
protocol CollectionValue {
  /// The type of the elements.
  static var elementOfCollection: any RealmCollectionValue.Type { get }
  /// The name of the Fief collection that can have the elements that this one cannot.
  static var collectionInPlace: String { get }
}
