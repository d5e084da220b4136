import Foundation

/// The mean of decimals as a decimal, which is exact if its digits fit.
///
/// These methods apply if the context asks for a `Decimal`:
/// `let mean: Decimal? = items.average(of: \.price)`. Without a type annotation the mean is a `Double`, as
/// for all other numbers. Objects whose property is nil are ignored.
extension Results {
  /// Returns the mean of a decimal, or `nil` if there are no objects.
  ///
  /// If the average cannot be computed, it is `nil`, and the store's event handler receives the error. The
  /// `fetch…` method throws instead.
  @_disfavoredOverload
  public func average(of keyPath: KeyPath<Element, Decimal>) -> Decimal? {
    reported(nil) { try averageDecimal(of: AggregatedValues(QueryPath.of(keyPath))) }
  }

  /// Returns the mean of an optional decimal, or `nil` if no object has a value.
  ///
  /// If the average cannot be computed, it is `nil`, and the store's event handler receives the error. The
  /// `fetch…` method throws instead.
  @_disfavoredOverload
  public func average(of keyPath: KeyPath<Element, Decimal?>) -> Decimal? {
    reported(nil) { try averageDecimal(of: AggregatedValues(QueryPath.of(keyPath))) }
  }

  /// Returns the mean of the decimals at a path, or `nil` if there are no values.
  ///
  /// If the average cannot be computed, it is `nil`, and the store's event handler receives the error. The
  /// `fetch…` method throws instead.
  @_disfavoredOverload
  public func average(of values: (Query<Element>) -> Query<Decimal>) -> Decimal? {
    reported(nil) { try averageDecimal(of: AggregatedValues(values)) }
  }

  /// Returns the mean of the optional decimals at a path, or `nil` if there are no values.
  ///
  /// If the average cannot be computed, it is `nil`, and the store's event handler receives the error. The
  /// `fetch…` method throws instead.
  @_disfavoredOverload
  public func average(of values: (Query<Element>) -> Query<Decimal?>) -> Decimal? {
    reported(nil) { try averageDecimal(of: AggregatedValues(values)) }
  }

  /// Returns the mean of the named decimal or integer property, or `nil` if no object has a value.
  ///
  /// If the average cannot be computed, it is `nil`, and the store's event handler receives the error. The
  /// `fetch…` method throws instead.
  @_disfavoredOverload
  public func average(ofProperty property: String) -> Decimal? {
    reported(nil) { try averageDecimal(of: AggregatedValues(property: property)) }
  }

  /// Returns the mean of a decimal, or `nil` if there are no objects.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage(of keyPath: KeyPath<Element, Decimal>) throws -> Decimal? {
    try averageDecimal(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// Returns the mean of an optional decimal, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage(of keyPath: KeyPath<Element, Decimal?>) throws -> Decimal? {
    try averageDecimal(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// Returns the mean of the decimals at a path, or `nil` if there are no values.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage(of values: (Query<Element>) -> Query<Decimal>) throws -> Decimal? {
    try averageDecimal(of: AggregatedValues(values))
  }

  /// Returns the mean of the optional decimals at a path, or `nil` if there are no values.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage(of values: (Query<Element>) -> Query<Decimal?>) throws -> Decimal? {
    try averageDecimal(of: AggregatedValues(values))
  }

  /// Returns the mean of the named decimal or integer property, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage(ofProperty property: String) throws -> Decimal? {
    try averageDecimal(of: AggregatedValues(property: property))
  }
}

extension ObjectCollection {
  /// Returns the mean of a decimal as a decimal, or `nil` if there are no objects.
  @_disfavoredOverload
  public func average(of keyPath: KeyPath<Member, Decimal>) -> Decimal? {
    if let members = _unstoredMembers { return DecimalMean.of(members.compactMap { $0[keyPath: keyPath] }) }
    return results.average(of: keyPath)
  }

  /// Returns the mean of an optional decimal as a decimal, or `nil` if no object has a value.
  @_disfavoredOverload
  public func average(of keyPath: KeyPath<Member, Decimal?>) -> Decimal? {
    if let members = _unstoredMembers { return DecimalMean.of(members.compactMap { $0[keyPath: keyPath] }) }
    return results.average(of: keyPath)
  }

  /// Returns the mean of the named decimal or integer property, as a decimal.
  @_disfavoredOverload
  public func average(ofProperty property: String) -> Decimal? {
    if let members = _unstoredMembers { return DecimalMean.of(members.values(property) as [Decimal]) }
    return results.average(ofProperty: property)
  }
}

extension ValueCollection where Element == Decimal {
  /// Returns the mean of the values as a decimal, or `nil` if there are no values.
  @_disfavoredOverload
  public func average() -> Decimal? { DecimalMean.of(self) }
}

extension ValueCollection where Element == Decimal? {
  /// Returns the mean, as a decimal, of the values that are not nil; `nil` if there are none.
  @_disfavoredOverload
  public func average() -> Decimal? { DecimalMean.of(compactMap(\.self)) }
}

extension Map {
  /// Returns the mean of the values as a decimal, or `nil` if there are no values.
  @_disfavoredOverload
  public func average() -> Decimal? where Value == Decimal { DecimalMean.of(values) }

  /// Returns the mean, as a decimal, of the values that are not nil; `nil` if there are none.
  @_disfavoredOverload
  public func average() -> Decimal? where Value == Decimal? { DecimalMean.of(values.compactMap(\.self)) }
}

enum DecimalMean {
  /// Returns the mean of the values as a decimal, or `nil` if there are no values. The caller's collection
  /// reports elements that cannot be read.
  static func of(_ values: some Sequence<Decimal>) -> Decimal? {
    var fold = RowFold(.average, kind: .decimal)
    for value in values { fold.add(.decimal(value)) }
    return try? fold.decimalAverage()
  }
}
