/// Checks a regular expression of a rule and translates it for RE2.
///
/// Only the listed syntax is accepted, so that an expression means the same everywhere: literals, `.`,
/// classes, `\s \w \d` and their negations, groups, `|`, `* + ? {n,m}`, `^` first and `$` last.
struct PatternChecker {
  /// The maximum length of an expression in bytes.
  static let longest = 1024
  /// The maximum depth of nested groups.
  static let deepest = 64
  /// The maximum number of repetitions.
  static let mostRepetitions = 1000

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private var result = String.UnicodeScalarView()

  /// Returns the expression in the syntax of RE2.
  ///
  /// - Throws: ``RuleSyntaxError`` with the offset in bytes.
  static func translate(_ pattern: String) throws(RuleSyntaxError) -> String {
    guard pattern.utf8.count <= longest else {
      throw RuleSyntaxError("A regular expression is longer than \(longest) bytes.", at: 0)
    }
    var checker = PatternChecker(scalars: Array(pattern.unicodeScalars))
    try checker.pattern()
    return String(checker.result)
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func error(_ message: String) -> RuleSyntaxError {
    RuleSyntaxError(message, at: scalars[..<position].reduce(0) { $0 + UTF8.width($1) })
  }

  private mutating func copy() {
    result.append(scalars[position])
    position += 1
  }

  private mutating func pattern() throws(RuleSyntaxError) {
    if next == "^" { copy() }
    try alternatives()
    if next == ")" { throw error("A group of a regular expression is not opened.") }
  }

  private mutating func alternatives() throws(RuleSyntaxError) {
    // Whether a quantifier may follow.
    var isAtom = false
    while let scalar = next {
      switch scalar {
      case ")": return
      case "|":
        copy()
        isAtom = false
      case "*", "+", "?", "{":
        guard isAtom else {
          throw error("A quantifier of a regular expression follows nothing, or another one.")
        }
        try quantifier()
        isAtom = false
      case "$":
        guard depth == 0, position == scalars.count - 1 else {
          throw error("'$' is not the last character of a regular expression.")
        }
        copy()
      case "^": throw error("'^' is not the first character of a regular expression.")
      case "(":
        try group()
        isAtom = true
      case "[":
        try characterClass()
        isAtom = true
      default:
        try atom()
        isAtom = true
      }
    }
  }

  private mutating func group() throws(RuleSyntaxError) {
    guard depth < Self.deepest else {
      throw error("The groups of a regular expression are nested too deeply.")
    }
    copy()
    if next == "?" { throw error("Groups with '?' are not supported.") }
    result.append(contentsOf: "?:".unicodeScalars)
    depth += 1
    try alternatives()
    depth -= 1
    guard next == ")" else { throw error("A group of a regular expression is not closed.") }
    copy()
  }

  private mutating func atom() throws(RuleSyntaxError) {
    switch scalars[position] {
    case ".": copy()
    case "\\":
      if let category = try escape() { result.append(contentsOf: category.unicodeScalars) }
    case "]", "}": throw error("A bracket of a regular expression is not opened.")
    default: literal()
    }
  }

  /// Appends a character that stands for itself.
  private mutating func literal() {
    let scalar = scalars[position]
    // RE2 accepts a backslash before every punctuation character of ASCII.
    if Self.isPunctuation(scalar) { result.append("\\") }
    copy()
  }

  /// Reads an escape: a category, which is returned, or a character, which is appended.
  private mutating func escape() throws(RuleSyntaxError) -> String? {
    position += 1
    guard let scalar = next else { throw error("A regular expression ends with a backslash.") }
    if "sSwWdD".unicodeScalars.contains(scalar) {
      position += 1
      return "\\" + String(scalar)
    }
    guard Self.isPunctuation(scalar) else {
      throw error("An escape of a regular expression is not supported.")
    }
    literal()
    return nil
  }

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  // MARK: Classes

  private mutating func characterClass() throws(RuleSyntaxError) {
    copy()
    if next == "^" { copy() }
    if next == "]" { throw error("A class of a regular expression is empty.") }
    while let scalar = next, scalar != "]" {
      guard let first = try classMember() else { continue }
      let hasRange = next == "-" && position + 1 < scalars.count && scalars[position + 1] != "]"
      guard hasRange else { continue }
      copy()
      guard let last = try classMember(), first <= last else {
        throw error("A range of a regular expression is invalid.")
      }
    }
    guard next == "]" else { throw error("A class of a regular expression is not closed.") }
    copy()
  }

  /// Appends a character or a category.
  ///
  /// - Returns: the character; `nil` for a category.
  private mutating func classMember() throws(RuleSyntaxError) -> Unicode.Scalar? {
    guard let scalar = next else { throw error("A class of a regular expression is not closed.") }
    if scalar == "\\" {
      if let category = try escape() {
        result.append(contentsOf: category.unicodeScalars)
        return nil
      }
      return scalars[position - 1]
    }
    literal()
    return scalar
  }

  // MARK: Quantifiers

  private mutating func quantifier() throws(RuleSyntaxError) {
    if next == "{" {
      copy()
      let least = try number()
      if next == "," {
        copy()
        if next != "}" {
          guard try number() >= least else { throw error("A quantifier has a maximum below its minimum.") }
        }
      }
      guard next == "}" else { throw error("A quantifier is not closed.") }
    }
    copy()
  }

  private mutating func number() throws(RuleSyntaxError) -> Int {
    var value = 0
    let start = position
    while let digit = next, let number = Int(String(digit)), digit.isASCII, position - start < 5 {
      value = value * 10 + number
      copy()
    }
    guard position > start, value <= Self.mostRepetitions else {
      position = start
      throw error("A quantifier needs a number from 0 to \(Self.mostRepetitions).")
    }
    return value
  }
}
