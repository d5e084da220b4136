import Foundation

/// The common part of decoding wrappers and collections.
enum PersistedCoding {
  /// The maximum depth of nested objects and collections.
  static let deepest = 256

  /// Decodes a value with the decoder's own rules. In addition, decimals may be texts.
  static func decode<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) throws -> Value {
    let container = try decoder.singleValueContainer()
    // A nil decimal falls through, and is decoded as nil.
    let decimals: Any? =
      if type == Decimal.self {
        try container.decode(WrittenDecimal.self).value
      } else if type == Decimal?.self {
        try container.decode(WrittenDecimal?.self)?.value
      } else if type == [Decimal].self {
        try container.decode([WrittenDecimal].self).map(\.value)
      } else if type == [Decimal?].self {
        try container.decode([WrittenDecimal?].self).map { $0?.value }
      } else if type == [String: Decimal].self {
        try container.decode([String: WrittenDecimal].self).mapValues(\.value)
      } else if type == [String: Decimal?].self {
        try container.decode([String: WrittenDecimal?].self).mapValues { $0?.value }
      } else {
        nil
      }
    if let decimals, let value = decimals as? Value { return value }
    return try container.decode(type)
  }
}

/// A decimal in a document: a number, or a text as Realm writes it.
struct WrittenDecimal: Decodable {
  let value: Decimal

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self) else {
      value = try container.decode(Decimal.self)
      return
    }
    guard let value = Decimal(written: text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "The text is not a decimal number, or has too many digits."
      )
    }
    self.value = value
  }
}

extension Decimal {
  /// Creates a decimal from its digits or from `NaN`. Returns `nil` if the text is anything else, or if a
  /// decimal cannot represent all digits.
  package init?(written text: String) {
    if let number = DecimalText(text)?.decimal {
      self = number
    } else if text.lowercased() == "nan" {
      self = .nan
    } else {
      return nil
    }
  }
}
