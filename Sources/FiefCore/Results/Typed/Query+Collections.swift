extension Query where Value: _QueryableCollection {
  /// Whether a closure holds for any element; for none of nothing.
  ///
  /// ```swift
  /// people.where { person in person.dogs.any { $0.age > 3 && $0.name != person.name } }
  /// ```
  public func any(_ holds: (Query<Value._QueryElement>) -> Query<Bool>) -> Query<Bool> {
    quantified(.any, holds)
  }

  /// Whether a closure holds for every element; also where there is none.
  public func all(_ holds: (Query<Value._QueryElement>) -> Query<Bool>) -> Query<Bool> {
    quantified(.all, holds)
  }

  /// Whether a closure holds for no element.
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

  /// The elements for which a closure holds, to be counted.
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

  /// Whether a value is among the elements.
  public func contains(_ element: Value._QueryElement) -> Query<Bool> {
    Query<Value._QueryElement>(term.entered()) == element
  }

  /// Whether the value of a property is among the elements.
  public func contains<Other>(_ element: Query<Other>) -> Query<Bool> {
    Query<Value._QueryElement>(term.entered()) == element
  }

  /// Whether one of some values is among the elements.
  public func containsAny(in values: some Sequence<Value._QueryElement>) -> Query<Bool> {
    Query<Value._QueryElement>(term.entered()).isOne(of: values)
  }

  /// Whether all elements are in a range, of which there has to be one; those that are nil do not count.
  ///
  /// An element in a range is `$0.numbers.any { $0.contains(1...3) }`.
  public func contains(_ range: ClosedRange<Value._QueryElement>) -> Query<Bool>
  where Value._QueryElement: Comparable {
    areBetween(range.lowerBound, range.upperBound, isClosed: true)
  }

  /// Whether all elements are in a range, of which there has to be one; those that are nil do not count.
  public func contains(_ range: Range<Value._QueryElement>) -> Query<Bool>
  where Value._QueryElement: Comparable {
    areBetween(range.lowerBound, range.upperBound, isClosed: false)
  }

  /// Whether all elements that are not nil are in a range, of which there has to be one.
  public func contains<Wrapped: Comparable>(_ range: ClosedRange<Wrapped>) -> Query<Bool>
  where Value._QueryElement == Wrapped? {
    areBetween(range.lowerBound, range.upperBound, isClosed: true)
  }

  /// Whether all elements that are not nil are in a range, of which there has to be one.
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
  /// Whether it is anything but nil.
  fileprivate var isAnything: Query<Bool> {
    Query<Bool>(term.tested { .comparison($0, .notEqual, .value(.null)) })
  }
}

// Comparisons of a collection with a value are those of any of its elements. Those of an order come second to all others, as
// arithmetic does.
extension Query where Value: _QueryableCollection {
  private var element: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()) }

  /// Whether an element is equal to a value.
  public static func == (query: Query, value: Value._QueryElement) -> Query<Bool> { query.element == value }

  /// Whether an element is anything but a value.
  public static func != (query: Query, value: Value._QueryElement) -> Query<Bool> { query.element != value }

  /// Whether an element is less than a value.
  @_disfavoredOverload
  public static func < (query: Query, value: Value._QueryElement) -> Query<Bool> { query.element < value }

  /// Whether an element is a value or less.
  @_disfavoredOverload
  public static func <= (query: Query, value: Value._QueryElement) -> Query<Bool> { query.element <= value }

  /// Whether an element is greater than a value.
  @_disfavoredOverload
  public static func > (query: Query, value: Value._QueryElement) -> Query<Bool> { query.element > value }

  /// Whether an element is a value or greater.
  @_disfavoredOverload
  public static func >= (query: Query, value: Value._QueryElement) -> Query<Bool> { query.element >= value }
}

/// The elements of a collection for which a closure holds.
public struct QuerySubset<Element> {
  /// The number of them.
  public let count: Query<Int>

  /// Whether there is none.
  public var isEmpty: Query<Bool> { count == 0 }
}

extension Query where Value: _QueryableCollection, Value._QueryElement: _QueryableNumber {
  /// The least element; nil where there is none.
  public var min: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).min }

  /// The greatest element; nil where there is none.
  public var max: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).max }

  /// The sum of the elements; 0 where there is none.
  public var sum: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()).sum }

  /// The average of the elements; nil where there is none.
  public var avg: Query<Double?> { Query<Value._QueryElement>(term.entered()).avg }
}

extension Query where Value: _QueryableMap {
  /// The value of a key in the map; nil where there is none.
  public subscript(key: String) -> Query<Value._QueryElement> {
    Query<Value._QueryElement>(term.step { [.mapKey(key)] })
  }
}

/// Maps, which have keys.
public protocol _QueryableMap: _QueryableCollection {}

extension Map: _QueryableMap {}
extension Dictionary: _QueryableMap where Key == String, Value: RealmCollectionValue {}

extension Query where Value: _QueryableMap {
  /// Any of the map's keys: `$0.prices.keys == "basic"`, `$0.prices.keys.starts(with: "b")`.
  public var keys: Query<String> { Query<String>(term.entered(.keys)) }

  /// Any of the map's values.
  public var values: Query<Value._QueryElement> { Query<Value._QueryElement>(term.entered()) }
}
