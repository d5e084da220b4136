/// The kind of argument that a placeholder such as `%d` asks for, as the formats of C do.
enum QueryFormat: Hashable, Sendable {
  case integer
  case number
  case text

  /// The greatest number of bytes that a format has before its letter: `%lld`.
  private static let longestLength = 2

  /// The format that bytes behind a `%` begin with, and how many of them it has; nil where they are none.
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

  /// Whether an argument is of the kind: another kind is a mistake in the text or in the call.
  func admits(_ argument: QueryArgument) -> Bool {
    switch (self, argument) {
    // A text that a user typed is read as the type that it is compared with.
    case (_, .untyped), (_, .value(.null)): true
    case (.integer, .value(.integer)), (.integer, .value(.bool)): true
    case (.number, .value(.integer)), (.number, .value(.double)), (.number, .value(.decimal)): true
    case (.text, .value(.string)): true
    default: false
    }
  }

  var expected: String {
    switch self {
    case .integer: "an integer or a truth value; %@ takes any value"
    case .number: "a number; %@ takes any value"
    case .text: "a text; %@ takes any value"
    }
  }
}
