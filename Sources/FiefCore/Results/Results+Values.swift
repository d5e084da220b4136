/// Aggregates of a path through collections: of the values of all elements of all objects, each as often as
/// it is there.
///
/// ```swift
/// let years = owners.where { $0.city == "Turku" }.sum(of: \.dogs.age)
/// let oldest = owners.max { $0.dogs.age }
/// let most = owners.max(of: \.dogs.age.sum)
/// ```
/// A closure of a ``Query`` gives the path, as in ``Results/where(_:)``. No object is made: the keys in the
/// records are looked up many at a time, in their order. Elements that are gone, and values that are nil, do
/// not count.
extension Results {
  // MARK: Numbers of values

  /// The number of values that are not nil.
  ///
  /// ```swift
  /// let dogs = owners.count(of: \.dogs)
  /// ```
  /// Elements of a collection of objects count as in its own `count`, with those that are gone. A count that
  /// cannot be determined is 0, and the event handler of the store gets the error; the form that begins with
  /// `fetch` throws instead.
  @_disfavoredOverload  // A closure behind `count` that compares is the standard library's `count(where:)`.
  public func count<Value>(of values: (Query<Element>) -> Query<Value>) -> Int {
    reported(0) { try fetchCount(of: values) }
  }

  /// The number of values that are not nil.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchCount<Value>(of values: (Query<Element>) -> Query<Value>) throws -> Int {
    try count(of: AggregatedValues(values))
  }

  /// The number of values that are not nil, of the property with a name.
  ///
  /// ```swift
  /// let dogs = owners.count(ofProperty: "dogs")
  /// ```
  public func count(ofProperty property: String) -> Int {
    reported(0) { try fetchCount(ofProperty: property) }
  }

  /// The number of values that are not nil, of the property with a name.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchCount(ofProperty property: String) throws -> Int {
    try count(of: AggregatedValues(property: property))
  }

  // MARK: The least value

  /// The least value of a path; nil where there is none.
  public func min<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value>
  ) -> Value? {
    reported(nil) { try fetchMin(of: values) }
  }

  /// The least value of a path; nil where there is none.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMin<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value>
  ) throws -> Value? {
    try extreme(of: AggregatedValues(values), .minimum)
  }

  /// The least value of a path, which may be nil; nil where there is none.
  public func min<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value?>
  ) -> Value? {
    reported(nil) { try fetchMin(of: values) }
  }

  /// The least value of a path, which may be nil; nil where there is none.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMin<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value?>
  ) throws -> Value? {
    try extreme(of: AggregatedValues(values), .minimum)
  }

  // MARK: The greatest value

  /// The greatest value of a path; nil where there is none.
  public func max<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value>
  ) -> Value? {
    reported(nil) { try fetchMax(of: values) }
  }

  /// The greatest value of a path; nil where there is none.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMax<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value>
  ) throws -> Value? {
    try extreme(of: AggregatedValues(values), .maximum)
  }

  /// The greatest value of a path, which may be nil; nil where there is none.
  public func max<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value?>
  ) -> Value? {
    reported(nil) { try fetchMax(of: values) }
  }

  /// The greatest value of a path, which may be nil; nil where there is none.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMax<Value: Persistable & RealmCollectionValue>(
    of values: (Query<Element>) -> Query<Value?>
  ) throws -> Value? {
    try extreme(of: AggregatedValues(values), .maximum)
  }

  // MARK: Sums and averages

  /// The sum of the values of a path; zero where there is nothing.
  public func sum<Value: AggregatableNumber>(of values: (Query<Element>) -> Query<Value>) -> Value {
    reported(Value._defaultValue()) { try fetchSum(of: values) }
  }

  /// The sum of the values of a path; zero where there is nothing.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` where the sum does not fit the type; also for a closed store, a
  ///   damaged record, or a query that cannot be answered.
  public func fetchSum<Value: AggregatableNumber>(
    of values: (Query<Element>) -> Query<Value>
  ) throws -> Value {
    try sum(of: AggregatedValues(values))
  }

  /// The mean of the values of a path; nil where there is nothing.
  public func average<Value: AggregatableNumber>(
    of values: (Query<Element>) -> Query<Value>
  ) -> Double? {
    reported(nil) { try fetchAverage(of: values) }
  }

  /// The mean of the values of a path; nil where there is nothing.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage<Value: AggregatableNumber>(
    of values: (Query<Element>) -> Query<Value>
  ) throws -> Double? {
    try average(of: AggregatedValues(values))
  }

  /// The sum of the values of a path, which may be nil; zero where there is nothing.
  public func sum<Value: AggregatableNumber>(of values: (Query<Element>) -> Query<Value?>) -> Value {
    reported(Value._defaultValue()) { try fetchSum(of: values) }
  }

  /// The sum of the values of a path, which may be nil; zero where there is nothing.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` where the sum does not fit the type; also for a closed store, a
  ///   damaged record, or a query that cannot be answered.
  public func fetchSum<Value: AggregatableNumber>(
    of values: (Query<Element>) -> Query<Value?>
  ) throws -> Value {
    try sum(of: AggregatedValues(values))
  }

  /// The mean of the values of a path, which may be nil; nil where there is nothing.
  public func average<Value: AggregatableNumber>(
    of values: (Query<Element>) -> Query<Value?>
  ) -> Double? {
    reported(nil) { try fetchAverage(of: values) }
  }

  /// The mean of the values of a path, which may be nil; nil where there is nothing.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage<Value: AggregatableNumber>(
    of values: (Query<Element>) -> Query<Value?>
  ) throws -> Double? {
    try average(of: AggregatedValues(values))
  }
}
