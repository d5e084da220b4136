/// The text of a query, and errors that show the place in it.
struct QuerySource: Sendable {
  let text: String
  let bytes: [UInt8]
  let store: String?
  let type: String?
  /// How much of a long line an error shows on each side of the place, in characters.
  private static let context = 60

  init(_ text: String, store: String? = nil, type: String? = nil) {
    self.text = text
    self.bytes = Array(text.utf8)
    self.store = store
    self.type = type
  }

  /// An error of code `malformedQuery` at a place.
  func error(_ message: String, at offset: Int, found: String? = nil, expected: String? = nil) -> FiefError {
    error(.malformedQuery, message, at: offset, found: found, expected: expected)
  }

  /// An error at a place.
  ///
  /// - Parameters:
  ///   - offset: the place in the text, in bytes.
  ///   - found: what is there.
  ///   - expected: what should be.
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
    var all = ["at: line \(line), column \(before.count + 1), byte \(offset)"]
    if let found { all.append("found: \(found)") }
    if let expected { all.append("expected: \(expected)") }
    all += details
    let shown = Self.printable(before.suffix(Self.context)) + Self.printable(after.prefix(Self.context))
    all.append((before.count > Self.context ? "…" : "") + shown + (after.count > Self.context ? "…" : ""))
    let indent = min(before.count, Self.context) + (before.count > Self.context ? 1 : 0)
    all.append(String(repeating: " ", count: indent) + "^")
    return FiefError(code, message, store: store, type: type ?? self.type, property: property, details: all)
  }

  /// Characters that do not move the place of those behind them.
  private static func printable(_ characters: some Sequence<Character>) -> String {
    String(
      characters.map { character in
        character.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }
          ? " " : character
      }
    )
  }
}
