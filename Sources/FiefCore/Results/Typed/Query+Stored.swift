// The underscored requirements are internal to the library; their protocols document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The stored form of a collection's elements in a query. This type has no instances.
public enum _QueryElements<Element>: _QueryableCollection {}

/// The stored form of a map's values in a query. This type has no instances.
public enum _QueryMapElements<Element>: _QueryableMap {}

extension Query where Value: _QueryableStored {
  /// The stored form of the case: `$0.size.rawValue.starts(with: "s")`.
  public var rawValue: Query<Value._StoredInQueries> { Query<Value._StoredInQueries>(term) }

  /// The stored form of the value.
  public var persistableValue: Query<Value._StoredInQueries> { Query<Value._StoredInQueries>(term) }
}

extension Query where Value: _QueryableCollection, Value._QueryElement: _QueryableStored {
  /// The stored form of the elements.
  public var rawValue: Query<_QueryElements<Value._QueryElement._StoredInQueries>> { persistableValue }

  /// The stored form of the elements.
  public var persistableValue: Query<_QueryElements<Value._QueryElement._StoredInQueries>> {
    Query<_QueryElements<Value._QueryElement._StoredInQueries>>(term)
  }
}

extension Query where Value: _QueryableMap, Value._QueryElement: _QueryableStored {
  /// The stored form of the map's values.
  public var rawValue: Query<_QueryMapElements<Value._QueryElement._StoredInQueries>> { persistableValue }

  /// The stored form of the map's values.
  public var persistableValue: Query<_QueryMapElements<Value._QueryElement._StoredInQueries>> {
    Query<_QueryMapElements<Value._QueryElement._StoredInQueries>>(term)
  }
}

/// Aggregates of a path through a collection, for values that are stored as numbers. An `AnyRealmValue` also
/// is a number itself.
extension Query where Value: _QueryableStored, Value._StoredInQueries: _QueryableNumber {
  /// The minimum value of a path through a collection; nil if there are no values.
  @_disfavoredOverload
  public var min: Query { Query(persistableValue.min.term) }

  /// The maximum value of a path through a collection; nil if there are no values.
  @_disfavoredOverload
  public var max: Query { Query(persistableValue.max.term) }

  /// The sum of the values of a path through a collection; 0 if there are no values.
  @_disfavoredOverload
  public var sum: Query { Query(persistableValue.sum.term) }

  /// The average of the values of a path through a collection; nil if there are no values.
  @_disfavoredOverload
  public var avg: Query<Double?> { persistableValue.avg }
}

/// Aggregates of elements that are stored as numbers.
extension Query
where
  Value: _QueryableCollection, Value._QueryElement: _QueryableStored,
  Value._QueryElement._StoredInQueries: _QueryableNumber
{
  /// The minimum element; nil if there are no elements.
  @_disfavoredOverload
  public var min: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).min }

  /// The maximum element; nil if there are no elements.
  @_disfavoredOverload
  public var max: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).max }

  /// The sum of the elements; 0 if there are no elements.
  @_disfavoredOverload
  public var sum: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).sum }

  /// The average of the elements; nil if there are no elements.
  @_disfavoredOverload
  public var avg: Query<Double?> { Query<Value._QueryElement>(term.entered()).avg }
}
