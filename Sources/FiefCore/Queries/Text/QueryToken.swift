/// A word of a query's text.
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
    /// `%d`, `%f` and their like: an argument of a kind.
    case nextFormatted(QueryFormat)
    /// `%K`
    case nextName
    /// `@count`, without the sign.
    case attribute(String)
    case string(String)
    /// Digits as they stand there, with a point, an exponent or an `m` at the end.
    case number(String)
    /// Another value: a date with an `@` in it.
    case value(QueryValue)
    case symbol(String)
  }

  let kind: Kind
  /// The range of the token in the text, in bytes.
  let range: Range<Int>

  var start: Int { range.lowerBound }

  /// The word in capitals; nil for anything else.
  var keyword: String? {
    guard case .word(let word) = kind else { return nil }
    return word.uppercased()
  }

  func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }

  func isKeyword(_ keyword: String) -> Bool {
    guard case .word(let word) = kind, word.utf8.count == keyword.utf8.count else { return false }
    return word.uppercased() == keyword
  }

  /// The token's name in errors.
  func description(in source: QuerySource) -> String {
    if kind == .end { return "the end of the text" }
    let text = String(decoding: source.bytes[range], as: UTF8.self)
    return text.count > 40 ? "'\(text.prefix(40))…'" : "'\(text)'"
  }
}

/// Words that are more than names.
enum QueryKeyword {
  /// Words that are no names where a value is expected.
  static let reserved: Set<String> = [
    "AND", "OR", "NOT", "NIL", "NULL", "TRUE", "FALSE", "TRUEPREDICATE", "FALSEPREDICATE", "SELF",
  ]
  /// Words between two operands; where an operand is expected they are names.
  static let tests: Set<String> = [
    "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "TEXT", "GEOWITHIN",
  ]
  /// Words before the path of a collection; where none follows they are names.
  static let quantifiers: [String: QueryQuantifier] = ["ANY": .any, "SOME": .any, "ALL": .all, "NONE": .none]
  /// Truth values as NSPredicate has them; in capitals only, since `no` is a good name.
  static let truths = ["YES": true, "NO": false]
  static let clauses: Set<String> = ["SORT", "DISTINCT", "LIMIT", "OFFSET", "LAST"]

  /// Whether a name can stand anywhere in a text as it is.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, isStart(first), name.unicodeScalars.allSatisfy(isPart) else {
      return false
    }
    let word = name.uppercased()
    return !reserved.contains(word) && quantifiers[word] == nil && truths[name] == nil
  }

  static func isStart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) }
    // Emoji are names in Swift, and no operators here.
    return scalar.properties.isXIDStart || scalar.properties.isEmoji
  }

  static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    if isStart(scalar) { return true }
    if scalar.isASCII { return ("0"..."9").contains(scalar) }
    // Some emoji are several, with a joiner between them.
    return scalar.properties.isXIDContinue || scalar == "\u{200D}"
  }
}
