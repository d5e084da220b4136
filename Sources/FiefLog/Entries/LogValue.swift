public import Foundation

/// A value of a log entry, or a parameter of an event.
public enum LogValue: Sendable, Hashable {
  /// A text.
  case string(String)
  /// A whole number.
  case int(Int)
  /// A number.
  case double(Double)
  /// A truth value.
  case bool(Bool)
  /// A point in time.
  case date(Date)

  /// The type of the value, in its place.
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
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension LogValue: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral value: Int) { self = .int(value) }
}

extension LogValue: ExpressibleByFloatLiteral {
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension LogValue: ExpressibleByBooleanLiteral {
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
