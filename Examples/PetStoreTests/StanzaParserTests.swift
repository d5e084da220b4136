import Testing

@testable import PetStoreKit

@Suite("Reading a package index") struct StanzaParserTests {
  /// Feeds a text in pieces of one size and returns what came out.
  private func parse(_ bytes: [UInt8], piece: Int = .max, limit: Int = 1 << 20) -> [StanzaParser.Event] {
    var events: [StanzaParser.Event] = []
    var parser = StanzaParser(limit: limit)
    var start = 0
    while start < bytes.count {
      let end = bytes.count - start > piece ? start + piece : bytes.count
      parser.consume(bytes[start..<end]) { events.append($0) }
      start = end
    }
    parser.finish { events.append($0) }
    return events
  }

  private func parse(_ text: String, piece: Int = .max, limit: Int = 1 << 20) -> [StanzaParser.Event] {
    parse(Array(text.utf8), piece: piece, limit: limit)
  }

  private func stanzas(_ events: [StanzaParser.Event]) -> [Stanza] {
    events.compactMap { if case .stanza(let stanza) = $0 { stanza } else { nil } }
  }

  private func problems(_ events: [StanzaParser.Event]) -> [StanzaProblem] {
    events.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
  }

  @Test("The same stanzas come out whatever the size of the pieces", arguments: [1, 2, 3, 7, 64, 4096, .max])
  func pieces(size: Int) throws {
    let events = parse(Fixtures.index, piece: size)
    #expect(problems(events).isEmpty)
    let found = stanzas(events)
    #expect(found.map { $0[.package] } == ["0ad", "libc6", "fonts-nötö", "mailbox"])
    #expect(found.map(\.line) == [1, 18, 33, 42])
    let tags = try #require(found[0][.tag])
    #expect(tags.split(separator: "\n").count == 3)
    #expect(tags.hasSuffix("x11::application"))
  }

  @Test("Folded lines are joined, and a dot line of a long description stays")
  func folded() {
    let text = "Package: a\nDescription: short\n first\n .\n \tsecond  \nVersion: 1\n"
    let found = stanzas(parse(text))
    #expect(found.count == 1)
    #expect(found.first?[.description] == "short\nfirst\n.\nsecond")
    #expect(found.first?[.version] == "1")
  }

  @Test("Names of fields are told apart without their case, and unknown fields are passed over")
  func names() {
    let found = stanzas(parse("PACKAGE: a\nSHA256: 00\n folded: of an unknown field\nvErSiOn:1\n"))
    #expect(found == [Stanza(line: 1, fields: [.package: "a", .version: "1"])])
  }

  @Test("Many empty lines, lines of blanks, comments and Windows line ends make no stanzas")
  func separators() {
    let text = "\n\n# comment\r\nPackage: a\r\n# inside\r\nVersion: 1\r\n \t\r\n\n\nPackage: b\n\n"
    let found = stanzas(parse(text))
    #expect(found.map { $0[.package] } == ["a", "b"])
    #expect(found.first?[.version] == "1")
  }

  @Test("Bytes that are not UTF-8 are replaced, and the rest of the value is kept")
  func invalidUnicode() {
    let bytes = Array("Package: a\nMaintainer: J".utf8) + [0xF6, 0xFF] + Array("rg\nVersion: 1\n".utf8)
    #expect(stanzas(parse(bytes)).first?[.maintainer] == "J\u{FFFD}\u{FFFD}rg")
  }

  @Test("A field of 300,000 bytes is read whole", arguments: [1000, .max])
  func hugeField(piece: Int) {
    let names = (0..<25_000).map { "package-\($0)" }.joined(separator: ", ")
    let found = stanzas(parse("Package: a\nDepends: \(names)\n\nPackage: b\n", piece: piece))
    #expect(found.count == 2)
    #expect(found.first?[.depends] == names)
  }

  @Test(
    "A stanza over the limit is reported and passed over, in one line or in many",
    arguments: [
      String(repeating: "x", count: 5000), Array(repeating: "x", count: 2000).joined(separator: "\n "),
    ]
  )
  func overTheLimit(value: String) {
    let text = "Package: a\n\nPackage: big\nDepends: \(value)\nVersion: 1\n\nPackage: c\n"
    for piece in [16, 1024, Int.max] {
      let events = parse(text, piece: piece, limit: 1024)
      #expect(stanzas(events).map { $0[.package] } == ["a", "c"])
      #expect(problems(events).map(\.kind) == [.tooLarge(limit: 1024)])
    }
  }

  @Test("Input that ends in the middle of a line loses that stanza only, and says so")
  func truncated() {
    let whole = Array(Fixtures.index.utf8)
    let events = parse(Array(whole.dropLast(20)))
    #expect(stanzas(events).count == 3)
    #expect(problems(events).map(\.kind) == [.truncated])
  }

  @Test("Input cut at any place gives only stanzas that the whole input has, or shorter ones")
  func cutAnywhere() {
    let whole = Array(Fixtures.index.utf8)
    let all = stanzas(parse(whole))
    for length in 0..<whole.count {
      let found = stanzas(parse(Array(whole.prefix(length))))
      #expect(found.count <= all.count)
      for (stanza, original) in zip(found, all) {
        #expect(stanza.line == original.line, "cut after \(length) bytes")
        for (field, value) in stanza.fields {
          let isWhole = original[field] == value || original[field]?.hasPrefix(value + "\n") == true
          #expect(isWhole, "cut after \(length) bytes: \(field)")
        }
      }
    }
  }

  @Test("A stanza that is wrong is passed over, and the next one is read")
  func wrongStanzas() {
    let text = """
      Package: a
      this is no field

       continuation of nothing

      Package: b
      Package: again

      : no name

      Package: good
      Version: 1

      """
    let events = parse(text)
    #expect(stanzas(events).map { $0[.package] } == ["good"])
    #expect(
      problems(events).map(\.kind) == [
        .notAField, .continuationWithoutField, .duplicateField("package"), .notAField,
      ]
    )
    #expect(problems(events).map(\.line) == [2, 4, 7, 9])
  }

  @Test("Random bytes never stop the parser")
  func randomBytes() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("aP:\n\n \t#\r-".utf8) + [0, 0xFF, 0xC3]
    for _ in 0..<300 {
      let bytes = (0..<Int.random(in: 0...400, using: &random)).compactMap { _ in
        alphabet.randomElement(using: &random)
      }
      let events = parse(
        bytes + Array("\n\nPackage: last\n".utf8),
        piece: Int.random(in: 1...50, using: &random)
      )
      #expect(stanzas(events).last?[.package] == "last", "seed \(seed)")
    }
  }
}
