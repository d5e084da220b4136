/// Aggregates of a path through collections. Each value is included as often as it occurs in the elements of
/// all objects.
///
/// ```swift
/// let years = owners.where { $0.city == "Turku" }.sum(of: \.dogs.age)
/// let oldest = owners.max { $0.dogs.age }
/// let most = owners.max(of: \.dogs.age.sum)
/// ```
/// A closure of a ``Query`` names the path, as in ``Results/where(_:)``. No object is created. The keys in
/// the records are looked up many at a time, in sorted order. Deleted elements and nil values are ignored.
extension Results {
  // MARK: Numbers of values

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

  // MARK: The least value

  /// Returns the minimum value at a path, or `nil` if there are no values.
  public func min<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value>
  ) -> Value? {
    reported(nil) { try fetchMin(of: values) }
  }

  /// Returns the minimum value at a path, or `nil` if there are no values.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMin<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value>
  ) throws -> Value? {
    try extreme(of: AggregatedValues(values), .minimum)
  }

  /// Returns the minimum of the optional values at a path, or `nil` if there are no values.
  public func min<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value?>
  ) -> Value? {
    reported(nil) { try fetchMin(of: values) }
  }

  /// Returns the minimum of the optional values at a path, or `nil` if there are no values.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMin<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value?>
  ) throws -> Value? {
    try extreme(of: AggregatedValues(values), .minimum)
  }

  // MARK: The greatest value

  /// Returns the maximum value at a path, or `nil` if there are no values.
  public func max<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value>
  ) -> Value? {
    reported(nil) { try fetchMax(of: values) }
  }

  /// Returns the maximum value at a path, or `nil` if there are no values.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMax<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value>
  ) throws -> Value? {
    try extreme(of: AggregatedValues(values), .maximum)
  }

  /// Returns the maximum of the optional values at a path, or `nil` if there are no values.
  public func max<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value?>
  ) -> Value? {
    reported(nil) { try fetchMax(of: values) }
  }

  /// Returns the maximum of the optional values at a path, or `nil` if there are no values.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMax<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value?>
  ) throws -> Value? {
    try extreme(of: AggregatedValues(values), .maximum)
  }

  // MARK: Sums and averages

  /// Returns the sum of the values at a path, or zero if there are no values.
  public func sum<Value: AggregatableNumber>(of values: (Query<Element>) -> Query<Value>) -> Value {
    reported(Value._defaultValue()) { try fetchSum(of: values) }
  }

  /// Returns the sum of the values at a path, or zero if there are no values.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type; also for a closed
  ///   store, a damaged record, or a query that cannot be answered.
  public func fetchSum<Value: AggregatableNumber>(
    of values: (Query<Element>) -> Query<Value>
  ) throws -> Value {
    try sum(of: AggregatedValues(values))
  }

  /// Returns the mean of the values at a path, or `nil` if there are no values.
  public func average<Value: AggregatableNumber>(
    of values: (Query<Element>) -> Query<Value>
  ) -> Double? {
    reported(nil) { try fetchAverage(of: values) }
  }

  /// Returns the mean of the values at a path, or `nil` if there are no values.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage<Value: AggregatableNumber>(
    of values: (Query<Element>) -> Query<Value>
  ) throws -> Double? {
    try average(of: AggregatedValues(values))
  }

  /// Returns the sum of the optional values at a path, or zero if there are no values.
  public func sum<Value: AggregatableNumber>(of values: (Query<Element>) -> Query<Value?>) -> Value {
    reported(Value._defaultValue()) { try fetchSum(of: values) }
  }

  /// Returns the sum of the optional values at a path, or zero if there are no values.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type; also for a closed
  ///   store, a damaged record, or a query that cannot be answered.
  public func fetchSum<Value: AggregatableNumber>(
    of values: (Query<Element>) -> Query<Value?>
  ) throws -> Value {
    try sum(of: AggregatedValues(values))
  }

  /// Returns the mean of the optional values at a path, or `nil` if there are no values.
  public func average<Value: AggregatableNumber>(
    of values: (Query<Element>) -> Query<Value?>
  ) -> Double? {
    reported(nil) { try fetchAverage(of: values) }
  }

  /// Returns the mean of the optional values at a path, or `nil` if there are no values.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage<Value: AggregatableNumber>(
    of values: (Query<Element>) -> Query<Value?>
  ) throws -> Double? {
    try average(of: AggregatedValues(values))
  }
}
