import Foundation

/// Folding, patterns and words as the documents describe them.
enum PlainText {
  struct Options: OptionSet, Hashable, Sendable {
    let rawValue: Int
    static let withoutCase = Options(rawValue: 1)
    static let withoutDiacritics = Options(rawValue: 2)

    var text: String {
      switch rawValue {
      case 1: "[c]"
      case 2: "[d]"
      case 3: "[cd]"
      default: ""
      }
    }
  }

  private static let marks: [ClosedRange<UInt32>] = [
    0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
  ]

  static func folded(_ text: String, _ options: Options) -> String {
    var text = text
    if options.contains(.withoutDiacritics) {
      var kept = String.UnicodeScalarView()
      for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars
      where !marks.contains(where: { $0.contains(scalar.value) }) { kept.append(scalar) }
      text = String(kept).precomposedStringWithCanonicalMapping
    }
    if options.contains(.withoutCase) {
      text = mapped(mapped(mapped(text, \.lowercaseMapping), \.uppercaseMapping), \.lowercaseMapping)
    }
    return text
  }

  private static func mapped(_ text: String, _ mapping: KeyPath<Unicode.Scalar.Properties, String>) -> String
  {
    text.unicodeScalars.map { $0.properties[keyPath: mapping] }.joined()
  }

  /// Whether a text matches a pattern: `?` is one scalar, `*` any number, a backslash takes what follows literally.
  static func isLike(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
    // What has matched before each place of the text, for one piece of the pattern after the other.
    var reached = Set([text.startIndex])
    var pattern = pattern
    while let first = pattern.popFirst(), !reached.isEmpty {
      switch first {
      case "*": reached = Set((reached.min() ?? text.endIndex)...text.endIndex)
      case "?": reached = Set(reached.filter { $0 < text.endIndex }.map { $0 + 1 })
      default:
        let literal = first == "\\" ? pattern.popFirst() ?? first : first
        reached = Set(reached.filter { $0 < text.endIndex && text[$0] == literal }.map { $0 + 1 })
      }
    }
    return reached.contains(text.endIndex)
  }

  /// The words of a text without case and accents.
  ///
  /// - Throws: ``Undecided`` for a text of which the documents do not say what its words are.
  private static func words(of text: String) throws -> [String] {
    let folded = folded(text, [.withoutCase, .withoutDiacritics])
    guard
      folded.unicodeScalars.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || " ,.".unicodeScalars.contains($0))
      })
    else { throw Undecided() }
    let words = folded.split { !$0.isLetter }.map(String.init)
    guard words.allSatisfy({ $0.utf8.count < 40 }) else { throw Undecided() }
    return words
  }

  /// Whether a text has what a full-text condition asks for.
  static func matches(_ text: String?, _ parts: [TextPart]) throws -> Bool {
    guard let text else { return false }
    let words = try words(of: text)
    return try parts.allSatisfy { part in
      let asked = try self.words(of: part.words.joined(separator: " "))
      let isThere = words.indices.contains { start in
        guard start + asked.count <= words.count else { return false }
        return asked.indices.allSatisfy { index in
          let word = words[start + index]
          return part.isPrefix ? word.hasPrefix(asked[index]) : word == asked[index]
        }
      }
      return isThere != part.isExcluded
    }
  }

  /// A part of a full-text condition: a word, the beginning of one, or words in a row.
  struct TextPart: Hashable, Sendable {
    var words: [String]
    var isPrefix = false
    var isExcluded = false

    var text: String {
      (isExcluded ? "-" : "") + (words.count > 1 ? "\"\(words.joined(separator: " "))\"" : words[0])
        + (isPrefix ? "*" : "")
    }
  }
}
