import Foundation

/// Base64 with the alphabet for URLs and without padding.
///
/// Each sequence of bytes has exactly one text: unused bits of the last letter must be zero (RFC 4648,
/// sections 3.5 and 5).
enum Base64URL {
  static func encode(_ bytes: [UInt8]) -> String {
    String(
      Data(bytes).base64EncodedString().compactMap { character -> Character? in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      }
    )
  }

  static func decode(_ text: String) -> [UInt8]? {
    var base64 = ""
    for character in text.unicodeScalars {
      switch character {
      case "-": base64.append("+")
      case "_": base64.append("/")
      case "+", "/", "=": return nil
      default: base64.unicodeScalars.append(character)
      }
    }
    while base64.utf8.count % 4 != 0 { base64.append("=") }
    guard let bytes = Data(base64Encoded: base64).map({ [UInt8]($0) }), encode(bytes) == text else {
      return nil
    }
    return bytes
  }
}
