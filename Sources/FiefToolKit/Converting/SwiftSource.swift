/// The source code of one file as tokens.
struct SwiftSource {
  let path: String
  let bytes: [UInt8]
  let tokens: [SwiftToken]
  let comments: [Range<Int>]
  /// For each bracket the index of the matching bracket; for other tokens their own index.
  private let partners: [Int]
  private let lineStarts: [Int]

  /// - Throws: ``SwiftSyntaxError`` if a string, a comment or a bracket is not terminated.
  init(path: String, bytes: [UInt8]) throws {
    self.path = path
    self.bytes = bytes
    let lexer = try SwiftLexer(bytes)
    tokens = lexer.tokens
    comments = lexer.comments
    partners = try Self.partners(of: tokens)
    lineStarts = [0] + bytes.indices.filter { bytes[$0] == 0x0A && $0 + 1 < bytes.count }.map { $0 + 1 }
  }

  private static func partners(of tokens: [SwiftToken]) throws -> [Int] {
    var partners = Array(tokens.indices)
    var open: [Int] = []
    let closing = [")": "(", "]": "[", "}": "{"]
    for (index, token) in tokens.enumerated() where token.kind == .symbol {
      if ["(", "[", "{"].contains(token.text) { open.append(index) }
      guard let opening = closing[token.text] else { continue }
      guard let last = open.popLast(), tokens[last].text == opening else {
        throw SwiftSyntaxError(
          offset: token.range.lowerBound,
          message: "The bracket has no matching opening bracket."
        )
      }
      partners[index] = last
      partners[last] = index
    }
    if let last = open.last {
      throw SwiftSyntaxError(offset: tokens[last].range.lowerBound, message: "The bracket is not closed.")
    }
    return partners
  }

  /// Returns the index of the matching bracket.
  func partner(of index: Int) -> Int { partners[index] }

  /// Returns the text of a token, or an empty text if the index is out of range.
  func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }

  /// Returns the range of bytes from the first to the last token of a range.
  func bytes(of range: Range<Int>) -> Range<Int> {
    tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
  }

  /// Returns the source code of some tokens as written.
  func text(of range: Range<Int>) -> String {
    range.isEmpty ? "" : String(decoding: bytes[bytes(of: range)], as: UTF8.self)
  }

  /// Whether a token follows the previous token without a space.
  func isAdjacent(_ index: Int) -> Bool {
    index > 0 && tokens.indices.contains(index)
      && tokens[index - 1].range.upperBound == tokens[index].range.lowerBound
  }

  /// Returns the words between the name of a type and its opening brace.
  func conformances(at keyword: Int) -> [String] {
    var words: [String] = []
    var index = keyword + 2
    while tokens.indices.contains(index), !["{", "}", ";"].contains(text(index)) {
      words.append(text(index))
      index += 1
    }
    return words
  }

  func hasComment(in range: Range<Int>) -> Bool { comments.contains { $0.overlaps(range) } }

  var lineCount: Int { lineStarts.count }

  /// Returns the line number of a position, starting at 1.
  func line(at offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  func line(ofToken index: Int) -> Int { line(at: tokens[index].range.lowerBound) }

  /// Returns the bytes of a line, including its newline. Line numbers start at 1.
  func line(_ number: Int) -> Range<Int> {
    lineStarts[number - 1]..<(number < lineStarts.count ? lineStarts[number] : bytes.count)
  }

  /// The newline characters that the file uses.
  var newline: String {
    guard let first = bytes.firstIndex(of: 0x0A), first > 0, bytes[first - 1] == 0x0D else { return "\n" }
    return "\r\n"
  }
}
