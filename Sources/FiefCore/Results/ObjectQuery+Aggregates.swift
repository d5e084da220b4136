/// Aggregates of one property, which may be optional, and may be reached through links to one object. They
/// create no objects and read only the needed columns. ``Results`` also aggregates paths through collections.
///
/// Objects whose property is nil are ignored. A minimum or a maximum ignores NaN values, but a single NaN
/// value makes a sum or an average NaN; this also applies to dates. Integers are added exactly. Decimals are
/// added with 38 digits, so sums of numbers of very different size are rounded.
///
/// If an index contains the property and answers the condition, Fief reads index entries instead of records;
/// ``Results/explain(_:)`` shows whether it does. For a minimum or a maximum, it then reads only the object
/// with this value, and throws if the object has a different value. Index entries have no checksum, so a
/// damaged entry can change a sum or an average; ``DatabaseConfigurable/check()`` finds such damage. The
/// rounding of a sum of floating-point numbers depends on the access path.
///
/// If an aggregate cannot be computed, it is zero or `nil`, and the store's event handler receives the error.
/// The `fetch…` methods throw instead.
extension ObjectQuery {
  // MARK: Extremes

  /// Returns the minimum value of a property, or `nil` if no object has a value.
  ///
  /// ```swift
  /// let least = people.min(of: \.age)
  /// ```
  public func min<Value: Persistable>(of keyPath: KeyPath<_Queried, Value>) -> Value._Present?
  where Value._Present: Persistable & RealmCollectionValue {
    _aggregate(_AggregateRequest(.minimum, keyPath)).reported(nil) { try $0.extreme() }
  }

  /// Returns the minimum value of a property, or `nil` if no object has a value.
  ///
  /// A generic function whose type parameter is the type of the property returns this result as `Value?`.
  @_disfavoredOverload
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<_Queried, Value>) -> Value? {
    _aggregate(_AggregateRequest(.minimum, keyPath)).reported(nil) { try $0.extreme() }
  }

  /// Returns the minimum value of the named property, or `nil` if no object has a value.
  ///
  /// ```swift
  /// let least: Int? = people.min(ofProperty: "age")
  /// ```
  public func min<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    _aggregate(_AggregateRequest(.minimum, property)).reported(nil) { try $0.extreme() }
  }

  /// Returns the minimum value of a property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMin<Value: Persistable>(of keyPath: KeyPath<_Queried, Value>) throws -> Value._Present?
  where Value._Present: Persistable & RealmCollectionValue {
    try _aggregate(_AggregateRequest(.minimum, keyPath)).get { try $0.extreme() }
  }

  /// Returns the minimum value of the named property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMin<Value: Persistable & RealmCollectionValue>(ofProperty property: String) throws
    -> Value?
  {
    try _aggregate(_AggregateRequest(.minimum, property)).get { try $0.extreme() }
  }

  /// Returns the maximum value of a property, or `nil` if no object has a value.
  ///
  /// ```swift
  /// let greatest = people.max(of: \.age)
  /// ```
  public func max<Value: Persistable>(of keyPath: KeyPath<_Queried, Value>) -> Value._Present?
  where Value._Present: Persistable & RealmCollectionValue {
    _aggregate(_AggregateRequest(.maximum, keyPath)).reported(nil) { try $0.extreme() }
  }

  /// Returns the maximum value of a property, or `nil` if no object has a value.
  ///
  /// A generic function whose type parameter is the type of the property returns this result as `Value?`.
  @_disfavoredOverload
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<_Queried, Value>) -> Value? {
    _aggregate(_AggregateRequest(.maximum, keyPath)).reported(nil) { try $0.extreme() }
  }

  /// Returns the maximum value of the named property, or `nil` if no object has a value.
  ///
  /// ```swift
  /// let greatest: Int? = people.max(ofProperty: "age")
  /// ```
  public func max<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    _aggregate(_AggregateRequest(.maximum, property)).reported(nil) { try $0.extreme() }
  }

  /// Returns the maximum value of a property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMax<Value: Persistable>(of keyPath: KeyPath<_Queried, Value>) throws -> Value._Present?
  where Value._Present: Persistable & RealmCollectionValue {
    try _aggregate(_AggregateRequest(.maximum, keyPath)).get { try $0.extreme() }
  }

  /// Returns the maximum value of the named property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchMax<Value: Persistable & RealmCollectionValue>(ofProperty property: String) throws
    -> Value?
  {
    try _aggregate(_AggregateRequest(.maximum, property)).get { try $0.extreme() }
  }

  // MARK: Sums

  /// Returns the sum of a property, or zero if no object has a value. An object that is in a list twice
  /// counts twice.
  ///
  /// The sum is also zero if it does not fit the type of the property.
  public func sum<Value: Persistable>(of keyPath: KeyPath<_Queried, Value>) -> Value._Present
  where Value._Present: AggregatableNumber {
    _aggregate(_AggregateRequest(.sum, keyPath)).reported(Value._Present._defaultValue()) { try $0.sum() }
  }

  /// Returns the sum of the named property, or zero if no object has a value.
  ///
  /// ```swift
  /// let pages: Int = books.sum(ofProperty: "pages")
  /// ```
  public func sum<Value: AggregatableNumber>(ofProperty property: String) -> Value {
    _aggregate(_AggregateRequest(.sum, property)).reported(Value._defaultValue()) { try $0.sum() }
  }

  /// Returns the sum of a property, or zero if no object has a value.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type; also for a closed
  ///   store, a damaged record, or a query that cannot be answered.
  public func fetchSum<Value: Persistable>(of keyPath: KeyPath<_Queried, Value>) throws -> Value._Present
  where Value._Present: AggregatableNumber {
    try _aggregate(_AggregateRequest(.sum, keyPath)).get { try $0.sum() }
  }

  /// Returns the sum of the named property, or zero if no object has a value.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type; also for a closed
  ///   store, a damaged record, or a query that cannot be answered.
  public func fetchSum<Value: AggregatableNumber>(ofProperty property: String) throws -> Value {
    try _aggregate(_AggregateRequest(.sum, property)).get { try $0.sum() }
  }
}
