import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// The folding of case and diacritics in texts, and the matches of LIKE.
@Suite struct TextFoldingTests {
  private func folded(_ text: String, _ options: QueryTextOptions) -> String {
    TextFolding.fold(text, options)
  }

  @Test(
    "Case is folded scalar by scalar",
    arguments: [
      ("ABCxyz@[`{", "abcxyz@[`{"), ("Straße", "strasse"), ("STRAẞE", "strasse"),
      ("ΣΑΣ", "σας".replacing("ς", with: "σ")),
      ("\u{212A}", "k"), ("ﬁ", "fi"), ("ſ", "s"), ("É", "é"), ("E\u{301}", "e\u{301}"), ("日本", "日本"),
      ("", ""),
    ]
  )
  func caseIsFolded(text: String, expected: String) {
    #expect(Array(folded(text, .caseInsensitive).utf8) == Array(expected.utf8))
  }

  @Test(
    "Marks are dropped, letters of their own stay",
    arguments: [
      ("é", "e"), ("e\u{301}", "e"), ("Ünïcödé", "Unicode"), ("ø", "ø"), ("ł", "ł"), ("が", "が"), ("한", "한"),
    ]
  )
  func diacriticsAreFolded(text: String, expected: String) {
    #expect(Array(folded(text, .diacriticInsensitive).utf8) == Array(expected.utf8))
  }

  /// Whether a scalar is in the short form: most ideographs and syllables, which have neither cases nor marks of their own, and
  /// the scalars without a meaning are in the long form only.
  private func isTelling(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3500..<0x9F00, 0x17000..<0x18D00, 0x20100..<0x2F700: false
    case 0xA000..<0xA48D, 0xAC00..<0xD7A4, 0x12000..<0x14680: scalar.value % 16 == 0
    default: ![.unassigned, .privateUse].contains(scalar.properties.generalCategory)
    }
  }

  @Test("Folding what is folded changes nothing", arguments: [1, 2, 3] as [UInt8])
  func foldingIsStable(options: UInt8) {
    let options = QueryTextOptions(rawValue: options)
    for value in (0 as UInt32)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value), TestEffort.isLong || isTelling(scalar) else { continue }
      let once = folded(String(scalar), options)
      let twice = folded(once, options)
      if Array(once.utf8) != Array(twice.utf8) { Issue.record("U+\(String(value, radix: 16))") }
    }
  }

  @Test("A pattern that goes wrong in many ways is refused at once")
  func likeIsNotExponential() {
    let text = Array(String(repeating: "a", count: 2000).utf8)
    let pattern = Array((String(repeating: "a*", count: 200) + "b").utf8)
    let matches = pattern.withUnsafeBytes { pattern in
      text.withUnsafeBytes { LikePattern(pattern).matches($0) }
    }
    #expect(!matches)
  }

  @Test("Numbers of different kinds are compared exactly")
  func numbers() {
    #expect(ExactNumbers.compare(Int128(Int64.max), 0x1p63) == -1)
    #expect(ExactNumbers.compare(Int128(Int64.max) + 1, 0x1p63) == 0)
    #expect(ExactNumbers.compare(Int128(2), 2.5) == -1)
    #expect(ExactNumbers.compare(Int128(-2), -2.5) == 1)
    #expect(ExactNumbers.compare(Int128(1), Double.nan) == nil)
    #expect(ExactNumbers.compare(Int128.max, Double.infinity) == -1)
    // 0.1 as a double is 0.1000000000000000055...
    #expect(ExactNumbers.compare(Decimal(1) / 10, 0.1) == -1)
    #expect(ExactNumbers.compare(Decimal(5) / 10, 0.5) == 0)
    #expect(ExactNumbers.compare(-Decimal(1) / 10, -0.1) == 1)
    #expect(ExactNumbers.compare(Decimal(0), Double.leastNonzeroMagnitude) == -1)
    #expect(ExactNumbers.compare(Decimal.greatestFiniteMagnitude, Double.greatestFiniteMagnitude) == -1)
    #expect(ExactNumbers.compare(Decimal(1), Int128(1)) == 0)
    #expect(ExactNumbers.compare(Decimal(Int64.max), Int128(Int64.max) + 1) < 0)
  }
}
