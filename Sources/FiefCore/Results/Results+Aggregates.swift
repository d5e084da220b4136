/// Aggregates of a property over all objects of the results: no object is made, and only the columns are
/// read. Where an index of the property answers the condition too, its entries are read and no records, as
/// ``Results/explain(_:)`` says; only the object with the least or the greatest value is looked at, and another value
/// in it is an error. Entries have no checksum: damage to one can change a sum or an average, which
/// ``DatabaseConfigurable/check()`` finds. The rounding of a sum of floating-point numbers depends on the access path.
///
/// Objects whose property is nil do not count. Numbers and dates that are not a number are left out of the
/// least and the greatest value, and make a sum and an average not a number. Integers are added exactly;
/// decimals with 38 digits, so that sums of numbers of very different size are rounded.
extension Results {
  // MARK: The least value

  /// The least value of a property, nil where there is none.
  ///
  /// ```swift
  /// let least = people.min(of: \.age)
  /// ```
  /// A value that cannot be computed is nil, and the event handler of the store gets the error; the form that
  /// begins with `fetch` throws instead.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) -> Value? {
    reported(nil) { try fetchMin(of: keyPath) }
  }

  /// The least value of an optional property, nil where there is none.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value?>) -> Value? {
    reported(nil) { try fetchMin(of: keyPath) }
  }

  /// The least value of the property with a name, nil where there is none.
  ///
  /// ```swift
  /// let least: Int? = people.min(ofProperty: "age")
  /// ```
  public func min<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    reported(nil) { try fetchMin(ofProperty: property) }
  }

  /// The least value of a property, nil where there is none.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMin<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) throws
    -> Value?
  { try extreme(of: AggregatedValues(QueryPath.of(keyPath)), .minimum) }

  /// The least value of an optional property, nil where there is none.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMin<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value?>) throws
    -> Value?
  { try extreme(of: AggregatedValues(QueryPath.of(keyPath)), .minimum) }

  /// The least value of the property with a name, nil where there is none.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMin<Value: Persistable & RealmCollectionValue>(ofProperty property: String) throws
    -> Value?
  {
    try extreme(of: AggregatedValues(property: property), .minimum)
  }

  // MARK: The greatest value

  /// The greatest value of a property, nil where there is none.
  ///
  /// ```swift
  /// let greatest = people.max(of: \.age)
  /// ```
  /// A value that cannot be computed is nil, and the event handler of the store gets the error; the form that
  /// begins with `fetch` throws instead.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) -> Value? {
    reported(nil) { try fetchMax(of: keyPath) }
  }

  /// The greatest value of an optional property, nil where there is none.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value?>) -> Value? {
    reported(nil) { try fetchMax(of: keyPath) }
  }

  /// The greatest value of the property with a name, nil where there is none.
  ///
  /// ```swift
  /// let greatest: Int? = people.max(ofProperty: "age")
  /// ```
  public func max<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    reported(nil) { try fetchMax(ofProperty: property) }
  }

  /// The greatest value of a property, nil where there is none.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMax<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) throws
    -> Value?
  { try extreme(of: AggregatedValues(QueryPath.of(keyPath)), .maximum) }

  /// The greatest value of an optional property, nil where there is none.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMax<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value?>) throws
    -> Value?
  { try extreme(of: AggregatedValues(QueryPath.of(keyPath)), .maximum) }

  /// The greatest value of the property with a name, nil where there is none.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMax<Value: Persistable & RealmCollectionValue>(ofProperty property: String) throws
    -> Value?
  {
    try extreme(of: AggregatedValues(property: property), .maximum)
  }

  // MARK: Sums and averages

  /// The sum of a property, zero where there is no object.
  ///
  /// ```swift
  /// let pages = books.where { $0.author.name == "Ann" }.sum(of: \.pages)
  /// ```
  /// A sum that cannot be computed, also because it does not fit the type of the property, is zero, and the
  /// event handler of the store gets the error; the form that begins with `fetch` throws instead.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) -> Value {
    reported(Value._defaultValue()) { try fetchSum(of: keyPath) }
  }

  /// The sum of an optional property, zero where there is no object.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value?>) -> Value {
    reported(Value._defaultValue()) { try fetchSum(of: keyPath) }
  }

  /// The sum of the property with a name, zero where there is no object.
  ///
  /// ```swift
  /// let pages: Int = books.sum(ofProperty: "pages")
  /// ```
  public func sum<Value: AggregatableNumber>(ofProperty property: String) -> Value {
    reported(Value._defaultValue()) { try fetchSum(ofProperty: property) }
  }

  /// The sum of a property, zero where there is no object.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` where the sum does not fit the type; also for a closed store, a
  ///   damaged record, or a query that cannot be answered.
  public func fetchSum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) throws -> Value {
    try sum(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// The sum of an optional property, zero where there is no object.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` where the sum does not fit the type; also for a closed store, a
  ///   damaged record, or a query that cannot be answered.
  public func fetchSum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value?>) throws -> Value {
    try sum(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// The sum of the property with a name, zero where there is no object.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` where the sum does not fit the type; also for a closed store, a
  ///   damaged record, or a query that cannot be answered.
  public func fetchSum<Value: AggregatableNumber>(ofProperty property: String) throws -> Value {
    try sum(of: AggregatedValues(property: property))
  }

  /// The mean of a property, nil where there is no object.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) -> Double? {
    reported(nil) { try fetchAverage(of: keyPath) }
  }

  /// The mean of an optional property, nil where there is no object.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value?>) -> Double? {
    reported(nil) { try fetchAverage(of: keyPath) }
  }

  /// The mean of the property with a name, nil where there is no object.
  public func average(ofProperty property: String) -> Double? {
    reported(nil) { try fetchAverage(ofProperty: property) }
  }

  /// The mean of a property, nil where there is no object.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) throws -> Double? {
    try average(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// The mean of an optional property, nil where there is no object.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value?>) throws -> Double?
  {
    try average(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// The mean of the property with a name, nil where there is no object.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage(ofProperty property: String) throws -> Double? {
    try average(of: AggregatedValues(property: property))
  }
}
