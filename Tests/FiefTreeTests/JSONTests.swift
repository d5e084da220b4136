import Fief
import FiefTree
import FiefTreeTestKit
import Foundation
import Testing

/// Values: their forms, their texts and their comparison.
struct JSONTests {
  private func parse(_ text: String) throws -> JSON { try JSON(parsing: Data(text.utf8)) }

  @Test func literalsMakeEveryCase() {
    let value: JSON = ["a": nil, "b": true, "c": 1, "d": 1.5, "e": "x", "f": [1, "y"]]
    #expect(value["a"] == .null && value["b"].bool == true && value["c"].int == 1)
    #expect(value["d"].double == 1.5 && value["e"].string == "x" && value["f"][1].string == "y")
    #expect(value["f"][7] == .null && value["f"][-1] == .null && value["none"] == .null)
    #expect(value["c"].double == 1 && value["d"].int == nil && value["f"].array?.count == 2)
  }

  @Test func assigningMakesObjects() {
    var value: JSON = 5
    value["a"]["b"] = 1
    #expect(value == ["a": ["b": 1]])
    value["a"]["b"] = .null
    #expect(value == ["a": ["b": .null]])
    #expect(
      ([("1", true), ("x", 2)] as [(String, JSON)]).reduce(into: JSON.null) { $0[$1.0] = $1.1 }[1] == true
    )
  }

  /// In any order of names, and through several levels; values are changed in place.
  @Test func objectsAreBuiltByAssigning() {
    var random = SeededRandom(state: 5)
    var value = JSON.null
    var object = FiefTree.JSONObject()
    var pairs: [(String, JSON)] = []
    for index in 0..<3000 {
      let name = index % 3 == 0 ? String(index) : RandomNames.name(using: &random)
      pairs.append((name, .int(Int64(index))))
      object[name] = .int(Int64(index))
      value["a"]["b"][name] = .int(Int64(index))
    }
    #expect(object == FiefTree.JSONObject(pairs))
    #expect(value == ["a": ["b": .object(object)]])
    for (name, _) in pairs { object[name]["x"] = 1 }
    #expect(object.allSatisfy { $0.value == ["x": 1] } && object.contains(name: pairs[0].0))
    #expect(!object.contains(name: "none") && object["none"] == .null)
  }

  @Test func numbersKeepTheirForm() throws {
    #expect(
      try parse("[1, 1.0, 1e0, -0, -0.0, 9223372036854775807, 9223372036854775808]").text()
        == "[1,1.0,1.0,0,-0.0,9223372036854775807,9.223372036854776e+18]"
    )
    #expect(JSON.int(1) != .double(1))
    #expect(JSON.double(0) != .double(-0.0))
    for _ in 0..<1000 {
      let number = Double(bitPattern: UInt64.random(in: 0...UInt64.max))
      if !number.isFinite { continue }
      #expect(try parse(JSON.double(number).text()) == .double(number))
    }
    expectCode(.invalidValue) { try parse("1e999") }
    let long = String(repeating: "1", count: 1025)
    for (text, place) in [
      ("{\"k\":\n [1, 1.5, -1e999]}", "line 2, column 11"), ("[\(long)]", "line 1, column 2"),
      ("1e999", "line 1, column 1"),
    ] {
      let error = #expect(throws: FiefError.self) { try parse(text) }
      #expect(error?.details == [place])
    }
    expectCode(.invalidValue) { try parse("[0." + String(repeating: "1", count: 1023) + "]") }
    #expect(try parse("0." + String(repeating: "1", count: 1022)).double != nil)
  }

  @Test func textsAreComparedByTheirBytes() throws {
    let (one, two) = ("\u{E9}", "e\u{301}")
    #expect(one == two)
    #expect(JSON.string(one) != .string(two))
    let object: FiefTree.JSONObject = [one: 1, two: 2]
    #expect(object.count == 2 && object[one] == 1 && object[two] == 2)
    #expect(Set([JSON.string(one), .string(two), .object(object), .object(object)]).count == 3)
    let last: FiefTree.JSONObject = ["a": 1, "b": 2, "a": 3]
    #expect(last == ["a": 3, "b": 2])
  }

  @Test func objectsAreInTheOrderOfTrees() throws {
    let names = ["10", "9", "-5", "01", "1", "a", "A", "-0", "2147483647", "2147483648", "\u{E9}"]
    let object = FiefTree.JSONObject(names.map { ($0, JSON.null) })
    #expect(
      object.map(\.name)
        == ["-5", "-0", "1", "01", "9", "10", "2147483647", "2147483648", "A", "a", "\u{E9}"]
    )
  }

  @Test func textsReadBack() throws {
    let value: JSON = [
      "a": [1, nil, true, "\u{0}\u{1F}\"\\/\u{7F}\u{1F600}"], "b": [:], "c": [], "9": 1e300,
    ]
    #expect(try parse(value.text()) == value)
    #expect(try parse(value.text(prettyPrinted: true)) == value)
    #expect((["a": [1, [:]]] as JSON).text(prettyPrinted: true) == "{\n  \"a\": [\n    1,\n    {}\n  ]\n}")
  }

  @Test func badTextsAreErrors() throws {
    for text in ["", "{", "[1,]", "{\"a\":1,\"a\":2}", "01", "nul", "\"\u{1}\"", "1 2", "{\"a\" 1}", "[NaN]"]
    {
      expectCode(.malformedJSON) { try parse(text) }
    }
    expectCode(.malformedJSON) { try parse(String(repeating: "[", count: 600)) }
  }

  @Test func valuesAreCodable() throws {
    let value: JSON = ["a": [1, 2.5, true, "x", nil], "b": ["c": [:]]]
    let data = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(JSON.self, from: data) == value)
  }
}
