import Foundation

/// Aggregates of the numbers and dates in a collection of `AnyRealmValue`s, with the same results as in
/// Realm. Other values are ignored.
extension ValueAggregates where _Single == AnyRealmValue {
  /// Returns the smallest number. Without numbers it returns the earliest date, or `nil` if there are no
  /// dates.
  public func min() -> AnyRealmValue? { AnyRealmNumbers.compared(_values).least() }

  /// Returns the largest number. Without numbers it returns the latest date, or `nil` if there are no dates.
  public func max() -> AnyRealmValue? { AnyRealmNumbers.compared(_values).greatest() }

  /// Returns the sum of the numbers as a decimal, or zero if there are no numbers.
  ///
  /// If a number is not a decimal, the result is `nan` and the store's event handler receives an error.
  public func sum() -> AnyRealmValue { .decimal128(AnyRealmNumbers.sum(_values, of: self)) }

  /// Returns the mean of the numbers as a decimal, or `nil` if there are no numbers.
  ///
  /// If a number is not a decimal, the result is `nan` and the store's event handler receives an error.
  public func average() -> AnyRealmValue? { AnyRealmNumbers.mean(_values, of: self).map { .decimal128($0) } }
}

private enum AnyRealmNumbers {
  static func compared(_ values: some Sequence<AnyRealmValue>) -> [AnyRealmValue] {
    let all = Array(values)
    let numbers = all.filter { isNumber($0) }
    return numbers.isEmpty ? all.filter { $0.dateValue != nil } : numbers
  }

  static func sum(_ values: some Sequence<AnyRealmValue>, of collection: Any) -> Decimal {
    decimals(values, of: collection).reduce(0, +)
  }

  static func mean(_ values: some Sequence<AnyRealmValue>, of collection: Any) -> Decimal? {
    DecimalMean.of(decimals(values, of: collection))
  }

  private static func isNumber(_ value: AnyRealmValue) -> Bool {
    switch value {
    case .int, .float, .double, .decimal128: true
    default: false
    }
  }

  private static func decimals(_ values: some Sequence<AnyRealmValue>, of collection: Any) -> [Decimal] {
    values.filter { isNumber($0) }.map { value in
      if let decimal = decimal(value) { return decimal }
      (collection as? OwnedCollection)?
        .report(FiefError(.invalidValue, "A number is out of range for a sum of decimals."))
      return .nan
    }
  }

  /// Returns the number, with the digits of its decimal notation; `nil` if it does not fit.
  private static func decimal(_ value: AnyRealmValue) -> Decimal? {
    switch value {
    case .int(let value): Decimal(value)
    case .float(let value): Decimal(written: "\(value)")
    case .double(let value): Decimal(written: "\(value)")
    case .decimal128(let value): value
    default: nil
    }
  }
}
