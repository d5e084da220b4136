import Foundation
import Testing

@testable import FiefConsole

@Suite("JSON documents") struct JSONValueTests {
  @Test("Members keep their order, in a line and over several")
  func order() {
    let value: JSONValue = ["b": 1, "a": [true, nil, "x"], "empty": [], "none": [:]]
    #expect(value.line() == #"{"b":1,"a":[true,null,"x"],"empty":[],"none":{}}"#)
    let expected = """
      {
        "b": 1,
        "a": [
          true,
          null,
          "x"
        ],
        "empty": [],
        "none": {}
      }
      """
    #expect(value.pretty() == expected)
  }

  @Test("Numbers keep every digit")
  func numbers() {
    #expect(JSONValue.integer(.min).line() == "-9223372036854775808")
    #expect(JSONValue.unsigned(.max).line() == "18446744073709551615")
    #expect(JSONValue.double(0.1).line() == "0.1")
    #expect(JSONValue.double(-.infinity).line() == "\"-Infinity\"")
    #expect(JSONValue.double(.nan).line() == "\"NaN\"")
    #expect(JSONValue.number("1.2345678901234567890123456789").line() == "1.2345678901234567890123456789")
    for value in [Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e22, -0.0, .pi] {
      #expect(Double(JSONValue.double(value).line()) == value)
    }
  }

  @Test("Every text is read back as it was, and has no control character")
  func texts() throws {
    var all = String.UnicodeScalarView()
    for code in [0...0x2FF, 0x2000...0x20FF, 0xFFF0...0xFFFF, 0x1F600...0x1F610, 0xE0000...0xE0080] {
      for scalar in code.compactMap({ Unicode.Scalar(UInt32($0)) }) { all.append(scalar) }
    }
    let text = "\"\\/" + String(all)
    let line = JSONValue.object([.init(text, .string(text))]).line()
    #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
    let parsed = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
    #expect(parsed?.first.map { Array($0.key.unicodeScalars) } == Array(text.unicodeScalars))
    #expect(parsed?.first.map { Array($0.value.unicodeScalars) } == Array(text.unicodeScalars))
  }
}
