/// A token of Swift source code.
struct SwiftToken {
  /// The kinds that the converter distinguishes.
  enum Kind {
    /// An identifier, a keyword, or a name with a number sign: `class`, `` `default` ``, `#keyPath`.
    case word
    case number
    /// A whole string or regular expression.
    case literal
    /// A bracket, or one character of an operator.
    case symbol
    /// `#if`, `#elseif`, `#else` or `#endif`, with its condition.
    case directive
  }

  let kind: Kind
  let text: String
  /// The position in the bytes of the file.
  let range: Range<Int>
  /// Whether the token is the first token of its line.
  let isFirstInLine: Bool

  /// The name of an identifier, without backticks.
  var name: String { text.hasPrefix("`") ? String(text.dropFirst().dropLast()) : text }
}

/// An error in source code that the converter cannot parse.
struct SwiftSyntaxError: Error {
  let offset: Int
  let message: String
}
