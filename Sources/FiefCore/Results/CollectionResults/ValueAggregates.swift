import Foundation

/// Values that can be aggregated: a ``ValueCollection``, or the values of a ``Map``. Nil does not count.
///
/// ```swift
/// let total = game.scores.sum()
/// ```
/// If an aggregate cannot be computed, for example because a sum does not fit its type, it is zero or `nil`,
/// and the store's event handler receives the error. The `fetch…` methods throw instead.
public protocol ValueAggregates {
  /// The type of the values.
  associatedtype _Single
  /// A sequence of the values.
  associatedtype _Values: Sequence<_Single>

  /// The values to aggregate.
  var _values: _Values { get }
}

extension ValueAggregates where _Single: Persistable, _Single._Present: AggregatableNumber {
  /// Returns the sum of the values, or zero if there are no values.
  public func sum() -> _Single._Present { ValueFold.reported(self) { try ValueFold.sum(_values) } }

  /// Returns the sum of the values, or zero if there are no values.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the sum does not fit the type of the values, and the
  ///   error of values that cannot be read.
  public func fetchSum() throws -> _Single._Present {
    try ValueFold.read(self) { try ValueFold.sum(_values) }
  }

  /// Returns the mean of the values, or `nil` if there are no values.
  public func average() -> Double? {
    ValueFold.reported(self) { try ValueFold.fold(.average, _values).average }
  }

  /// Returns the mean of the values, or `nil` if there are no values.
  ///
  /// - Throws: the error of values that cannot be read.
  public func fetchAverage() throws -> Double? {
    try ValueFold.read(self) { try ValueFold.fold(.average, _values).average }
  }
}

extension ValueAggregates where _Single: Persistable, _Single._Present == Decimal {
  /// Returns the mean of the values as a decimal, or `nil` if there are no values. This method applies if the
  /// context asks for a `Decimal`.
  @_disfavoredOverload
  public func average() -> Decimal? { DecimalMean.of(_values.compactMap { $0 as? Decimal }) }
}
