extension Array: QueryableCollection where Element: RealmCollectionValue {
  /// The elements.
  public typealias QueryElement = Element
}

extension Set: QueryableCollection where Element: RealmCollectionValue {
  /// The elements.
  public typealias QueryElement = Element
}

extension Dictionary: QueryableCollection where Key == String, Value: RealmCollectionValue {
  /// The values.
  public typealias QueryElement = Value
}
