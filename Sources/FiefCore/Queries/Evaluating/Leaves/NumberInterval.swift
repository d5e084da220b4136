import Foundation

/// The numbers for which a comparison with a constant holds.
enum NumberInterval<Bound: Comparable & Hashable & Sendable>: Hashable, Sendable {
  case none
  case within(ClosedRange<Bound>)
  /// All values outside a range, including nil.
  case outside(ClosedRange<Bound>)
  /// All values, including nil.
  case all

  /// Returns the intersection of two intervals, or `nil` if it is not one interval.
  func intersection(_ other: NumberInterval) -> NumberInterval? {
    switch (self, other) {
    case (.none, _), (_, .none): return NumberInterval.none
    case (.all, let interval), (let interval, .all): return interval
    case (.within(let first), .within(let second)):
      let lower = max(first.lowerBound, second.lowerBound)
      let upper = min(first.upperBound, second.upperBound)
      return lower <= upper ? .within(lower...upper) : NumberInterval.none
    default: return nil
    }
  }
}

extension NumberInterval<Int64> {
  /// Creates the interval of the 64-bit integers for which a comparison with a constant holds. Returns `nil`
  /// if the comparison or the constant is not numeric, or if the constant is a decimal that is not an
  /// integer.
  init?(_ comparison: QueryComparison, _ constant: RowValue) {
    switch constant {
    case .integer(let value): self.init(comparison, value)
    case .double(let value):
      if value.isNaN {
        self = comparison == .notEqual ? .all : .none
        return
      }
      // All values beyond ±2^64 have the same result in comparisons with 64-bit integers.
      let bounded = min(max(value, -0x1p64), 0x1p64)
      let below = Int128(bounded.rounded(.down))
      let isWhole = bounded.rounded(.down) == bounded
      switch comparison {
      case .equal where !isWhole: self = .none
      case .notEqual where !isWhole: self = .all
      // For integers, > 2.5 means > 2, and < 2.5 means <= 2.
      case .less where !isWhole: self.init(.lessOrEqual, below)
      case .greaterOrEqual where !isWhole: self.init(.greater, below)
      default: self.init(comparison, below)
      }
    case .decimal(let value):
      guard let integer = ExactNumbers.integer(value) else { return nil }
      self.init(comparison, Int128(integer))
    default: return nil
    }
  }

  private init?(_ comparison: QueryComparison, _ constant: Int128) {
    let least = Int128(Int64.min)
    let greatest = Int128(Int64.max)
    // All constants beyond the 64-bit range have the same result. Clamping them also avoids an overflow at
    // the limits of 128 bits.
    let value = min(max(constant, least - 1), greatest + 1)
    let range: (Int128, Int128)
    switch comparison {
    case .equal, .notEqual: range = (value, value)
    case .less: range = (least, value - 1)
    case .lessOrEqual: range = (least, value)
    case .greater: range = (value + 1, greatest)
    case .greaterOrEqual: range = (value, greatest)
    default: return nil
    }
    let lower = max(range.0, least)
    let upper = min(range.1, greatest)
    guard lower <= upper else {
      self = comparison == .notEqual ? .all : .none
      return
    }
    let bounds =
      Int64(truncatingIfNeeded: lower)...Int64(truncatingIfNeeded: upper)
    self = comparison == .notEqual ? .outside(bounds) : .within(bounds)
  }
}

extension NumberInterval<Double> {
  /// Creates the interval of the doubles, or of the seconds of dates, for which a comparison with a constant
  /// holds. Returns `nil` if the comparison or the constant is not numeric, or if no double represents the
  /// constant exactly.
  init?(_ comparison: QueryComparison, _ constant: RowValue) {
    let value: Double
    switch constant {
    case .double(let double), .date(let double): value = double
    case .integer(let integer):
      guard let double = Double(exactly: integer) else { return nil }
      value = double
    case .decimal(let decimal):
      guard let double = ExactNumbers.double(decimal) else { return nil }
      value = double
    default: return nil
    }
    guard !value.isNaN else { return nil }
    switch comparison {
    case .equal: self = .within(value...value)
    case .notEqual: self = .outside(value...value)
    case .less: self = value == -.infinity ? .none : .within(-.infinity...value.nextDown)
    case .lessOrEqual: self = .within(-.infinity...value)
    case .greater: self = value == .infinity ? .none : .within(value.nextUp...Double.infinity)
    case .greaterOrEqual: self = .within(value...Double.infinity)
    default: return nil
    }
  }
}
