extension Format {
  /// Returns the number of columns that a text takes on a terminal. East Asian characters and emoji take two.
  package static func width(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + width($1) }
  }

  private static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    return wide.contains { $0.contains(scalar.value) } || scalar.properties.isEmojiPresentation ? 2 : 1
  }

  /// The ranges of characters whose East Asian Width in Unicode is wide.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]

  /// Returns text truncated to a number of columns, with a mark if characters were omitted.
  package static func cut(_ text: String, to columns: Int) -> String {
    guard width(text) > columns else { return text }
    var (result, used) = ("", 1)
    for character in text {
      used += width(character)
      if used > columns { break }
      result.append(character)
    }
    return result + "…"
  }
}
