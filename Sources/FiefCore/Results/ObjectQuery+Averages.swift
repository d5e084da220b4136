import Foundation

extension ObjectQuery {
  /// Returns the mean of a property, or `nil` if no object has a value. The mean of numbers is a `Double`,
  /// the mean of dates a `Date`.
  ///
  /// ```swift
  /// let middle = visits.average(of: \.startedAt)
  /// ```
  public func average<Value: Persistable>(of keyPath: KeyPath<_Queried, Value>) -> Value._Present._Mean?
  where Value._Present: _AveragedValue {
    _aggregate(_AggregateRequest(.average, keyPath)).reported(nil) { try $0.mean(of: Value._Present.self) }
  }

  /// Returns the mean of the named property, or `nil` if no object has a value.
  public func average(ofProperty property: String) -> Double? {
    _aggregate(_AggregateRequest(.average, property)).reported(nil) { try $0.fold().numberAverage() }
  }

  /// Returns the mean of a property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage<Value: Persistable>(of keyPath: KeyPath<_Queried, Value>) throws
    -> Value._Present._Mean?
  where Value._Present: _AveragedValue {
    try _aggregate(_AggregateRequest(.average, keyPath)).get { try $0.mean(of: Value._Present.self) }
  }

  /// Returns the mean of the named property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage(ofProperty property: String) throws -> Double? {
    try _aggregate(_AggregateRequest(.average, property)).get { try $0.fold().numberAverage() }
  }

  // MARK: Means of decimals as decimals

  /// Returns the mean of a decimal as a decimal, or `nil` if no object has a value.
  ///
  /// ```swift
  /// let mean: Decimal? = items.average(of: \.price)
  /// ```
  /// This method applies if the context asks for a `Decimal`. Without a type annotation the mean is a
  /// `Double`, as for all other numbers. The decimal is exact if its digits fit.
  @_disfavoredOverload
  public func average<Value: Persistable>(of keyPath: KeyPath<_Queried, Value>) -> Decimal?
  where Value._Present == Decimal {
    _aggregate(_AggregateRequest(.average, keyPath)).reported(nil) { try $0.fold().decimalAverage() }
  }

  /// Returns the mean of the named decimal or integer property as a decimal, or `nil` if no object has a
  /// value.
  @_disfavoredOverload
  public func average(ofProperty property: String) -> Decimal? {
    _aggregate(_AggregateRequest(.average, property)).reported(nil) { try $0.fold().decimalAverage() }
  }

  /// Returns the mean of a decimal as a decimal, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage<Value: Persistable>(of keyPath: KeyPath<_Queried, Value>) throws -> Decimal?
  where Value._Present == Decimal {
    try _aggregate(_AggregateRequest(.average, keyPath)).get { try $0.fold().decimalAverage() }
  }

  /// Returns the mean of the named decimal or integer property as a decimal, or `nil` if no object has a
  /// value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage(ofProperty property: String) throws -> Decimal? {
    try _aggregate(_AggregateRequest(.average, property)).get { try $0.fold().decimalAverage() }
  }
}
