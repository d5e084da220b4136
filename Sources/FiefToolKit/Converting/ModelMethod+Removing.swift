extension FileConversion {
  /// Removes a method and its lines. Comments stay: the comments inside the method take its place, and a
  /// documentation comment above it becomes a plain comment, because it would otherwise document the next
  /// declaration.
  mutating func remove(_ method: SwiftDeclaration) {
    let bytes = source.bytes
    var range = source.bytes(of: method.tokens)
    let inside = source.comments.filter { range.contains($0.lowerBound) }
    makePlain(above: range.lowerBound)
    let first = source.line(source.line(at: range.lowerBound))
    let last = source.line(source.line(at: range.upperBound - 1))
    let isBlankBefore = Self.isBlank(bytes[first.lowerBound..<range.lowerBound])
    if !inside.isEmpty {
      let indentation =
        isBlankBefore ? String(decoding: bytes[first.lowerBound..<range.lowerBound], as: UTF8.self) : ""
      let comments = inside.map { String(decoding: bytes[$0], as: UTF8.self) }
      return replace(range, with: comments.joined(separator: source.newline + indentation))
    }
    guard isBlankBefore, Self.isBlank(bytes[range.upperBound..<last.upperBound]) else {
      let rest = bytes[range.upperBound..<last.upperBound].prefix { $0 == 0x20 || $0 == 0x3B }
      return replace(range.lowerBound..<rest.endIndex, with: "")
    }
    range = first.lowerBound..<last.upperBound
    // Keeps one of the blank lines on both sides, and none at the beginning and end of the body.
    var start = range.lowerBound
    while let removed = edits.first(where: { $0.range.upperBound == start && $0.text.isEmpty }) {
      start = removed.range.lowerBound
    }
    let below = blankLine(at: range.upperBound)
    if let above = blankLine(before: start), below != nil || isBeforeBrace(range.upperBound) {
      replace(above, with: "")
    } else if let below, isAfterBrace(start) {
      range = range.lowerBound..<below.upperBound
    }
    replace(range, with: "")
  }

  private static func isBlank(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
  }

  private func blankLine(at start: Int) -> Range<Int>? {
    guard start < source.bytes.count else { return nil }
    let line = source.line(source.line(at: start))
    return Self.isBlank(source.bytes[line]) ? line : nil
  }

  private func blankLine(before start: Int) -> Range<Int>? { start > 0 ? blankLine(at: start - 1) : nil }

  private func isBeforeBrace(_ end: Int) -> Bool {
    source.bytes[end...].first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "}")
  }

  private func isAfterBrace(_ start: Int) -> Bool {
    source.bytes[..<start].last { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == UInt8(ascii: "{")
  }

  /// Turns the documentation comments directly above a position into plain comments.
  private mutating func makePlain(above place: Int) {
    var line = source.line(at: place) - 1
    while line > 0 {
      let range = source.line(line)
      guard let comment = source.comments.last(where: { range.overlaps($0) }),
        Self.isBlank(
          source.bytes[source.line(source.line(at: comment.lowerBound)).lowerBound..<comment.lowerBound]
        ),
        Self.isBlank(source.bytes[min(comment.upperBound, range.upperBound)..<range.upperBound])
      else { return }
      let text = source.bytes[comment]
      let isLine = text.starts(with: Array("///".utf8))
      if isLine || text.starts(with: Array("/**".utf8)), text.count > 4 || isLine {
        edits.append(TextEdit(range: comment.lowerBound + 2..<comment.lowerBound + 3, text: ""))
      }
      line = source.line(at: comment.lowerBound) - 1
    }
  }
}
