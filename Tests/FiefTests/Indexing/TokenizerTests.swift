import Fief
import Foundation
@_spi(_Unicode) import Swift
import Testing

@testable import FiefCore

@Suite(.timeLimit(.minutes(20))) struct TokenizerTests {
  private func words(_ text: String) -> [String] {
    var result: [String] = []
    text.forEachWord {
      #expect($0.position == result.count)
      result.append(String(decoding: $0.bytes, as: UTF8.self))
      return true
    }
    return result
  }

  @Test(
    arguments: [
      ("", []), ("  ,.!?—…", []), ("Hello, World!", ["hello", "world"]),
      ("don't can\u{2019}t 'quoted' rock'n'roll", ["don't", "can't", "quoted", "rock'n'roll"]),
      ("3.14 1,000 12:30 v2 2nd", ["3.14", "1,000", "12", "30", "v2", "2nd"]),
      ("example.com e.g. end.", ["example.com", "e.g", "end"]), ("snake_case __ _x", ["snake_case", "_x"]),
      ("key:value a-b a/b", ["key", "value", "a", "b", "a", "b"]),
      ("Café NAÏVE Ångström e\u{301}te", ["cafe", "naive", "angstrom", "ete"]),
      ("Straße ΟΔΟΣ οδός Ёлка İstanbul", ["strasse", "οδοσ", "οδοσ", "елка", "istanbul"]),
      ("ﬁne Ｆｕｌｌ１２", ["fine", "full12"]), ("東京都", ["東京", "京都", "都"]), ("東", ["東"]),
      ("日本語 text 中", ["日本", "本語", "語", "text", "中"]), ("abc東京def", ["abc", "東京", "京", "def"]),
      ("ひらがなカタ", ["ひら", "らが", "がな", "なカ", "カタ", "タ"]), ("한국어", ["한국", "국어", "어"]),
      ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", ["한국", "국"]), ("a👍b 🎉", ["a", "b"]),
      ("привет мир", ["привет", "мир"]), ("مرحبا", ["مرحبا"]),
    ] as [(String, [String])]
  )
  func texts(text: String, expected: [String]) {
    #expect(words(text) == expected)
  }

  @Test func longWordsEndAndBytesThatAreNoTextSeparate() {
    let long = words(String(repeating: "x", count: 1000) + " y")
    #expect(long == [String(repeating: "x", count: Tokenizer.longestWord), "y"])
    #expect(words(String(repeating: "й", count: 500)) == [String(repeating: "и", count: 60)])
    var tokenizer = Tokenizer()
    var found: [[UInt8]] = []
    [UInt8]([0x61, 0xFF, 0x62, 0xC3]).withUnsafeBytes { bytes in
      tokenizer.forEach(bytes) {
        found.append(Array($0.bytes))
        return true
      }
    }
    #expect(found == [[0x61], [0x62]])
  }

  /// The standard library has the boundaries of UAX #29, for itself.
  @Test func boundariesAreThoseOfTheStandard() {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = MigrationRandom(seed: seed)
    let alphabet = Array("ab1 2.'’,;_-!éяΩ\u{301} ·/\u{2027}(")
    for round in 0..<5000 {
      let length = Int.random(in: 0..<12, using: &random)
      let text = String(
        (0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
      )
      var expected: [String] = []
      var start = text.startIndex
      while start < text.endIndex {
        let end = text._wordIndex(after: start)
        let word = text[start..<end]
        if word.unicodeScalars.contains(where: {
          $0.properties.isAlphabetic || $0.properties.numericType != nil
        }) {
          var folded: [UInt8] = []
          for scalar in word.unicodeScalars {
            if scalar.isASCII {
              folded += Array(String(scalar).lowercased().utf8)
            } else {
              WordFolding.append(scalar, to: &folded)
            }
          }
          expected.append(String(decoding: folded, as: UTF8.self))
        }
        start = end
      }
      #expect(words(text) == expected, "seed \(seed), round \(round): \(text.debugDescription)")
    }
  }

  @Test(
    arguments: [
      ("apple tree", "A tree of Apples, an apple", true), ("apple tree", "trees of apple", false),
      ("app*", "some Apples", true), ("app*", "snapple", false), ("\"apple tree\"", "the apple tree", true),
      ("\"apple tree\"", "tree apple", false), ("-apple tree", "a tree", true),
      ("-apple tree", "apple tree", false),
      ("-apple", "pear", true), ("-apple", "", true), ("", "anything", false), ("...", "anything", false),
      ("-\"apple tree\" pear", "apple pear tree", true), ("-\"apple tree\" pear", "pear apple tree", false),
      ("東", "京東", true), ("東京", "東京都", true), ("東京都", "東京の都", false), ("京", "東京", true),
      ("\"東京 tower\"", "東京 tower", true), ("\"東京\"", "大東京圏", true), ("-京", "東京", false),
      ("a-b", "b x a", true), ("-a-b", "b x a", true), ("-a-b x", "x a b", false), ("CAFÉ", "cafe", true),
      ("\"unclosed phrase", "an unclosed phrase", true), ("foo\"bar baz\"", "foo bar baz", true),
      ("- x", "x", true),
      ("\"to be to", "to be or to be to", true), ("*", "x", false), ("\"app* tree\"", "apple tree", false),
    ] as [(String, String, Bool)]
  )
  func queries(query: String, text: String, expected: Bool) {
    #expect(FullTextQuery(parsing: query).matches(text) == expected)
  }
}
