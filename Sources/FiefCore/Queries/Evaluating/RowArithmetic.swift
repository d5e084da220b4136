import Foundation

/// Arithmetic with values of rows. Integers have 128 bits, and floating-point numbers follow Swift's rules.
/// If one of the operands is a decimal, the result is a decimal. Operands that are not numbers, an overflow,
/// and a division of integers or decimals by zero result in nil.
enum RowArithmetic {
  static func value(_ first: RowValue, _ operation: QueryArithmetic, _ second: RowValue) -> RowValue {
    switch (first, second) {
    case (.integer(let first), .integer(let second)): integer(first, operation, second)
    case (.double(let first), .double(let second)): double(first, operation, second)
    case (.integer(let first), .double(let second)): double(Double(first), operation, second)
    case (.double(let first), .integer(let second)): double(first, operation, Double(second))
    case (.decimal, _), (_, .decimal):
      if let first = ExactNumbers.rounded(first), let second = ExactNumbers.rounded(second) {
        decimal(first, operation, second)
      } else {
        .null
      }
    default: .null
    }
  }

  static func negative(_ value: RowValue) -> RowValue {
    switch value {
    case .integer(let value): integer(0, .subtract, value)
    case .double(let value): .double(-value)
    case .decimal(let value): .decimal(value.isNaN ? value : -value)
    default: .null
    }
  }

  private static func integer(_ first: Int128, _ operation: QueryArithmetic, _ second: Int128) -> RowValue {
    let (result, isInvalid) =
      switch operation {
      case .add: first.addingReportingOverflow(second)
      case .subtract: first.subtractingReportingOverflow(second)
      case .multiply: first.multipliedReportingOverflow(by: second)
      case .divide: first.dividedReportingOverflow(by: second)
      case .remainder: first.remainderReportingOverflow(dividingBy: second)
      }
    return isInvalid ? .null : .integer(result)
  }

  private static func double(_ first: Double, _ operation: QueryArithmetic, _ second: Double) -> RowValue {
    switch operation {
    case .add: .double(first + second)
    case .subtract: .double(first - second)
    case .multiply: .double(first * second)
    case .divide: .double(first / second)
    case .remainder: .double(first.truncatingRemainder(dividingBy: second))
    }
  }

  private static func decimal(_ first: Decimal, _ operation: QueryArithmetic, _ second: Decimal) -> RowValue {
    if first.isNaN || second.isNaN { return .decimal(.nan) }
    let result: Decimal
    switch operation {
    case .add: result = first + second
    case .subtract: result = first - second
    case .multiply: result = product(first, second)
    case .divide:
      if second.isZero { return .null }
      result = first / second
    case .remainder:
      if second.isZero { return .null }
      result = remainder(first, second)
    }
    // `Decimal` reports an overflow as NaN.
    return result.isNaN ? .null : .decimal(result)
  }

  /// Returns the product, rounded if it has more fraction digits than a decimal can hold.
  ///
  /// Foundation's multiplication terminates the process if the exponent falls below the minimum.
  private static func product(_ first: Decimal, _ second: Decimal) -> Decimal {
    let missing = leastExponent - (first.exponent + second.exponent)
    if missing <= 0 || first.isZero || second.isZero { return first * second }
    // The number with the lower exponent can take up the missing digits.
    let (low, other) = first.exponent < second.exponent ? (first, second) : (second, first)
    let raised = Decimal(sign: .plus, exponent: missing, significand: low)
    var shifted = raised * other
    var rounded = Decimal()
    NSDecimalRound(&rounded, &shifted, -leastExponent - missing, .plain)
    return rounded.isZero ? 0 : Decimal(sign: .plus, exponent: -missing, significand: rounded)
  }

  private static let leastExponent = -128

  private static func remainder(_ first: Decimal, _ second: Decimal) -> Decimal {
    var quotient = first / second
    var whole = Decimal()
    NSDecimalRound(&whole, &quotient, 0, quotient < 0 ? .up : .down)
    return first - whole * second
  }
}

extension ExactNumbers {
  /// Returns a number as a decimal with as many digits as fit, or `nil` if the value is not a number or is
  /// infinite.
  static func rounded(_ value: RowValue) -> Decimal? {
    switch value {
    case .decimal(let value): value
    case .integer(let value):
      encode(value).withUnsafeBytes { DecimalCoding.decode($0) }
    case .double(let value): rounded(value)
    default: nil
    }
  }

  private static func rounded(_ value: Double) -> Decimal? {
    if value.isInfinite { return nil }
    let decimal = written(value) ?? Decimal(value)
    // Foundation also returns NaN for a number that is too small for a decimal.
    guard decimal.isNaN, !value.isNaN else { return decimal }
    return value.magnitude < 1 ? 0 : nil
  }
}
