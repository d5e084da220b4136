package import Fief

/// A value in a rule.
package enum RuleValue: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  /// A finite number.
  case double(Double)
  case string(String)
  /// An object of the claims.
  case object([ExactText: RuleValue])
  /// The value of a place with children, which rules only compare with values of other types.
  case node

  /// Returns whether two values are equal. Values of different types differ; `1` and `1.0` are equal.
  ///
  /// - Throws: ``RuleFailure`` for two objects.
  func equals(_ other: RuleValue) throws(RuleFailure) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let first), .bool(let second)): return first == second
    case (.string(let first), .string(let second)): return first.hasSameBytes(as: second)
    case (.int, .int), (.int, .double), (.double, .int), (.double, .double): return compare(other) == 0
    case (.object, .object), (.object, .node), (.node, .object), (.node, .node):
      throw RuleFailure("Two objects cannot be compared.")
    default: return false
    }
  }

  /// Returns a negative number, zero or a positive number if the value is less than, equal to or greater than
  /// another one; `nil` unless both are numbers or both are texts.
  func compare(_ other: RuleValue) -> Int? {
    switch (self, other) {
    case (.int(let first), .int(let second)): Self.order(first, second)
    case (.double(let first), .double(let second)): Self.order(first, second)
    case (.int(let first), .double(let second)): Self.order(first, exactly: second)
    case (.double(let first), .int(let second)): -Self.order(second, exactly: first)
    case (.string(let first), .string(let second)):
      first.hasSameBytes(as: second) ? 0 : ExactText(first) < ExactText(second) ? -1 : 1
    default: nil
    }
  }

  private static func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int {
    first < second ? -1 : first > second ? 1 : 0
  }

  /// Compares without rounding the integer to a double.
  private static func order(_ first: Int64, exactly second: Double) -> Int {
    if let whole = Int64(exactly: second.rounded(.down)) {
      if first != whole { return first < whole ? -1 : 1 }
      return second > second.rounded(.down) ? -1 : 0
    }
    return second > 0 ? -1 : 1
  }

  /// The size of the value in KiB, rounded down: the steps that it costs to use it.
  package var steps: Int { if case .string(let text) = self { text.utf8.count / 1024 } else { 0 } }
}
