/// A token of a query's text.
struct QueryToken {
  enum Kind: Hashable {
    case end
    /// A name or a keyword.
    case word(String)
    /// A name in backquotes, which is never a keyword.
    case name(String)
    /// `$d`
    case variable(String)
    /// `$0`
    case argument(Int)
    /// `%@`
    case nextArgument
    /// `%d`, `%f` and similar placeholders: an argument of a given kind.
    case nextFormatted(QueryFormat)
    /// `%K`
    case nextName
    /// `@count`, stored without the `@`.
    case attribute(String)
    case string(String)
    /// The digits as written, with a decimal point, an exponent or the suffix `m`.
    case number(String)
    /// Another value: a date that contains an `@`.
    case value(QueryValue)
    case symbol(String)
  }

  let kind: Kind
  /// The range of the token in the text, in bytes.
  let range: Range<Int>

  var start: Int { range.lowerBound }

  /// The word in capitals, or `nil` if the token is not a word.
  var keyword: String? {
    guard case .word(let word) = kind else { return nil }
    return word.uppercased()
  }

  func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }

  func isKeyword(_ keyword: String) -> Bool {
    guard case .word(let word) = kind, word.utf8.count == keyword.utf8.count else { return false }
    return word.uppercased() == keyword
  }

  /// Returns the token's name, for errors.
  func description(in source: QuerySource) -> String {
    if kind == .end { return "the end of the text" }
    let text = String(decoding: source.bytes[range], as: UTF8.self)
    return text.count > 40 ? "'\(text.prefix(40))…'" : "'\(text)'"
  }
}

/// Words with a special meaning.
enum QueryKeyword {
  /// Words that cannot be names when a value is expected.
  static let reserved: Set<String> = [
    "AND", "OR", "NOT", "NIL", "NULL", "TRUE", "FALSE", "TRUEPREDICATE", "FALSEPREDICATE", "SELF",
  ]
  /// Operators between two operands. When an operand is expected, they are names.
  static let tests: Set<String> = [
    "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "TEXT", "GEOWITHIN",
  ]
  /// Quantifiers before the path of a collection. If no path follows, they are names.
  static let quantifiers: [String: QueryQuantifier] = ["ANY": .any, "SOME": .any, "ALL": .all, "NONE": .none]
  /// The Boolean values of NSPredicate. They must be in capitals, because `no` is a likely name of a
  /// property.
  static let truths = ["YES": true, "NO": false]
  static let clauses: Set<String> = ["SORT", "DISTINCT", "LIMIT", "OFFSET", "LAST"]

  /// Whether a name can be written without backquotes anywhere in a text.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, isStart(first), name.unicodeScalars.allSatisfy(isPart) else {
      return false
    }
    let word = name.uppercased()
    return !reserved.contains(word) && quantifiers[word] == nil && truths[name] == nil
  }

  static func isStart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) }
    // Swift allows emoji in names, and no operator of the query language is an emoji.
    return scalar.properties.isXIDStart || scalar.properties.isEmoji
  }

  static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    if isStart(scalar) { return true }
    if scalar.isASCII { return ("0"..."9").contains(scalar) }
    // Some emoji consist of several emoji with a joiner between them.
    return scalar.properties.isXIDContinue || scalar == "\u{200D}"
  }
}
