/// Splits a Debian control file into stanzas, from pieces of any size, in bounded memory.
///
/// A package index is a text of some 50 MB in the deb822 format: `Name: value` lines, folded lines
/// that begin with a blank, stanzas apart by empty lines. The parser keeps one stanza at a time and
/// refuses one that is larger than its limit, so its memory does not depend on its input. A stanza
/// that is wrong is reported and passed over; the next one is read as usual.
struct StanzaParser: Sendable {
  /// The parser's finding.
  enum Event: Sendable, Equatable {
    case stanza(Stanza)
    case problem(StanzaProblem)
  }

  private let limit: Int
  /// The wanted fields by the lengths of their names, so that most others are excluded by length alone.
  private let wanted: [[(name: [UInt8], field: Stanza.Field)]]
  /// The beginning of a line whose end has not arrived.
  private var partial: [UInt8] = []
  private var lineNumber = 0
  private var stanza: Stanza?
  private var size = 0
  /// The field that a folded line would continue; nil inside a field that is not wanted.
  private var field: Stanza.Field?
  private var value: [UInt8] = []
  /// Set by the first problem of a stanza: the rest of it is passed over.
  private var isSkipping = false

  /// Makes a parser that takes stanzas of at most `limit` bytes.
  init(limit: Int = 1 << 20) {
    self.limit = limit
    let names = Stanza.Field.allCases.map { (name: Array($0.rawValue.utf8), field: $0) }
    let longest = names.map(\.name.count).max() ?? 0
    wanted = (0...longest).map { length in names.filter { $0.name.count == length } }
  }

  /// Takes the next piece of the input and hands out what is complete.
  mutating func consume(_ bytes: ArraySlice<UInt8>, _ body: (Event) throws -> Void) rethrows {
    var rest = bytes
    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if partial.isEmpty {
        try take(rest[..<newline], body)
      } else {
        keep(rest[..<newline])
        let line = partial
        partial.removeAll(keepingCapacity: true)
        try take(line[...], body)
      }
      rest = rest[rest.index(after: newline)...]
    }
    keep(rest)
  }

  /// Says that the input has ended; a line without its end is reported, and its stanza not taken.
  mutating func finish(_ body: (Event) throws -> Void) rethrows {
    if !partial.isEmpty {
      lineNumber += 1
      partial.removeAll()
      if !isSkipping { try report(.truncated, body) }
    }
    try endStanza(body)
  }

  /// A line longer than the limit is refused by its length alone: one byte past it is enough to know.
  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    partial.append(contentsOf: bytes.prefix(limit + 1 - min(limit + 1, partial.count)))
  }

  private mutating func take(
    _ line: ArraySlice<UInt8>,
    _ body: (Event) throws -> Void
  ) rethrows {
    lineNumber += 1
    guard let first = line.first(where: { !Self.isBlank($0) }) else { return try endStanza(body) }
    if isSkipping { return }
    size += line.count + 1
    if size > limit { return try report(.tooLarge(limit: limit), body) }

    if let start = line.first, Self.isBlank(start) {
      guard stanza != nil else { return try report(.continuationWithoutField, body) }
      if field != nil {
        value.append(UInt8(ascii: "\n"))
        value.append(contentsOf: Self.trimmed(line))
      }
    } else if first != UInt8(ascii: "#") {
      try beginField(line, body)
    }
  }

  private mutating func beginField(
    _ line: ArraySlice<UInt8>,
    _ body: (Event) throws -> Void
  ) rethrows {
    endField()
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex else {
      return try report(.notAField, body)
    }
    if stanza == nil { stanza = Stanza(line: lineNumber) }
    guard let known = known(line[..<colon]) else { return }
    if stanza?[known] != nil { return try report(.duplicateField(known.rawValue), body) }
    field = known
    value.append(contentsOf: Self.trimmed(line[line.index(after: colon)...]))
  }

  private func known(_ name: ArraySlice<UInt8>) -> Stanza.Field? {
    guard name.count < wanted.count else { return nil }
    return wanted[name.count].first { candidate in
      zip(candidate.name, name).allSatisfy { $0 == ($1 >= 65 && $1 <= 90 ? $1 + 32 : $1) }
    }?.field
  }

  private mutating func endField() {
    if let field { stanza?.fields[field] = String(decoding: value, as: UTF8.self) }
    field = nil
    value.removeAll(keepingCapacity: true)
  }

  private mutating func endStanza(_ body: (Event) throws -> Void) rethrows {
    endField()
    if let stanza, !isSkipping { try body(.stanza(stanza)) }
    stanza = nil
    isSkipping = false
    size = 0
  }

  private mutating func report(
    _ kind: StanzaProblem.Kind,
    _ body: (Event) throws -> Void
  ) rethrows {
    isSkipping = true
    field = nil
    value.removeAll(keepingCapacity: true)
    try body(.problem(StanzaProblem(kind: kind, line: lineNumber)))
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = line.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
