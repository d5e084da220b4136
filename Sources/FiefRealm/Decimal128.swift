import Fief
public import Foundation

/// A decimal number, under Realm's name: Foundation's `Decimal`.
///
/// It has 38 digits and exponents from -128 to 127; Realm's type has 34 digits and exponents up to 6,144. A
/// number that does not fit never becomes another number: `init(text:)` throws, and the other initializers
/// return `nan` and report `StoreEvent.misuse(_:)`.
public typealias Decimal128 = Decimal

extension Decimal {
  /// Creates a number from a text: `try Decimal128(text: "1.5E2")`. The text `NaN` results in `nan`.
  ///
  /// `Decimal(string:)` is Foundation's initializer: it returns an optional, and accepts any text that starts
  /// with a number.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the text is not a number, or if the number has too
  ///   many digits.
  public init(text: String) throws {
    guard let value = Decimal(written: text) else {
      throw Self.noNumber("the text has \(text.count) characters")
    }
    self = value
  }

  /// Creates a number with the digits of another number.
  ///
  /// If the number does not fit, this is reported, and the result is `nan`.
  public init(number: NSNumber) { self = Self.reported(number.stringValue) }

  /// Creates a number from a number, a text, or `NSNull`, which results in `nan`.
  ///
  /// Any other value is reported, and results in `nan`.
  public init(value: Any) {
    switch value {
    case let value as Decimal: self = value
    case is NSNull: self = .nan
    case let text as String: self = Self.reported(text)
    case let value as any BinaryInteger: self = Self.reported("\(value)")
    case let value as Double: self = Self.reported("\(value)")
    case let value as Float: self = Self.reported("\(value)")
    case let number as NSNumber: self.init(number: number)
    default:
      Misuse.report(Self.noNumber("a value of type \(type(of: value))"))
      self = .nan
    }
  }

  /// The smallest number.
  public static var min: Decimal { -.greatestFiniteMagnitude }

  /// The greatest number.
  public static var max: Decimal { .greatestFiniteMagnitude }

  /// The number as a text.
  public var stringValue: String { description }

  /// The nearest `Double`.
  public var doubleValue: Double { NSDecimalNumber(decimal: self).doubleValue }

  /// The number itself.
  public var decimalValue: Decimal { self }

  /// Not available: `Decimal` has one `nan`.
  @available(*, unavailable, renamed: "isNaN")
  public var isSignaling: Bool { isNaN }

  private static func reported(_ text: String) -> Decimal {
    if let value = Decimal(written: text) { return value }
    Misuse.report(noNumber("the text has \(text.count) characters"))
    return .nan
  }

  private static func noNumber(_ detail: String) -> FiefError {
    FiefError(
      .invalidValue,
      "The value is not a decimal number, or has too many digits.",
      details: [detail]
    )
  }
}

/// Support for text literals as numbers: `let price: Decimal128 = "9.95"`.
///
/// A text that is not a number is reported as `StoreEvent.misuse(_:)`, and results in `nan`.
extension Decimal: @retroactive ExpressibleByStringLiteral, @retroactive ExpressibleByUnicodeScalarLiteral,
  @retroactive ExpressibleByExtendedGraphemeClusterLiteral
{
  /// Creates a number from a text.
  public init(stringLiteral value: String) { self = Self.reported(value) }

  /// Creates a number from a text.
  public init(unicodeScalarLiteral value: String) { self = Self.reported(value) }

  /// Creates a number from a text.
  public init(extendedGraphemeClusterLiteral value: String) { self = Self.reported(value) }
}
