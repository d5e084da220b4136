import Foundation

/// Aggregates of a path through collections. Each value is included as often as it occurs in the elements of
/// all objects.
///
/// ```swift
/// let years = owners.where { $0.city == "Turku" }.sum(of: \.dogs.age)
/// let oldest = owners.max { $0.dogs.age }
/// let most = owners.max(of: \.dogs.age.sum)
/// ```
/// A closure of a ``Query`` names the path, as in ``ObjectQuery/where(_:)``. No object is created. The keys
/// in the records are looked up many at a time, in sorted order. Deleted elements and nil values are ignored.
/// ``ObjectQuery`` has the aggregates of one property.
extension Results {
  // MARK: Counts

  /// Returns the number of values that are not nil.
  ///
  /// ```swift
  /// let dogs = owners.count(of: \.dogs)
  /// ```
  /// For a collection of objects, deleted elements are included, as in the collection's own `count`. If the
  /// count cannot be determined, it is 0 and the store's event handler receives the error; the `fetch…`
  /// method throws instead.
  @_disfavoredOverload  // A closure behind `count` that compares is the standard library's `count(where:)`.
  public func count<Value>(of values: (Query<Element>) -> Query<Value>) -> Int {
    reported(0) { try fetchCount(of: values) }
  }

  /// Returns the number of values that are not nil.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchCount<Value>(of values: (Query<Element>) -> Query<Value>) throws -> Int {
    try count(of: AggregatedValues(values))
  }

  /// Returns the number of values of the named property that are not nil.
  ///
  /// ```swift
  /// let dogs = owners.count(ofProperty: "dogs")
  /// ```
  public func count(ofProperty property: String) -> Int {
    reported(0) { try fetchCount(ofProperty: property) }
  }

  /// Returns the number of values of the named property that are not nil.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchCount(ofProperty property: String) throws -> Int {
    try count(of: AggregatedValues(property: property))
  }

  // MARK: Extremes

  /// Returns the minimum of the values at a path that are not nil, or `nil` if there are no such values.
  @_disfavoredOverload  // A key path literal names the property itself.
  public func min<Value: Persistable>(of values: (Query<Element>) -> Query<Value>) -> Value._Present?
  where Value._Present: Persistable & RealmCollectionValue {
    _aggregate(_AggregateRequest(.minimum, values)).reported(nil) { try $0.extreme() }
  }

  /// Returns the minimum of the values at a path that are not nil, or `nil` if there are no such values.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload  // A key path literal names the property itself.
  public func fetchMin<Value: Persistable>(of values: (Query<Element>) -> Query<Value>) throws
    -> Value._Present?
  where Value._Present: Persistable & RealmCollectionValue {
    try _aggregate(_AggregateRequest(.minimum, values)).get { try $0.extreme() }
  }

  /// Returns the maximum of the values at a path that are not nil, or `nil` if there are no such values.
  @_disfavoredOverload  // A key path literal names the property itself.
  public func max<Value: Persistable>(of values: (Query<Element>) -> Query<Value>) -> Value._Present?
  where Value._Present: Persistable & RealmCollectionValue {
    _aggregate(_AggregateRequest(.maximum, values)).reported(nil) { try $0.extreme() }
  }

  /// Returns the maximum of the values at a path that are not nil, or `nil` if there are no such values.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload  // A key path literal names the property itself.
  public func fetchMax<Value: Persistable>(of values: (Query<Element>) -> Query<Value>) throws
    -> Value._Present?
  where Value._Present: Persistable & RealmCollectionValue {
    try _aggregate(_AggregateRequest(.maximum, values)).get { try $0.extreme() }
  }

  // MARK: Sums and averages

  /// Returns the sum of the values at a path that are not nil, or zero if there are no such values.
  @_disfavoredOverload  // A key path literal names the property itself.
  public func sum<Value: Persistable>(of values: (Query<Element>) -> Query<Value>) -> Value._Present
  where Value._Present: AggregatableNumber {
    _aggregate(_AggregateRequest(.sum, values)).reported(Value._Present._defaultValue()) { try $0.sum() }
  }

  /// Returns the sum of the values at a path that are not nil, or zero if there are no such values.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type; also for a closed
  ///   store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload  // A key path literal names the property itself.
  public func fetchSum<Value: Persistable>(of values: (Query<Element>) -> Query<Value>) throws
    -> Value._Present
  where Value._Present: AggregatableNumber {
    try _aggregate(_AggregateRequest(.sum, values)).get { try $0.sum() }
  }

  /// Returns the mean of the values at a path that are not nil, or `nil` if there are no such values. The
  /// mean of numbers is a `Double`, the mean of dates a `Date`.
  public func average<Value: Persistable>(of values: (Query<Element>) -> Query<Value>)
    -> Value._Present._Mean?
  where Value._Present: _AveragedValue {
    _aggregate(_AggregateRequest(.average, values)).reported(nil) { try $0.mean(of: Value._Present.self) }
  }

  /// Returns the mean of the values at a path that are not nil, or `nil` if there are no such values. The
  /// mean of numbers is a `Double`, the mean of dates a `Date`.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage<Value: Persistable>(of values: (Query<Element>) -> Query<Value>) throws
    -> Value._Present._Mean?
  where Value._Present: _AveragedValue {
    try _aggregate(_AggregateRequest(.average, values)).get { try $0.mean(of: Value._Present.self) }
  }

  /// Returns the mean of the decimals at a path as a decimal, or `nil` if there are no values. This method
  /// applies if the context asks for a `Decimal`.
  @_disfavoredOverload
  public func average<Value: Persistable>(of values: (Query<Element>) -> Query<Value>) -> Decimal?
  where Value._Present == Decimal {
    _aggregate(_AggregateRequest(.average, values)).reported(nil) { try $0.fold().decimalAverage() }
  }

  /// Returns the mean of the decimals at a path as a decimal, or `nil` if there are no values.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage<Value: Persistable>(of values: (Query<Element>) -> Query<Value>) throws -> Decimal?
  where Value._Present == Decimal {
    try _aggregate(_AggregateRequest(.average, values)).get { try $0.fold().decimalAverage() }
  }
}
