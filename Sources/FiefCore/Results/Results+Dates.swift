import Foundation

/// The mean of dates, as a date: the mean of their times in seconds.
///
/// Objects whose property is nil are ignored. If one of the dates is NaN, the mean is NaN.
extension Results {
  /// Returns the mean of a date, or `nil` if there are no objects.
  ///
  /// ```swift
  /// let middle = visits.average(of: \.startedAt)
  /// ```
  /// If the average cannot be computed, it is `nil`, and the store's event handler receives the error. The
  /// `fetch…` method throws instead.
  public func average(of keyPath: KeyPath<Element, Date>) -> Date? {
    reported(nil) { try fetchAverage(of: keyPath) }
  }

  /// Returns the mean of an optional date, or `nil` if no object has a value.
  public func average(of keyPath: KeyPath<Element, Date?>) -> Date? {
    reported(nil) { try fetchAverage(of: keyPath) }
  }

  /// Returns the mean of the dates at a path, or `nil` if there are no values.
  public func average(of values: (Query<Element>) -> Query<Date>) -> Date? {
    reported(nil) { try fetchAverage(of: values) }
  }

  /// Returns the mean of a date, or `nil` if there are no objects.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage(of keyPath: KeyPath<Element, Date>) throws -> Date? {
    try averageDate(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// Returns the mean of an optional date, or `nil` if no object has a value.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage(of keyPath: KeyPath<Element, Date?>) throws -> Date? {
    try averageDate(of: AggregatedValues(QueryPath.of(keyPath)))
  }

  /// Returns the mean of the dates at a path, or `nil` if there are no values.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchAverage(of values: (Query<Element>) -> Query<Date>) throws -> Date? {
    try averageDate(of: AggregatedValues(values))
  }
}

extension ObjectCollection {
  /// Returns the mean of a date, or `nil` if there are no objects.
  public func average(of keyPath: KeyPath<Member, Date>) -> Date? { results.average(of: keyPath) }

  /// Returns the mean of an optional date, or `nil` if no object has a value.
  public func average(of keyPath: KeyPath<Member, Date?>) -> Date? { results.average(of: keyPath) }
}
