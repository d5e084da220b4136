/// The kind of argument that a placeholder such as `%d` requires, as in C's format strings.
enum QueryFormat: Hashable, Sendable {
  case integer
  case number
  case text

  /// The maximum number of length modifiers before the letter of a format, as in `%lld`.
  private static let longestLength = 2

  /// Returns the format at the start of the bytes after a `%`, and its length in bytes, or `nil` if there is
  /// no format.
  static func first(of bytes: ArraySlice<UInt8>) -> (format: QueryFormat, length: Int)? {
    let length = bytes.prefix(longestLength).prefix { "hlqzjtL".utf8.contains($0) }.count
    guard let letter = bytes.dropFirst(length).first else { return nil }
    switch Character(UnicodeScalar(letter)) {
    case "d", "D", "i", "u", "U", "x", "X", "o", "O": return (.integer, length + 1)
    case "f", "F", "e", "E", "g", "G", "a", "A": return (.number, length + 1)
    case "s", "S": return (.text, length + 1)
    default: return nil
    }
  }

  /// Whether an argument has the required kind. Any other argument is a mistake in the text or in the call.
  func admits(_ argument: QueryArgument) -> Bool {
    switch (self, argument) {
    // A text that a user typed is converted to the type with which it is compared.
    case (_, .untyped), (_, .value(.null)): true
    case (.integer, .value(.integer)), (.integer, .value(.bool)): true
    case (.number, .value(.integer)), (.number, .value(.double)), (.number, .value(.decimal)): true
    case (.text, .value(.string)): true
    default: false
    }
  }

  var expected: String {
    switch self {
    case .integer: "an integer or a Boolean; %@ takes any value"
    case .number: "a number; %@ takes any value"
    case .text: "a string; %@ takes any value"
    }
  }
}
