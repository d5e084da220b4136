import Fief
import FiefTorture
import Foundation

/// What damaged stores have answered: right, with an error, with a report, or wrong.
struct AnswerCount {
  private(set) var counts: [String: Int] = [:]
  /// The wrong answers of the store at hand.
  private var wrong: [String] = []
  /// Whether only keys of the store at hand are damaged, and its format has no checksums of keys.
  var hasUncoveredDamage = false

  mutating func add(_ name: String) { counts[name, default: 0] += 1 }

  /// Counts an answer.
  ///
  /// - Parameter isReported: whether an event came with it.
  mutating func judge(
    _ name: String,
    _ answer: StoreReadings.Answer,
    right: StoreReadings.Answer,
    isReported: Bool = false
  ) {
    switch answer {
    case right: add("right answers")
    case .error(let code): add("answers with error \(code)")
    case _ where isReported: add("answers that were reported")
    case .text(let text), .other(let text): wrong.append("\(name): \(Self.difference(text, right))")
    }
  }

  /// What an answer has where it begins to differ from the right one, and what that has there.
  private static func difference(_ text: String, _ right: StoreReadings.Answer) -> String {
    guard case .text(let expected) = right else { return "\(text.prefix(200)) instead of \(right)" }
    let start = max(0, text.commonPrefix(with: expected).count - 40)
    return "…\(text.dropFirst(start).prefix(120))… instead of …\(expected.dropFirst(start).prefix(120))…"
  }

  /// Checks the store, and prints its wrong answers where the check finds nothing.
  ///
  /// A key, or a number in an index, has no checksum: what is changed there leads elsewhere, and only the check compares the
  /// trees.
  mutating func finish(_ place: String, check: () throws -> Bool) {
    var isFound = true
    do {
      isFound = try !check()
      add(isFound ? "the check finds the damage" : "the check finds nothing")
    } catch { add("error of the check") }
    for text in wrong {
      if isFound {
        add("wrong answers of stores whose damage the check finds")
      } else if hasUncoveredDamage {
        add("wrong answers of keys that have no checksum in the old format")
      } else {
        add("wrong answers")
        say("wrong \(place): \(text)".replacing("\n", with: " "))
      }
    }
    wrong = []
  }

  func print() {
    for (name, count) in counts { say("outcome \(count) \(name)") }
  }
}
