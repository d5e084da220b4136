/// A token of Swift source code.
struct SwiftToken {
  /// The kinds that the converter distinguishes.
  enum Kind {
    /// An identifier, a keyword, or a name with a number sign: `class`, `` `default` ``, `#keyPath`.
    case word
    case number
    /// A string or a regular expression, as a whole.
    case literal
    /// A bracket, or one character of an operator.
    case symbol
    /// `#if`, `#elseif`, `#else` or `#endif`, with its condition.
    case directive
  }

  let kind: Kind
  let text: String
  /// The place in the bytes of the file.
  let range: Range<Int>
  /// Whether the token is the first one in its line.
  let isFirstInLine: Bool

  /// The name that an identifier stands for, without backticks.
  var name: String { text.hasPrefix("`") ? String(text.dropFirst().dropLast()) : text }
}

/// Source code that the converter cannot take apart.
struct SwiftSyntaxError: Error {
  let offset: Int
  let message: String
}
