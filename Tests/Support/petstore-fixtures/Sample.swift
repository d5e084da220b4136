import Foundation

/// Values that are the same in every fixture store, so that tests can say what must become of them.
enum Sample {
  /// A fixed identifier, by its number.
  static func uuid(_ number: UInt8) -> UUID {
    UUID(uuid: (0xF1, 0xEF, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
  }

  /// So many seconds after the first of January 2024, UTC.
  static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_704_067_200 + seconds) }

  /// A text that needs several pages.
  static let longText = String(repeating: "Wuff! 犬は吠える。 ", count: 600)

  /// A name that does not fit into the entry of an index.
  static let longName = "Sir " + String(repeating: "Barkalot the Éternal ", count: 20)

  /// An exact number.
  static func decimal(_ text: String) throws -> Decimal {
    guard let value = Decimal(string: text, locale: nil) else { throw FixtureError.wrongDecimal(text) }
    return value
  }
}

/// An error that ends the making of fixtures.
enum FixtureError: Error, CustomStringConvertible {
  case wrongDecimal(String)
  case unknownType(String)
  case usage

  var description: String {
    switch self {
    case .wrongDecimal(let text): "'\(text)' is no decimal number"
    case .unknownType(let name): "the application has no class '\(name)'"
    case .usage: "usage: petstore-fixtures DIRECTORY [VERSION]"
    }
  }
}
