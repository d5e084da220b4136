extension Query where Value: _QueryableCollection {
  /// Tests whether a condition holds for any element; false for an empty collection.
  ///
  /// ```swift
  /// people.where { person in person.dogs.any { $0.age > 3 && $0.name != person.name } }
  /// ```
  public func any(_ holds: (Query<Value._QueryElement>) -> Query<Bool>) -> Query<Bool> {
    quantified(.any, holds)
  }

  /// Tests whether a condition holds for every element; true for an empty collection.
  public func all(_ holds: (Query<Value._QueryElement>) -> Query<Bool>) -> Query<Bool> {
    quantified(.all, holds)
  }

  /// Tests whether a condition holds for no element.
  public func none(_ holds: (Query<Value._QueryElement>) -> Query<Bool>) -> Query<Bool> {
    quantified(.none, holds)
  }

  private func quantified(
    _ quantifier: QueryQuantifier,
    _ holds: (Query<Value._QueryElement>) -> Query<Bool>
  ) -> Query<Bool> {
    let term = term.quantified({ holds(Query<Value._QueryElement>($0)).term }) {
      .truth(.quantified(quantifier, $0, $1))
    }
    return Query<Bool>(
      TypedTerm(term.scopes, level: term.level, depth: term.depth) { try term.condition() }
    )
  }

  /// Returns the elements that meet a condition, for counting them.
  ///
  /// ```swift
  /// people.where { $0.dogs.subquery { $0.age > 3 }.count > 1 }
  /// ```
  public func subquery(
    _ holds: (Query<Value._QueryElement>) -> Query<Bool>
  ) -> QuerySubset<Value._QueryElement> {
    QuerySubset(
      count: Query<Int>(
        term.quantified({ holds(Query<Value._QueryElement>($0)).term }) { .count($0, $1) }
      )
    )
  }

  /// The number of elements.
  public var count: Query<Int> {
    Query<Int>(term.map { _ in .count(QueryCollection(try term.path()), nil) })
  }

  /// Tests whether the collection contains a value.
  public func contains(_ element: Value._QueryElement) -> Query<Bool> {
    Query<Value._QueryElement>(term.entered()) == element
  }

  /// Tests whether the collection contains the value of a property.
  public func contains<Other>(_ element: Query<Other>) -> Query<Bool> {
    Query<Value._QueryElement>(term.entered()) == element
  }

  /// Tests whether the collection contains any of the given values.
  public func containsAny(in values: some Sequence<Value._QueryElement>) -> Query<Bool> {
    Query<Value._QueryElement>(term.entered()).isOne(of: values)
  }

  /// Tests whether the collection has elements and all of them are in a range. Nil elements are ignored.
  ///
  /// To test for any element in a range, use `$0.numbers.any { $0.contains(1...3) }`.
  public func contains(_ range: ClosedRange<Value._QueryElement>) -> Query<Bool>
  where Value._QueryElement: Comparable {
    areBetween(range.lowerBound, range.upperBound, isClosed: true)
  }

  /// Tests whether the collection has elements and all of them are in a range. Nil elements are ignored.
  public func contains(_ range: Range<Value._QueryElement>) -> Query<Bool>
  where Value._QueryElement: Comparable {
    areBetween(range.lowerBound, range.upperBound, isClosed: false)
  }

  /// Tests whether the collection has elements that are not nil and all of these are in a range.
  public func contains<Wrapped: Comparable>(_ range: ClosedRange<Wrapped>) -> Query<Bool>
  where Value._QueryElement == Wrapped? {
    areBetween(range.lowerBound, range.upperBound, isClosed: true)
  }

  /// Tests whether the collection has elements that are not nil and all of these are in a range.
  public func contains<Wrapped: Comparable>(_ range: Range<Wrapped>) -> Query<Bool>
  where Value._QueryElement == Wrapped? {
    areBetween(range.lowerBound, range.upperBound, isClosed: false)
  }

  private func areBetween(_ lower: Any, _ upper: Any, isClosed: Bool) -> Query<Bool> {
    any { $0.isBetween(lower, upper, isClosed: isClosed) }
      && none { $0.isAnything && !$0.isBetween(lower, upper, isClosed: isClosed) }
  }
}

extension Query {
  /// Whether the value is not nil.
  fileprivate var isAnything: Query<Bool> {
    Query<Bool>(term.tested { .comparison($0, .notEqual, .value(.null)) })
  }
}

// A comparison of a collection with a value tests whether the comparison holds for any element. Like
// arithmetic, the ordering comparisons are disfavored.
extension Query where Value: _QueryableCollection {
  private var element: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()) }

  /// Tests whether any element equals a value.
  public static func == (query: Query, value: Value._QueryElement) -> Query<Bool> { query.element == value }

  /// Tests whether any element differs from a value.
  public static func != (query: Query, value: Value._QueryElement) -> Query<Bool> { query.element != value }

  /// Tests whether any element is less than a value.
  @_disfavoredOverload
  public static func < (query: Query, value: Value._QueryElement) -> Query<Bool> { query.element < value }

  /// Tests whether any element is less than or equal to a value.
  @_disfavoredOverload
  public static func <= (query: Query, value: Value._QueryElement) -> Query<Bool> { query.element <= value }

  /// Tests whether any element is greater than a value.
  @_disfavoredOverload
  public static func > (query: Query, value: Value._QueryElement) -> Query<Bool> { query.element > value }

  /// Tests whether any element is greater than or equal to a value.
  @_disfavoredOverload
  public static func >= (query: Query, value: Value._QueryElement) -> Query<Bool> { query.element >= value }
}

/// The elements of a collection that meet a condition.
public struct QuerySubset<Element> {
  /// The number of elements that meet the condition.
  public let count: Query<Int>

  /// Tests whether no element meets the condition.
  public var isEmpty: Query<Bool> { count == 0 }
}

extension Query where Value: _QueryableCollection, Value._QueryElement: _QueryableNumber {
  /// The minimum element; nil if there are no elements.
  public var min: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).min }

  /// The maximum element; nil if there are no elements.
  public var max: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).max }

  /// The sum of the elements; 0 if there are no elements.
  public var sum: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).sum }

  /// The average of the elements; nil if there are no elements.
  public var avg: Query<Double?> { Query<Value._QueryElement>(term.entered()).avg }
}

extension Query where Value: _QueryableMap {
  /// The value of a key in the map; nil if the map does not contain the key.
  public subscript(key: String) -> Query<Value._QueryElement> {
    Query<Value._QueryElement>(term.step { [.mapKey(key)] })
  }
}

/// A map that can be part of the path of a ``Query``.
public protocol _QueryableMap: _QueryableCollection {}

extension Map: _QueryableMap {}
extension Dictionary: _QueryableMap where Key == String, Value: RealmCollectionValue {}

extension Query where Value: _QueryableMap {
  /// Any of the map's keys: `$0.prices.keys == "basic"`, `$0.prices.keys.starts(with: "b")`.
  public var keys: Query<String> { Query<String>(term.entered(.keys)) }

  /// Any of the map's values.
  public var values: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()) }
}
