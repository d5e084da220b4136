/// The class of a character for finding the boundaries of words, based on UAX #29.
///
/// It follows the rules of the standard with three differences: a colon between letters is a boundary, Hebrew
/// has no special rules, and characters of scripts without spaces have their own class, from which
/// ``Tokenizer`` builds pairs.
enum WordClass: UInt8 {
  /// A boundary: a space, punctuation or a symbol.
  case other
  case letter
  case digit
  /// Part of a word if it is between two letters.
  case middleOfLetters
  /// Part of a number if it is between two digits.
  case middleOfDigits
  /// Part of a word or number if it is between two letters or two digits.
  case middleOfBoth
  /// A character that connects its neighbours, such as an underscore.
  case connector
  /// A mark or a format character. It belongs to the preceding character.
  case extending
  /// A character of a script without spaces between words: Han, kana, Hangul, Thai, Lao, Khmer or Burmese.
  case ideograph

  /// The classes of the ASCII characters.
  static let ascii: [WordClass] = (UInt8(0)..<128).map { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): .letter
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
    case UInt8(ascii: "_"): .connector
    case UInt8(ascii: "."), UInt8(ascii: "'"): .middleOfBoth
    case UInt8(ascii: ","), UInt8(ascii: ";"): .middleOfDigits
    default: .other
    }
  }

  static func of(_ scalar: Unicode.Scalar) -> WordClass {
    let value = scalar.value
    if value < 0x80 { return ascii[Int(value)] }
    // Most Latin, Greek and Cyrillic letters are recognized without Unicode's tables.
    if (0xC0...0x24F).contains(value) { return value == 0xD7 || value == 0xF7 ? .other : .letter }
    if (0x400...0x481).contains(value) { return .letter }
    if isIdeograph(value) {
      switch scalar.properties.generalCategory {
      case .otherLetter, .modifierLetter, .letterNumber: return .ideograph
      default: break
      }
    }
    return special(value) ?? byCategory(scalar)
  }

  private static func isIdeograph(_ value: UInt32) -> Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF,
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x1B000...0x1B16F,
      0x20000...0x3FFFD:
      return true
    default: return false
    }
  }

  private static func special(_ value: UInt32) -> WordClass? {
    switch value {
    case 0x00B7, 0x0387, 0x055F, 0x05F4, 0x2027: .middleOfLetters
    case 0x037E, 0x0589, 0x060C, 0x060D, 0x066C, 0x07F8, 0x2044, 0xFE10, 0xFE14, 0xFE50, 0xFE54, 0xFF0C,
      0xFF1B:
      .middleOfDigits
    case 0x2018, 0x2019, 0x2024, 0xFE52, 0xFF07, 0xFF0E: .middleOfBoth
    case 0x200B: .other
    case 0x202F: .connector
    case 0xFF10...0xFF19: .digit
    default: nil
    }
  }

  private static func byCategory(_ scalar: Unicode.Scalar) -> WordClass {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
      .letter
    case .decimalNumber: .digit
    case .nonspacingMark, .spacingMark, .enclosingMark, .format: .extending
    case .connectorPunctuation: .connector
    case .otherSymbol: scalar.properties.isAlphabetic ? .letter : .other
    default: .other
    }
  }
}
