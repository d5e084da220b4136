/// Splits the text of a query into tokens.
struct QueryLexer {
  let source: QuerySource
  /// The offset of the next token, or of white space before it.
  var position = 0

  init(_ source: QuerySource) { self.source = source }

  private static let symbols2: Set<String> = ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "??"]
  private static let symbols1 = Set("()[]{},.+-*/%=<>!".utf8)

  func byte(_ distance: Int = 0) -> UInt8? {
    let index = position + distance
    return index < source.bytes.count ? source.bytes[index] : nil
  }

  func isDigit(_ distance: Int = 0) -> Bool {
    byte(distance).map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }

  mutating func next() throws -> QueryToken {
    skipSpace()
    let start = position
    let kind = try kind()
    return QueryToken(kind: kind, range: start..<position)
  }

  mutating func skipSpace() {
    while let next = byte(), next == 0x20 || (0x09...0x0D).contains(next) { position += 1 }
  }

  private mutating func kind() throws -> QueryToken.Kind {
    guard let first = byte() else { return .end }
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try string(quote: first))
    case UInt8(ascii: "`"): return .name(try quotedName())
    case UInt8(ascii: "$"): return try variable()
    case UInt8(ascii: "@"): return try attribute()
    case UInt8(ascii: "%"):
      if byte(1) == UInt8(ascii: "@") {
        position += 2
        return .nextArgument
      }
      if byte(1) == UInt8(ascii: "K"), !isNamePart(at: position + 2) {
        position += 2
        return .nextName
      }
      if let (format, length) = QueryFormat.first(of: source.bytes[(position + 1)...]),
        !isNamePart(at: position + 1 + length)
      {
        position += 1 + length
        return .nextFormatted(format)
      }
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "."):
      if isDigit(1) { return try number() }
    default:
      if let word = word() { return .word(word) }
    }
    return try symbol(first)
  }

  private mutating func symbol(_ first: UInt8) throws -> QueryToken.Kind {
    if let second = byte(1), second < 0x80, first < 0x80 {
      let both = String(decoding: [first, second], as: UTF8.self)
      if Self.symbols2.contains(both) {
        position += 2
        return .symbol(both)
      }
    }
    guard Self.symbols1.contains(first) else {
      let rest = String(decoding: source.bytes[position...].prefix(8), as: UTF8.self)
      throw source.error(
        "The text of the query does not follow the grammar.",
        at: position,
        found: "'\(rest.prefix(1))'",
        expected: "a name, a value or an operator"
      )
    }
    position += 1
    return .symbol(String(decoding: [first], as: UTF8.self))
  }

  private mutating func variable() throws -> QueryToken.Kind {
    position += 1
    if isDigit() {
      var number = 0
      while isDigit(), let digit = byte() {
        number = min(number * 10 + Int(digit - UInt8(ascii: "0")), 1_000_000)
        position += 1
      }
      return .argument(number)
    }
    guard let name = word() else { throw unexpected("a name or a number after $") }
    return .variable(name)
  }

  private mutating func attribute() throws -> QueryToken.Kind {
    position += 1
    guard let name = word() else { throw unexpected("a name after @, such as @count") }
    return .attribute(name)
  }

  func unexpected(_ expected: String) -> FiefError {
    let rest = String(decoding: source.bytes[min(position, source.bytes.count)...].prefix(8), as: UTF8.self)
    return source.error(
      "The text of the query does not follow the grammar.",
      at: position,
      found: rest.isEmpty ? "the end of the text" : "'\(rest.prefix(1))'",
      expected: expected
    )
  }

  /// Returns the Unicode scalar at an offset. The bytes come from a `String`, so they are well-formed UTF-8.
  private func scalar(at index: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    guard index < source.bytes.count else { return nil }
    let first = source.bytes[index]
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    let bytes = source.bytes[index..<min(index + length, source.bytes.count)]
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.first.map { ($0, length) }
  }

  private func isNamePart(at index: Int) -> Bool {
    scalar(at: index).map { QueryKeyword.isPart($0.scalar) } ?? false
  }

  /// Reads a name or a keyword. Returns `nil` if the position has neither.
  mutating func word() -> String? {
    guard let (first, length) = scalar(at: position), QueryKeyword.isStart(first) else { return nil }
    let start = position
    position += length
    while let (next, length) = scalar(at: position), QueryKeyword.isPart(next) { position += length }
    return String(decoding: source.bytes[start..<position], as: UTF8.self)
  }

  private mutating func quotedName() throws -> String {
    let start = position
    position += 1
    var name: [UInt8] = []
    while let next = byte() {
      position += 1
      if next == UInt8(ascii: "`") {
        guard byte() == UInt8(ascii: "`") else {
          if name.isEmpty { break }
          return String(decoding: name, as: UTF8.self)
        }
        position += 1
      }
      name.append(next)
    }
    throw source.error(
      "The name in backquotes is empty or has no closing backquote.",
      at: start,
      expected: "a name and a backquote"
    )
  }
}
