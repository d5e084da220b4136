import Fief
public import Foundation

/// A decimal number, by the name that code written for Realm has: Foundation's `Decimal`, which a store keeps.
///
/// It has 38 digits, and exponents from -128 to 127; Realm's type has 34 digits, and exponents up to 6,144. A
/// number that does not fit never becomes another one: an initializer that throws reports it, any other one
/// gives `nan` and reports it as `StoreEvent.misuse(_:)`.
public typealias Decimal128 = Decimal

extension Decimal {
  /// Makes the number that a text says: `try Decimal128(text: "1.5E2")`; of `NaN`, `nan`.
  ///
  /// `Decimal(string:)` is Foundation's own initializer: it gives an optional, and accepts any text that
  /// begins with a number.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` for any other text, and for a number whose digits do not all fit.
  public init(text: String) throws {
    guard let value = Decimal(written: text) else {
      throw Self.noNumber("the text has \(text.count) characters")
    }
    self = value
  }

  /// Makes the number that another one is, with the digits that it is written with.
  ///
  /// A number that does not fit is reported, and gives `nan`.
  public init(number: NSNumber) { self = Self.reported(number.stringValue) }

  /// Makes the number that a value says: of a number, a text, or `NSNull`, which is `nan`.
  ///
  /// Any other value is reported, and gives `nan`.
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

  /// The least number that there is.
  public static var min: Decimal { -.greatestFiniteMagnitude }

  /// The greatest number that there is.
  public static var max: Decimal { .greatestFiniteMagnitude }

  /// The number as it is written.
  public var stringValue: String { description }

  /// The nearest `Double`.
  public var doubleValue: Double { NSDecimalNumber(decimal: self).doubleValue }

  /// The number itself.
  public var decimalValue: Decimal { self }

  /// Not available: there is one kind of `nan`.
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
      "A value is no decimal number, or has more digits than there is room for.",
      details: [detail]
    )
  }
}

/// Numbers as texts in a program: `let price: Decimal128 = "9.95"`.
///
/// A text that is no number is reported as `StoreEvent.misuse(_:)`, and gives `nan`.
extension Decimal: @retroactive ExpressibleByStringLiteral, @retroactive ExpressibleByUnicodeScalarLiteral,
  @retroactive ExpressibleByExtendedGraphemeClusterLiteral
{
  /// Makes the number that a text says.
  public init(stringLiteral value: String) { self = Self.reported(value) }

  /// Makes the number that a text says.
  public init(unicodeScalarLiteral value: String) { self = Self.reported(value) }

  /// Makes the number that a text says.
  public init(extendedGraphemeClusterLiteral value: String) { self = Self.reported(value) }
}
