/// The text of a query. It creates errors that show the position in the text.
struct QuerySource: Sendable {
  let text: String
  let bytes: [UInt8]
  let store: String?
  let type: String?
  /// The number of characters of a long line that an error shows on each side of the position.
  private static let context = 60

  init(_ text: String, store: String? = nil, type: String? = nil) {
    self.text = text
    self.bytes = Array(text.utf8)
    self.store = store
    self.type = type
  }

  /// Creates an error of code `malformedQuery` at a position in the text.
  func error(_ message: String, at offset: Int, found: String? = nil, expected: String? = nil) -> FiefError {
    error(.malformedQuery, message, at: offset, found: found, expected: expected)
  }

  /// Creates an error at a position in the text.
  ///
  /// - Parameters:
  ///   - offset: the offset of the position in bytes.
  ///   - found: the token that was found.
  ///   - expected: the expected token.
  func error(
    _ code: FiefError.Code,
    _ message: String,
    at offset: Int,
    found: String? = nil,
    expected: String? = nil,
    type: String? = nil,
    property: String? = nil,
    details: [String] = []
  ) -> FiefError {
    let offset = min(max(offset, 0), bytes.count)
    let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let line = bytes[..<start].count { $0 == UInt8(ascii: "\n") } + 1
    let before = Array(String(decoding: bytes[start..<offset], as: UTF8.self))
    let after = Array(String(decoding: bytes[offset..<end], as: UTF8.self))
    let masked = Self.masked(String(decoding: bytes, as: UTF8.self))
    let lineStart = String(decoding: bytes[..<start], as: UTF8.self).count
    let maskedBefore = masked.dropFirst(lineStart).prefix(before.count)
    let maskedAfter = masked.dropFirst(lineStart + before.count).prefix(after.count)
    var all = ["at: line \(line), column \(before.count + 1), byte \(offset)"]
    if let found { all.append("found: " + Self.hidingLiterals(found)) }
    if let expected { all.append("expected: \(expected)") }
    all += details
    let shown = Self.printable(before.suffix(Self.context)) + Self.printable(after.prefix(Self.context))
    let hidden =
      Self.printable(maskedBefore.suffix(Self.context)) + Self.printable(maskedAfter.prefix(Self.context))
    let text = shown == hidden ? shown : HiddenValue.text(shown, summary: hidden)
    all.append((before.count > Self.context ? "…" : "") + text + (after.count > Self.context ? "…" : ""))
    let indent = min(before.count, Self.context) + (before.count > Self.context ? 1 : 0)
    all.append(String(repeating: " ", count: indent) + "^")
    return FiefError(code, message, store: store, type: type ?? self.type, property: property, details: all)
  }

  /// Returns the text with a dot in place of each character of quoted values. Values are shown only on
  /// request.
  private static func masked(_ text: String) -> [Character] {
    var quote: Character?
    var isEscaped = false
    return text.map { character in
      guard let open = quote else {
        if character == "'" || character == "\"" { quote = character }
        return character
      }
      if isEscaped {
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == open {
        quote = nil
        return character
      }
      return character == "\n" ? character : "•"
    }
  }

  /// Returns the description of a token, with quoted values hidden.
  private static func hidingLiterals(_ found: String) -> String {
    let token = found.dropFirst()
    guard found.hasPrefix("'"), let first = token.first, first == "'" || first == "\"" else { return found }
    return HiddenValue.text(found, summary: "a quoted string")
  }

  /// Replaces control characters, so that every character takes one column.
  private static func printable(_ characters: some Sequence<Character>) -> String {
    String(
      characters.map { character in
        character.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }
          ? " " : character
      }
    )
  }
}
