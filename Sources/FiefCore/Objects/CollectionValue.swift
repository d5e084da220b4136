/// A collection of the standard library as the type of a property.
protocol CollectionValue {
  /// The type of the elements.
  static var elementOfCollection: any RealmCollectionValue.Type { get }
  /// The name of the Fief collection to suggest if this collection cannot store the element type.
  static var collectionInPlace: String { get }
}
