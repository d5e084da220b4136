import Foundation

/// The mean of dates, which is a date: that of as many seconds as all have, divided by their number.
///
/// Objects whose property is nil do not count. A date that is not a number makes the mean the same.
extension Results {
  /// The mean of a date, nil where there is no object.
  ///
  /// ```swift
  /// let middle = visits.average(of: \.startedAt)
  /// ```
  /// An average that cannot be computed is nil, and an event of the store has the reason; the form that
  /// begins with `fetch` throws instead.
  public func average(of keyPath: KeyPath<Element, Date>) -> Date? {
    reported(nil) { try fetchAverage(of: keyPath) }
  }

  /// The mean of an optional date, nil where there is no object.
  public func average(of keyPath: KeyPath<Element, Date?>) -> Date? {
    reported(nil) { try fetchAverage(of: keyPath) }
  }

  /// The mean of the dates of a path; nil where there is nothing.
  public func average(of values: (Query<Element>) -> Query<Date>) -> Date? {
    reported(nil) { try fetchAverage(of: values) }
  }

  /// The mean of a date, nil where there is no object.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage(of keyPath: KeyPath<Element, Date>) throws -> Date? {
    try averageDate(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// The mean of an optional date, nil where there is no object.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage(of keyPath: KeyPath<Element, Date?>) throws -> Date? {
    try averageDate(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// The mean of the dates of a path; nil where there is nothing.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage(of values: (Query<Element>) -> Query<Date>) throws -> Date? {
    try averageDate(of: AggregatedValues(values))
  }
}

extension ObjectCollection {
  /// The mean of a date; nil where there is no object.
  public func average(of keyPath: KeyPath<Member, Date>) -> Date? { results.average(of: keyPath) }

  /// The mean of an optional date; nil where there is no object.
  public func average(of keyPath: KeyPath<Member, Date?>) -> Date? { results.average(of: keyPath) }
}
