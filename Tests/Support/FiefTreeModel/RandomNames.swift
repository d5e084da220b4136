/// Names around every limit of the storage.
package struct RandomNames {
  /// Scalars of one to four bytes, the first and the last of their lengths among them.
  private static let scalars: [Unicode.Scalar] = [
    "a", "b", "~", " ", "\u{80}", "\u{9F}", "\u{E9}", "\u{301}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}",
    "\u{FFFF}", "\u{10000}", "\u{1F600}", "\u{10FFFF}",
  ]
  private static let lengths = [
    1, 2, 9, 10, 199, 200, 201, 252, 253, 254, 255, 256, 257, 258, 259, 260, 509, 512, 513, 768,
  ]

  package static func name(using random: inout SeededRandom) -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: return ["a", "b", "c", "e\u{301}", "\u{E9}"].randomElement(using: &random) ?? "a"
    case 4: return integer(using: &random)
    case 5: return long(lengths.randomElement(using: &random) ?? 256, using: &random)
    case 6:
      // Names that share a long beginning.
      let count = Int.random(in: 250...257, using: &random)
      return String(repeating: "x", count: count)
        + text(of: Int.random(in: 0...8, using: &random), using: &random)
    default: return text(of: Int.random(in: 1...5, using: &random), using: &random)
    }
  }

  private static func integer(using random: inout SeededRandom) -> String {
    let values = [
      0, 1, -1, 9, 10, 2_147_483_647, -2_147_483_648, 2_147_483_648, -2_147_483_649, 9_999_999_999,
    ]
    let value =
      Bool.random(using: &random)
      ? values.randomElement(using: &random) ?? 0 : Int.random(in: -50...50, using: &random)
    let zeros = [0, 0, 0, 1, 2, 255, 260, 700].randomElement(using: &random) ?? 0
    let isNegative = value < 0 || Int.random(in: 0..<8, using: &random) == 0
    return (isNegative ? "-" : "") + String(repeating: "0", count: zeros) + String(value.magnitude)
  }

  private static func text(of count: Int, using random: inout SeededRandom) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<count { text.append(scalars.randomElement(using: &random) ?? "a") }
    return text.isEmpty ? "a" : String(text)
  }

  /// Returns a name with exactly this number of bytes.
  private static func long(_ bytes: Int, using random: inout SeededRandom) -> String {
    var text = String.UnicodeScalarView()
    // Few different beginnings, so that many names share pieces.
    let filler: Unicode.Scalar =
      ["a", "\u{E9}", "\u{FFFF}", "\u{1F600}"].randomElement(using: &random) ?? "a"
    var count = 0
    while count < bytes {
      let isNearEnd = bytes - count < 12 || (245...260).contains(count)
      let scalar = isNearEnd ? scalars.randomElement(using: &random) ?? "a" : filler
      let width = UTF8.width(scalar)
      if count + width > bytes {
        text.append("a")
        count += 1
      } else {
        text.append(scalar)
        count += width
      }
    }
    return String(text)
  }
}
