import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import Testing

/// Accepted and refused files of rules, with the line and column of each error.
struct RuleFileTests {
  private func error(_ text: String) -> FiefError? {
    do {
      _ = try AccessRules(json: Data(text.utf8))
      return nil
    } catch { return error as? FiefError }
  }

  @Test(arguments: [
    #"{"rules": {}}"#,
    #"{"rules": {".read": true, ".write": false}}"#,
    #"{"rules": {".read": "auth != null", "a": {"$b": {".validate": "$b == 'c'", ".indexOn": "at"}}}}"#,
    #"{"rules": {"a": {".indexOn": ["at", "last/at", ".value"]}}, "groups": {"a": {".read": true, ".indexOn": "at"}}}"#,
    "// A comment\n{/* another */\"rules\"/**/:{ // end\n}}\n// last",
    "{\"rules\": {\"$a_1\": {\"$b\": {\"c d\u{E9}\": {}}}}}",
    "\u{FEFF}{\"rules\": {}}",
  ]) func filesAreAccepted(_ text: String) { #expect(error(text) == nil, "\(text)") }

  /// Each line and column is the place of the error.
  @Test(
    arguments: [
      ("", 1, 1), ("[]", 1, 1), ("{}", 1, 3), ("{\"rules\": {}", 1, 13), ("{\"rules\": {},}", 1, 14),
      ("{\"rules\": []}", 1, 11),
      ("{\"rules\": {}} x", 1, 15), ("{\"rules\": {}, \"more\": 1}", 1, 15),
      ("{\"rules\": {},\n  \"rules\": {}}", 2, 3),
      ("{'rules': {}}", 1, 2), ("{\"rules\": {} /* open", 1, 14), ("{\"rules\": {} / }", 1, 14),
      ("{\"rules\": {\n\".rules\": true}}", 2, 1), ("{\"rules\": {\".read\": 1}}", 1, 21),
      ("{\"rules\": {\".read\": null}}", 1, 21),
      ("{\"rules\": {\".read\": [true]}}", 1, 21), ("{\"rules\": {\".indexOn\": 1}}", 1, 24),
      ("{\"rules\": {\".indexOn\": [\"a\", 1]}}", 1, 24),
      ("{\"rules\": {\".read\": true, \".read\": true}}", 1, 27), ("{\"rules\": {\"a\": true}}", 1, 17),
      ("{\"rules\": {\"\": {}}}", 1, 12), ("{\"rules\": {\"a/b\": {}}}", 1, 12),
      ("{\"rules\": {\"a#\": {}}}", 1, 12), ("{\"rules\": {\"\\u0001\": {}}}", 1, 12),
      ("{\"rules\": {\"$\": {}}}", 1, 12), ("{\"rules\": {\"$1\": {}}}", 1, 12),
      ("{\"rules\": {\"$a-b\": {}}}", 1, 12),
      ("{\"rules\": {\"$a\": {},\n \"$b\": {}}}", 2, 2),
      ("{\"rules\": {\"$a\": {\"b\": {\"$a\": {}}}}}", 1, 25),
      ("{\"groups\": {}}", 1, 15), ("{\"rules\": {}, \"groups\": {\"a\": {\".write\": true}}}", 1, 32),
      ("{\"rules\": {}, \"groups\": {\"$a\": {}}}", 1, 26),
      ("{\"rules\": {}, \"groups\": {\"a\": {\".read\": \"data.exists()\"}}}", 1, 42),
      ("{\"rules\": {}, \"groups\": {\"a\": {\".read\": \"newData.exists()\"}}}", 1, 42),
      ("{\"rules\": {\".read\": \"auth != nul\"}}", 1, 30), ("{\"rules\": {\".read\": \"\"}}", 1, 22),
      ("{\"rules\": {\".read\": \"newData.exists()\"}}", 1, 22),
      ("{\"rules\": {\".write\": \"query.limitToFirst == 1\"}}", 1, 23),
      ("{\"rules\": {\".validate\": \"$a == 'b'\"}}", 1, 26),
      ("{\"rules\": {\".read\": \"\\\"a\\\" == b\"}}", 1, 31),
      ("{\"rules\": {\".read\": \"'\\u00e9' == b\"}}", 1, 34),
      ("{\"rules\": {\".read\": \"'\u{E9}' == b\"}}", 1, 30),
      ("{\"rules\": {\".read\": \"'\\ud83d\\ude00' ==\\n b\"}}", 1, 42),
      ("{\"rules\": {\".read\": \"$a.matches(/a**/)\", \"$a\": {}}}", 1, 22),
      ("{\"rules\": {\"$a\": {\".read\": \"$a.matches(/a**/)\"}}}", 1, 43),
      ("{\"rules\": {\"$a\": {\".read\": \"$a.matches(/a/g)\"}}}", 1, 40),
      ("{\"rules\": {\"$a\": {\".read\": \"$a.matches('a')\"}}}", 1, 40),
      ("{\"rules\": {\"$a\": {\".read\": \"$a.matches(/a)\"}}}", 1, 40),
      ("{\"rules\": {\"$a\": {\".read\": \"/a/ == $a\"}}}", 1, 29),
    ] as [(String, Int, Int)]
  ) func errorsHaveAPlace(_ text: String, _ line: Int, _ column: Int) {
    let error = error(text)
    #expect(error?.code == .malformedRules, "\(text)")
    #expect(error?.details.first == "line \(line), column \(column)", "\(text): \(String(describing: error))")
  }

  @Test func limitsAreKept() {
    let space = { (count: Int) in String(repeating: " ", count: count) }
    #expect(error("{\"rules\": {}}" + space(262_144 - 13)) == nil)
    #expect(error("{\"rules\": {}}" + space(262_144 - 12))?.code == .malformedRules)
    let deep = { (count: Int) in
      "{\"rules\": " + String(repeating: "{\"a\": ", count: count) + "{}"
        + String(repeating: "}", count: count + 1)
    }
    #expect(error(deep(32)) == nil)
    #expect(error(deep(33))?.code == .malformedRules)
    #expect(error(deep(20_000))?.code == .malformedRules)
    #expect(error("{\"rules\": " + String(repeating: "[", count: 100_000))?.code == .malformedRules)
    #expect(
      error("{\"rules\": {\".indexOn\": " + String(repeating: "[", count: 100_000))?.code == .malformedRules
    )
    let name = String(repeating: "n", count: 768)
    #expect(error("{\"rules\": {\"\(name)\": {}}}") == nil)
    #expect(error("{\"rules\": {\"\(name)n\": {}}}")?.code == .malformedRules)
    // A file of the largest size is read in a time that is not quadratic.
    let many = (0..<18_000).map { "\"n\($0)\": {}" }.joined(separator: ",")
    #expect(error("{\"rules\": {\(many)}}") == nil)
    let indexes = (0..<7000).map { "\"n\($0)\": {\".indexOn\": []}" }.joined(separator: ",\n")
    #expect(error("{\"rules\": {\(indexes)}}") == nil)
    let same = Array(repeating: "\"a\"", count: 60_000).joined(separator: ",")
    #expect(error("{\"rules\": {\".indexOn\": [\(same)]}}") == nil)
    let more = (0..<65).map { "\"a\($0)\"" }.joined(separator: ",")
    #expect(error("{\"rules\": {\n\".indexOn\": [\(more)]}}")?.details.first == "line 2, column 13")
  }

  @Test func anIndexThatIsWrongIsNamedOnRequest() throws {
    let wrong = error("{\"rules\": {\n\".indexOn\": \".priority\"}}")
    #expect(wrong?.code == .malformedRules && wrong?.details.first == "line 2, column 13")
    #expect("\(try #require(wrong))".contains("9 characters"))
    #expect("\(try #require(wrong).showingValues())".contains("name: .priority"))
  }

  @Test func rulesInSwiftHaveTheSameLimits() throws {
    let rules = try AccessRules().read("users/$uid") { _ in true }
    for pattern in [
      "users/$uid", "/users//$uid/", "users/$id/x", "a#", "$", "$a/$a", String(repeating: "a/", count: 33),
    ] {
      expectCode(.malformedRules) { try rules.read(pattern) { _ in true } }
    }
    _ = try rules.write("users/$uid") { _ in true }.validate("users/$uid") { _ in true }.read("users/ada") {
      _ in true
    }
    _ = try rules.read("") { _ in true }
    // Rules for the whole tree leave room for validation only.
    expectCode(.malformedRules) { try AccessRules.signedIn.read("") { _ in true } }
    _ = try AccessRules.signedIn.validate("") { _ in true }
  }
}
