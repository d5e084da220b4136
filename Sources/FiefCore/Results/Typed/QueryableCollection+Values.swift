extension Array: _QueryableCollection where Element: RealmCollectionValue {}

extension Set: _QueryableCollection where Element: RealmCollectionValue {}

extension Dictionary: _QueryableCollection where Key == String, Value: RealmCollectionValue {
  /// The type of the values.
  public typealias _QueryElement = Value
}
