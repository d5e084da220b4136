/// Something that the converter left to the reader, with its place.
struct ConversionNote {
  let line: Int
  let text: String
}

/// What the converter makes of one file.
struct FileConversion {
  let source: SwiftSource
  /// In the order of their places, and apart from each other.
  var edits: [TextEdit] = []
  var notes: [ConversionNote] = []
  /// The number of properties that became `@Persisted`.
  var properties = 0
  /// Whether the file stays as it is because its changes do not fit together.
  var isLeft = false

  mutating func note(_ line: Int, _ text: String) { notes.append(ConversionNote(line: line, text: text)) }

  /// Removes tokens, and the space up to the next token or comment.
  mutating func remove(_ tokens: Range<Int>) {
    let range = source.bytes(of: tokens)
    let next =
      source.tokens.indices.contains(tokens.upperBound)
      ? source.tokens[tokens.upperBound].range.lowerBound : nil
    let comment = source.comments.first { $0.lowerBound >= range.upperBound }?.lowerBound
    let end = next.map { min($0, comment ?? $0) } ?? range.upperBound
    edits.append(TextEdit(range: range.lowerBound..<end, text: ""))
  }

  mutating func replace(_ range: Range<Int>, with text: String) {
    edits.append(TextEdit(range: range, text: text))
  }

  /// The bytes of the converted file.
  var result: [UInt8] { edits.applied(to: source.bytes) }
}
