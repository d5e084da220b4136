/// A problem that the converter leaves to the user, with its line.
struct ConversionNote: Equatable {
  let line: Int
  let text: String
}

/// The conversion of one file.
struct FileConversion {
  let source: SwiftSource
  /// The edits in the order of their positions, without overlaps.
  var edits: [TextEdit] = []
  var notes: [ConversionNote] = []
  /// The number of properties that became `@Persisted`.
  var properties = 0
  /// Whether the file stays unchanged because its edits overlap.
  var isLeft = false

  /// Adds a note. The same use twice in a line is one note.
  mutating func note(_ line: Int, _ text: String) {
    let note = ConversionNote(line: line, text: text)
    if notes.last != note { notes.append(note) }
  }

  /// Removes tokens, and the space before the next token or comment.
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
