import Foundation

/// Numbers and dates among values of any type, as code written for Realm asks for them; all others are left out.
extension ValueCollection where Element == AnyRealmValue {
  /// The least number; the first date where there is no number; nil where there is neither.
  public func min() -> AnyRealmValue? { AnyRealmNumbers.compared(self).least() }

  /// The greatest number; the last date where there is no number; nil where there is neither.
  public func max() -> AnyRealmValue? { AnyRealmNumbers.compared(self).greatest() }

  /// The sum of the numbers as a decimal, zero where there are none.
  ///
  /// A number that is no decimal makes the result `nan`, which is reported to the store's event handler.
  public func sum() -> AnyRealmValue { .decimal128(AnyRealmNumbers.sum(self, of: self)) }

  /// The mean of the numbers as a decimal, nil where there are none.
  ///
  /// A number that is no decimal makes the result `nan`, which is reported to the store's event handler.
  public func average() -> AnyRealmValue? { AnyRealmNumbers.mean(self, of: self).map { .decimal128($0) } }
}

extension Map where Value == AnyRealmValue {
  /// The least number; the first date where there is no number; nil where there is neither.
  public func min() -> AnyRealmValue? { AnyRealmNumbers.compared(values).least() }

  /// The greatest number; the last date where there is no number; nil where there is neither.
  public func max() -> AnyRealmValue? { AnyRealmNumbers.compared(values).greatest() }

  /// The sum of the numbers as a decimal, zero where there are none.
  ///
  /// A number that is no decimal makes the result `nan`, which is reported to the store's event handler.
  public func sum() -> AnyRealmValue { .decimal128(AnyRealmNumbers.sum(values, of: self)) }

  /// The mean of the numbers as a decimal, nil where there are none.
  ///
  /// A number that is no decimal makes the result `nan`, which is reported to the store's event handler.
  public func average() -> AnyRealmValue? { AnyRealmNumbers.mean(values, of: self).map { .decimal128($0) } }
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
        .report(FiefError(.invalidValue, "A number is out of range of the decimals that are added up."))
      return .nan
    }
  }

  /// The number with the digits that it is written with; nil where it does not fit.
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
