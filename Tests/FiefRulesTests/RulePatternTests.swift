import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import Testing

/// Regular expressions of rules.
struct RulePatternTests {
  private func client(_ pattern: String, _ flags: String = "") throws -> TreeClient {
    let expression = "root.child('t/' + $k).val().matches(/\(pattern)/\(flags))"
    return try RuleProbe(["t": ["a": "x"]]).tree(["rules": ["$k": [".read": .string(expression)]]]).client(
      as: nil
    )
  }

  private static let matching: [(pattern: String, text: String, matches: Bool)] = [
    ("bar", "a bar", true), ("bar", "BAR", false), ("^bar", "a bar", false), ("bar$", "bars", false),
    ("^$", "", true), ("^$", "a", false),
    ("^.$", "\u{E9}", true), ("^.$", "\u{1F600}", true), ("^.$", "e\u{301}", false),
    ("^[a-c]+$", "abcd", false), ("^[^a-c]+$", "xyz", true),
    ("^\\d{3}-\\d{4}$", "555-1234", true), ("^\\w+@\\w+\\.com$", "a@b.com", true),
    ("^\\w+@\\w+\\.com$", "a@b,com", false), ("^\\s*$", " \t\n", true),
    ("^\\S+$", "a b", false), ("^\\D$", "1", false), ("^\\W$", "-", true), ("^[\\w.-]+$", "a-b.c", true),
    ("^[a\\]b]+$", "]", true), ("^[\\^a]+$", "^a", true),
    ("^(ab|cd)+$", "abcdab", true), ("^(ab|cd)+$", "abc", false), ("^a{2,3}$", "aaaa", false),
    ("^a{2,}$", "aaaa", true), ("^a{2}$", "aa", true),
    ("^(a|)$", "", true), ("^()$", "", true), ("^[-a]$", "-", true), ("^[a-]$", "-", true),
    ("^\\/\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\^\\$$", "/.*+?()[]{}|^$", true),
    ("^[/]$", "/", true), ("^[.]$", "a", false), ("^[[:alpha:]+$", "a:[", true),
    ("^[[:alpha:]+$", "b", false), ("^\u{E9}+$", "\u{E9}\u{E9}", true),
    ("^[\u{E0}-\u{F0}]$", "\u{E9}", true), ("^a&&b~~#@!,;:='\\-_%<>$", "a&&b~~#@!,;:='-_%<>", true),
    ("^[&~+--]+$", "-", true), ("^.$", "\n", false),
    ("^a?b*c+$", "bbc", true), ("a.c", "a\u{0}c", true), ("^\\d$", "\u{0663}", false),
    ("^(a{1000}){1}$", String(repeating: "a", count: 1000), true),
  ]

  @Test func expressionsMatch() throws {
    for (pattern, text, matches) in Self.matching {
      let expression = JSON.string("newData.val().matches(/\(pattern)/)")
      let tree = try RuleProbe().tree(["rules": [".write": expression]])
      let place = tree.client(as: nil).root
      if matches {
        #expect(throws: Never.self, "\(pattern) \(text)") { try place.setValueAndWait(.string(text)) }
      } else {
        expectDenied { try place.setValueAndWait(.string(text)) }
      }
    }
  }

  @Test func aFlagIgnoresTheCase() throws {
    let probe = try RuleProbe(["x": ["a": "BaR \u{C9}"]])
    #expect(try probe.read("data.val().matches(/^bar \u{E9}$/i)") == .yes)
    #expect(try probe.read("data.val().matches(/^bar \u{E9}$/)") == .no)
    for flags in ["g", "ig", "ii", "m", "I"] {
      #expect(try probe.read("data.val().matches(/a/\(flags))") == .malformed)
    }
  }

  @Test(arguments: [
    "(?=a)", "(?!a)", "(?<=a)", "(?<n>a)", "(?:a)", "(?i)a", "\\1", "(a)\\1", "\\b", "\\B", "\\n", "\\t",
    "\\x41", "\\u0041", "\\p{L}", "\\Q", "\\A", "\\z", "\\C",
    "a*?", "a+?", "a??", "a{1}?", "a**", "a+*", "a{2}{3}", "*a", "+", "?a", "(*a)", "a|*b", "^*", "a{1001}",
    "a{2,1}", "a{", "a{}", "a{,2}", "a{1", "a{1,", "a{-1}",
    "a{99999999999999999999}", "a^b", "a|^b", "(^a)", "a$b", "$a", "(a$)", "a$|b", "(a", "a)", "()", "[",
    "[]", "[]a]", "[^]", "[a", "[z-a]", "[\\d-x]z-", "[a-\\d]",
    "]", "}", "a]", "\\", "[\\", "[\\q]", "[\\b]",
  ]) func everythingElseIsRefused(_ pattern: String) throws {
    // Some of them are complete only together with what follows.
    let isAccepted = ["()", "[\\d-x]z-"].contains(pattern)
    let probe = try RuleProbe(["x": ["a": "a"]])
    let verdict = try probe.read("data.val().matches(/\(pattern)/)")
    #expect((verdict != .malformed) == isAccepted, "\(pattern)")
  }

  @Test func anExpressionIsBounded() throws {
    let probe = try RuleProbe(["x": ["a": .string(String(repeating: "a", count: 100_000))]])
    let verdict = { (pattern: String) in try probe.read("data.val().matches(/\(pattern)/)") }
    #expect(try verdict(String(repeating: "a", count: 1024)) == .yes)
    #expect(try verdict(String(repeating: "a", count: 1025)) == .malformed)
    #expect(try verdict(String(repeating: "(", count: 64) + "a" + String(repeating: ")", count: 64)) == .yes)
    #expect(
      try verdict(String(repeating: "(", count: 65) + "a" + String(repeating: ")", count: 65)) == .malformed
    )
    // More than 1 MiB when compiled.
    #expect(try verdict("((a{100}){100}){100}") == .malformed)
    #expect(try verdict("(\\w{1000}|\\W{1000}){1000}") == .malformed)
    // These take exponential time in engines that backtrack.
    #expect(try verdict("^(a+)+b$") == .no)
    #expect(try verdict("^(a|a)*b$") == .no)
    #expect(try verdict("^(a*)*(a*)*(a*)*b$") == .no)
    #expect(try verdict("(.*)(.*)(.*)(.*)(.*)(.*)b") == .no)
  }

  /// An expression may take all of its instructions for each character of a text.
  @Test func aLargeExpressionCostsMoreSteps() throws {
    let probe = try RuleProbe(["x": ["a": .string(String(repeating: "ab", count: 1 << 20))]])
    func uses(_ pattern: String) -> String {
      Array(repeating: "data.val().matches(/\(pattern)/)", count: 6).joined(separator: " || ") + " || true"
    }
    #expect(try probe.read(uses("cxyz")) == .yes)
    #expect(try probe.read(uses("c(xyz){400}")) == .failed)
    #expect(try probe.read(uses("c(xyz){400}").replacing("data.val()", with: "$k")) == .yes)
  }

  /// A text of less than 1 KiB costs as much as its share of a larger one.
  @Test func manyShortTextsCostSteps() throws {
    let probe = try RuleProbe(["x": ["a": .string(String(repeating: "ab", count: 500))]])
    func uses(_ count: Int) -> String {
      Array(repeating: "data.val().matches(/c(stuvwxyzab){1000}/)", count: count).joined(separator: " || ")
        + " || true"
    }
    #expect(uses(180).utf8.count < 8192)
    #expect(try probe.read(uses(100)) == .yes)
    #expect(try probe.read(uses(180)) == .failed)
  }
}
