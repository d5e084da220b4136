/// Aggregates of a property over all objects of the results. They create no objects and read only the needed
/// columns.
///
/// If an index contains the property and answers the condition, Fief reads index entries instead of records;
/// ``Results/explain(_:)`` shows whether it does. For a minimum or a maximum, it then reads only the object
/// with this value, and throws if the object has a different value. Index entries have no checksum, so a
/// damaged entry can change a sum or an average; ``DatabaseConfigurable/check()`` finds such damage. The
/// rounding of a sum of floating-point numbers depends on the access path.
///
/// Objects whose property is nil are ignored. A minimum or a maximum ignores NaN values, but a single NaN
/// value makes a sum or an average NaN; this also applies to dates. Integers are added exactly. Decimals are
/// added with 38 digits, so sums of numbers of very different size are rounded.
extension Results {
  // MARK: The least value

  /// Returns the minimum value of a property, or `nil` if there are no objects.
  ///
  /// ```swift
  /// let least = people.min(of: \.age)
  /// ```
  /// If the value cannot be computed, it is `nil`, and the store's event handler receives the error. The
  /// `fetch…` method throws instead.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) -> Value? {
    reported(nil) { try fetchMin(of: keyPath) }
  }

  /// Returns the minimum value of an optional property, or `nil` if no object has a value.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value?>) -> Value? {
    reported(nil) { try fetchMin(of: keyPath) }
  }

  /// Returns the minimum value of the named property, or `nil` if no object has a value.
  ///
  /// ```swift
  /// let least: Int? = people.min(ofProperty: "age")
  /// ```
  public func min<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    reported(nil) { try fetchMin(ofProperty: property) }
  }

  /// Returns the minimum value of a property, or `nil` if there are no objects.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMin<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) throws
    -> Value?
  { try extreme(of: AggregatedValues(QueryPath.of(keyPath)), .minimum) }

  /// Returns the minimum value of an optional property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMin<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value?>) throws
    -> Value?
  { try extreme(of: AggregatedValues(QueryPath.of(keyPath)), .minimum) }

  /// Returns the minimum value of the named property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMin<Value: Persistable & RealmCollectionValue>(ofProperty property: String) throws
    -> Value?
  {
    try extreme(of: AggregatedValues(property: property), .minimum)
  }

  // MARK: The greatest value

  /// Returns the maximum value of a property, or `nil` if there are no objects.
  ///
  /// ```swift
  /// let greatest = people.max(of: \.age)
  /// ```
  /// If the value cannot be computed, it is `nil`, and the store's event handler receives the error. The
  /// `fetch…` method throws instead.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) -> Value? {
    reported(nil) { try fetchMax(of: keyPath) }
  }

  /// Returns the maximum value of an optional property, or `nil` if no object has a value.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value?>) -> Value? {
    reported(nil) { try fetchMax(of: keyPath) }
  }

  /// Returns the maximum value of the named property, or `nil` if no object has a value.
  ///
  /// ```swift
  /// let greatest: Int? = people.max(ofProperty: "age")
  /// ```
  public func max<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    reported(nil) { try fetchMax(ofProperty: property) }
  }

  /// Returns the maximum value of a property, or `nil` if there are no objects.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMax<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) throws
    -> Value?
  { try extreme(of: AggregatedValues(QueryPath.of(keyPath)), .maximum) }

  /// Returns the maximum value of an optional property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMax<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value?>) throws
    -> Value?
  { try extreme(of: AggregatedValues(QueryPath.of(keyPath)), .maximum) }

  /// Returns the maximum value of the named property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMax<Value: Persistable & RealmCollectionValue>(ofProperty property: String) throws
    -> Value?
  {
    try extreme(of: AggregatedValues(property: property), .maximum)
  }

  // MARK: Sums and averages

  /// Returns the sum of a property, or zero if there are no objects.
  ///
  /// ```swift
  /// let pages = books.where { $0.author.name == "Ann" }.sum(of: \.pages)
  /// ```
  /// If the sum cannot be computed, for example because it does not fit the type of the property, it is zero,
  /// and the store's event handler receives the error. The `fetch…` method throws instead.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) -> Value {
    reported(Value._defaultValue()) { try fetchSum(of: keyPath) }
  }

  /// Returns the sum of an optional property, or zero if no object has a value.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value?>) -> Value {
    reported(Value._defaultValue()) { try fetchSum(of: keyPath) }
  }

  /// Returns the sum of the named property, or zero if no object has a value.
  ///
  /// ```swift
  /// let pages: Int = books.sum(ofProperty: "pages")
  /// ```
  public func sum<Value: AggregatableNumber>(ofProperty property: String) -> Value {
    reported(Value._defaultValue()) { try fetchSum(ofProperty: property) }
  }

  /// Returns the sum of a property, or zero if there are no objects.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type; also for a closed
  ///   store, a damaged record, or a query that cannot be answered.
  public func fetchSum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) throws -> Value {
    try sum(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// Returns the sum of an optional property, or zero if no object has a value.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type; also for a closed
  ///   store, a damaged record, or a query that cannot be answered.
  public func fetchSum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value?>) throws -> Value {
    try sum(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// Returns the sum of the named property, or zero if no object has a value.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type; also for a closed
  ///   store, a damaged record, or a query that cannot be answered.
  public func fetchSum<Value: AggregatableNumber>(ofProperty property: String) throws -> Value {
    try sum(of: AggregatedValues(property: property))
  }

  /// Returns the mean of a property, or `nil` if there are no objects.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) -> Double? {
    reported(nil) { try fetchAverage(of: keyPath) }
  }

  /// Returns the mean of an optional property, or `nil` if no object has a value.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value?>) -> Double? {
    reported(nil) { try fetchAverage(of: keyPath) }
  }

  /// Returns the mean of the named property, or `nil` if no object has a value.
  public func average(ofProperty property: String) -> Double? {
    reported(nil) { try fetchAverage(ofProperty: property) }
  }

  /// Returns the mean of a property, or `nil` if there are no objects.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) throws -> Double? {
    try average(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// Returns the mean of an optional property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value?>) throws -> Double?
  {
    try average(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// Returns the mean of the named property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage(ofProperty property: String) throws -> Double? {
    try average(of: AggregatedValues(property: property))
  }
}
