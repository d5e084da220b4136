extension RuleValue {
  /// Returns the sum of two numbers, or the concatenation of two texts or of a text and a number.
  ///
  /// - Throws: ``RuleFailure`` for other values.
  func adding(_ other: RuleValue) throws(RuleFailure) -> RuleValue {
    if case .string(let first) = self, let second = other.concatenated { return .string(first + second) }
    if case .string(let second) = other, let first = concatenated { return .string(first + second) }
    return try calculate(other, "+", { $0.addingReportingOverflow($1) }, { $0 + $1 })
  }

  func subtracting(_ other: RuleValue) throws(RuleFailure) -> RuleValue {
    try calculate(other, "-", { $0.subtractingReportingOverflow($1) }, { $0 - $1 })
  }

  func multiplied(by other: RuleValue) throws(RuleFailure) -> RuleValue {
    try calculate(other, "*", { $0.multipliedReportingOverflow(by: $1) }, { $0 * $1 })
  }

  /// Returns the quotient, which has a fraction unless the division is exact.
  func divided(by other: RuleValue) throws(RuleFailure) -> RuleValue {
    if other.isZero { throw RuleFailure("A number is divided by zero.") }
    return try calculate(
      other,
      "/",
      { first, second in
        let (quotient, overflows) = first.dividedReportingOverflow(by: second)
        let (product, _) = quotient.multipliedReportingOverflow(by: second)
        return (quotient, overflows || product != first)
      },
      { $0 / $1 }
    )
  }

  /// Returns the remainder, which has the sign of the dividend.
  func remainder(dividingBy other: RuleValue) throws(RuleFailure) -> RuleValue {
    if other.isZero { throw RuleFailure("A number is divided by zero.") }
    return try calculate(
      other,
      "%",
      { first, second in
        // The remainder of the least integer and -1 overflows in the processor, but is 0.
        (second == -1 ? 0 : first % second, false)
      },
      { $0.truncatingRemainder(dividingBy: $1) }
    )
  }

  func negated() throws(RuleFailure) -> RuleValue { try RuleValue.int(0).subtracting(self) }

  private var isZero: Bool {
    switch self {
    case .int(let value): value == 0
    case .double(let value): value == 0
    default: false
    }
  }

  private var asDouble: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The text that the value adds to another text; `nil` unless it is a text or a number.
  private var concatenated: String? {
    switch self {
    case .string(let text): text
    case .int(let value): String(value)
    // A whole number has no fraction, as in JavaScript.
    case .double(let value): Int64(exactly: value).map { String($0) } ?? "\(value)"
    default: nil
    }
  }

  /// - Parameter exact: returns the result for two integers, and whether doubles have to be used instead.
  private func calculate(
    _ other: RuleValue,
    _ name: String,
    _ exact: (Int64, Int64) -> (Int64, Bool),
    _ rounded: (Double, Double) -> Double
  ) throws(RuleFailure) -> RuleValue {
    if case .int(let first) = self, case .int(let second) = other {
      let (result, overflows) = exact(first, second)
      if !overflows { return .int(result) }
    }
    guard let first = asDouble, let second = other.asDouble else {
      throw RuleFailure("'\(name)' needs \(name == "+" ? "numbers or texts" : "numbers").")
    }
    let result = rounded(first, second)
    guard result.isFinite else { throw RuleFailure("A result of '\(name)' is too large.") }
    return .double(result)
  }
}
