import Fief
import FiefTree

/// Values whose orders are close to one another.
package enum RandomValues {
  package static func leaves(using random: inout SeededRandom) -> [JSON] {
    var leaves: [JSON] = [
      .null, true, false, 0, .double(-0.0), 1, 1.0, -1, .int(.max), .int(.min), .double(0x1p63),
      .double(-0x1p63),
      .int(9_007_199_254_740_993), .double(9_007_199_254_740_992), "", "a", "a\0", "\u{1}", "\u{3}",
      "\u{10FFFF}",
    ]
    for _ in 0..<4 { leaves.append(.string(text(using: &random))) }
    return leaves
  }

  /// Returns a text around the lengths at which the keys of indexes are cut.
  static func text(using random: inout SeededRandom) -> String {
    let length =
      [1, 200, 440, 450, 455, 460, 465, 466, 467, 468, 480, 600].randomElement(using: &random) ?? 1
    var text = String(repeating: "x", count: max(length - 6, 0))
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      text.unicodeScalars.append(
        ["a", "\u{1}", "\u{E9}", "\u{FFFF}", "\u{10FFFF}"].randomElement(using: &random) ?? "a"
      )
    }
    return text
  }

  package static func value(_ names: [String], _ leaves: [JSON], _ depth: Int, _ random: inout SeededRandom)
    -> JSON
  {
    if depth < 3, Int.random(in: 0..<3, using: &random) > 0 {
      return leaves.randomElement(using: &random) ?? .null
    }
    if depth == 0 { return leaves.randomElement(using: &random) ?? .null }
    let members = (0..<Int.random(in: 1...(depth == 3 ? 20 : 3), using: &random)).map { _ in
      (names.randomElement(using: &random) ?? "a", value(names, leaves, depth - 1, &random))
    }
    return .object(FiefTree.JSONObject(members))
  }
}
