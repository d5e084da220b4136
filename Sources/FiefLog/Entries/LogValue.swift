public import Foundation

/// A value of a log entry, or a parameter of an event.
public enum LogValue: Sendable, Hashable {
  /// A text.
  case string(String)
  /// An integer.
  case int(Int)
  /// A floating-point number.
  case double(Double)
  /// A Boolean value.
  case bool(Bool)
  /// A date.
  case date(Date)

  /// The type of the value, which is shown instead of the value.
  var summary: String {
    switch self {
    case .string: "<string>"
    case .int: "<int>"
    case .double: "<double>"
    case .bool: "<bool>"
    case .date: "<date>"
    }
  }

  /// The value as a text.
  var text: String {
    switch self {
    case .string(let value): value
    case .int(let value): "\(value)"
    case .double(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .date(let value): value.formatted(.iso8601)
    }
  }
}

extension LogValue: ExpressibleByStringLiteral {
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension LogValue: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .int(value) }
}

extension LogValue: ExpressibleByFloatLiteral {
  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension LogValue: ExpressibleByBooleanLiteral {
  /// Creates a Boolean value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
