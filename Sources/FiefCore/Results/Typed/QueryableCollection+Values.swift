extension Array: _QueryableCollection where Element: RealmCollectionValue {
  /// The elements.
  public typealias _QueryElement = Element
}

extension Set: _QueryableCollection where Element: RealmCollectionValue {
  /// The elements.
  public typealias _QueryElement = Element
}

extension Dictionary: _QueryableCollection where Key == String, Value: RealmCollectionValue {
  /// The values.
  public typealias _QueryElement = Value
}
