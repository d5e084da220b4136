import Foundation

/// The mean of decimals as a decimal: exact, where its digits fit.
///
/// A caller that asks for a `Decimal` gets it: `let mean: Decimal? = items.average(of: \.price)`. Without a
/// type the mean is a `Double`, as that of all other numbers. Objects whose property is nil do not count.
extension Results {
  /// The mean of a decimal; nil where there is nothing.
  ///
  /// An average that cannot be computed is nil, and an event of the store has the reason; the form that
  /// begins with `fetch` throws instead.
  @_disfavoredOverload
  public func average(of keyPath: KeyPath<Element, Decimal>) -> Decimal? {
    reported(nil) { try averageDecimal(of: AggregatedValues(QueryPath.of(keyPath))) }
  }

  /// The mean of an optional decimal; nil where there is nothing.
  ///
  /// An average that cannot be computed is nil, and an event of the store has the reason; the form that
  /// begins with `fetch` throws instead.
  @_disfavoredOverload
  public func average(of keyPath: KeyPath<Element, Decimal?>) -> Decimal? {
    reported(nil) { try averageDecimal(of: AggregatedValues(QueryPath.of(keyPath))) }
  }

  /// The mean of the decimals of a path; nil where there is nothing.
  ///
  /// An average that cannot be computed is nil, and an event of the store has the reason; the form that
  /// begins with `fetch` throws instead.
  @_disfavoredOverload
  public func average(of values: (Query<Element>) -> Query<Decimal>) -> Decimal? {
    reported(nil) { try averageDecimal(of: AggregatedValues(values)) }
  }

  /// The mean of the decimals of a path, which may be nil; nil where there is nothing.
  ///
  /// An average that cannot be computed is nil, and an event of the store has the reason; the form that
  /// begins with `fetch` throws instead.
  @_disfavoredOverload
  public func average(of values: (Query<Element>) -> Query<Decimal?>) -> Decimal? {
    reported(nil) { try averageDecimal(of: AggregatedValues(values)) }
  }

  /// The mean of the decimal or integer property with a name; nil where there is nothing.
  ///
  /// An average that cannot be computed is nil, and an event of the store has the reason; the form that
  /// begins with `fetch` throws instead.
  @_disfavoredOverload
  public func average(ofProperty property: String) -> Decimal? {
    reported(nil) { try averageDecimal(of: AggregatedValues(property: property)) }
  }

  /// The mean of a decimal; nil where there is nothing.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage(of keyPath: KeyPath<Element, Decimal>) throws -> Decimal? {
    try averageDecimal(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// The mean of an optional decimal; nil where there is nothing.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage(of keyPath: KeyPath<Element, Decimal?>) throws -> Decimal? {
    try averageDecimal(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// The mean of the decimals of a path; nil where there is nothing.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage(of values: (Query<Element>) -> Query<Decimal>) throws -> Decimal? {
    try averageDecimal(of: AggregatedValues(values))
  }

  /// The mean of the decimals of a path, which may be nil; nil where there is nothing.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage(of values: (Query<Element>) -> Query<Decimal?>) throws -> Decimal? {
    try averageDecimal(of: AggregatedValues(values))
  }

  /// The mean of the decimal or integer property with a name; nil where there is nothing.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  @_disfavoredOverload
  public func fetchAverage(ofProperty property: String) throws -> Decimal? {
    try averageDecimal(of: AggregatedValues(property: property))
  }
}

extension ObjectCollection {
  /// The mean of a decimal, as a decimal; nil where there is no object.
  @_disfavoredOverload
  public func average(of keyPath: KeyPath<Member, Decimal>) -> Decimal? {
    if let members = _unstoredMembers { return DecimalMean.of(members.compactMap { $0[keyPath: keyPath] }) }
    return results.average(of: keyPath)
  }

  /// The mean of an optional decimal, as a decimal; nil where there is no object.
  @_disfavoredOverload
  public func average(of keyPath: KeyPath<Member, Decimal?>) -> Decimal? {
    if let members = _unstoredMembers { return DecimalMean.of(members.compactMap { $0[keyPath: keyPath] }) }
    return results.average(of: keyPath)
  }

  /// The mean of the decimal or integer property with a name, as a decimal; nil where there is no object.
  @_disfavoredOverload
  public func average(ofProperty property: String) -> Decimal? {
    if let members = _unstoredMembers { return DecimalMean.of(members.values(property) as [Decimal]) }
    return results.average(ofProperty: property)
  }
}

extension ValueCollection where Element == Decimal {
  /// The mean of the values as a decimal, nil where there are none.
  @_disfavoredOverload
  public func average() -> Decimal? { DecimalMean.of(self) }
}

extension ValueCollection where Element == Decimal? {
  /// The mean of the values that are not nil as a decimal, nil where there are none.
  @_disfavoredOverload
  public func average() -> Decimal? { DecimalMean.of(compactMap(\.self)) }
}

extension Map {
  /// The mean of the values as a decimal, nil where there are none.
  @_disfavoredOverload
  public func average() -> Decimal? where Value == Decimal { DecimalMean.of(values) }

  /// The mean of the values that are not nil as a decimal, nil where there are none.
  @_disfavoredOverload
  public func average() -> Decimal? where Value == Decimal? { DecimalMean.of(values.compactMap(\.self)) }
}

enum DecimalMean {
  /// Elements that cannot be read are reported by their collection.
  static func of(_ values: some Sequence<Decimal>) -> Decimal? {
    var fold = RowFold(.average, kind: .decimal)
    for value in values { fold.add(.decimal(value)) }
    return try? fold.decimalAverage()
  }
}
