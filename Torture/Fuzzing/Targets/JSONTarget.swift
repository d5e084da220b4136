import Fief
import Foundation

@testable import FiefConsole
@testable import FiefCore

extension FuzzTarget {
  /// JSON: a document that is read is one for Foundation too, and is written and read as the same.
  static let json = FuzzTarget(
    name: "json",
    longest: 1000,
    seeds: { [#"{"a":[1,-2.5e3,true,null],"b":"text"}"#, "[]", "0"].map { Array($0.utf8) } },
    run: { input, defect in
      let value: Any
      do { value = try JSONParser.parse(input) } catch let error as FiefError
        where error.code == .malformedJSON
      {
        let hasPlace = error.details.first?.hasPrefix("line ") == true
        return try require(hasPlace && error.path != nil, "no place: \(error)")
      }
      let hasMark = input.starts(with: [0xEF, 0xBB, 0xBF])
      try JSONChecks.checkStrict(
        String(decoding: hasMark ? .init(rebasing: input[3...]) : input, as: UTF8.self)
      )
      let document = JSONChecks.document(value)
      for text in [document.line(), document.pretty()] {
        try JSONChecks.checkStrict(text)
        var again = JSONChecks.document(try JSONParser.parse(text))
        // A tabulator becomes a blank.
        if defect.isPlanted { again = JSONChecks.withoutTabulators(again) }
        try require(again == document, "\(text) was read as \(again.line())")
      }
      try JSONChecks.checkElements(input, value)
    }
  )
}

enum JSONChecks {
  /// - Throws: a finding where Foundation does not read the document.
  static func checkStrict(_ text: String) throws {
    do { _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) } catch {
      // Numbers that no type of Foundation has are JSON.
      let problem = ((error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String) ?? "\(error)"
      let isLimit = problem.contains("not representable in Swift") || problem.contains("Too many nested")
      try require(isLimit, "for Foundation no JSON: \(problem): \(text)")
    }
  }

  /// The value as the writer's document.
  static func document(_ value: Any) -> JSONValue {
    switch value {
    case let value as Bool: .bool(value)
    case let value as Int: .integer(Int64(value))
    case let value as JSONNumber: .number(value.text)
    case let value as String: .string(value)
    case let value as [Any]: .array(value.map { document($0) })
    case let value as JSONObject: .object(value.members.map { JSONValue.Member($0.name, document($0.value)) })
    default: .null
    }
  }

  static func withoutTabulators(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(text.replacing("\t", with: " "))
    case .array(let values): .array(values.map { withoutTabulators($0) })
    case .object(let members): .object(members.map { JSONValue.Member($0.name, withoutTabulators($0.value)) })
    default: value
    }
  }

  /// The elements that are handed out one by one are those of the whole.
  static func checkElements(_ input: UnsafeRawBufferPointer, _ whole: Any) throws {
    var parser = JSONParser(input)
    var elements: [JSONValue] = []
    var isArray = true
    try parser.forEachElement { index, value in
      if index == nil { isArray = false }
      elements.append(document(value))
    }
    let wanted = document(whole)
    if case .array(let values) = wanted, isArray {
      try require(values == elements, "other elements")
    } else {
      try require(elements == [wanted], "another value")
    }
  }
}
