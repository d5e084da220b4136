import Fief
import Foundation
import Testing

@testable import FiefCore

/// An unsupported condition is an error when it is bound, with the type and the property.
@Suite struct EvaluationErrorTests {
  private static let refused: [(QueryCondition, FiefError.Code, String?)] = [
    (compare("agee", .integer(1)), .unknownProperty, "agee"),
    (compare("small", .string("x")), .invalidQuery, "small"),
    (compare("name", .integer(1)), .invalidQuery, "name"),
    (compare("owner", .integer(1)), .invalidQuery, "owner"),
    (compare("owner", .object(type: "Item", key: nil)), .invalidQuery, "owner"),
    (compare("owner", .object(type: "Nobody", key: nil)), .unknownType, nil),
    (compare("numbers", .integer(1)), .invalidQuery, "numbers"),
    (compare("isOn", .bool(true), .less), .invalidQuery, "isOn"),
    (compare("small", .integer(1), .contains), .invalidQuery, "small"),
    (compare("bytes", .data([1]), .like), .invalidQuery, "bytes"),
    (
      .comparison(.path(QueryPath("small")), .equal, .value(.integer(1)), .caseInsensitive), .invalidQuery,
      "small"
    ),
    (
      .comparison(.path(QueryPath("name", "length")), .equal, .value(.integer(1))), .invalidQuery,
      "name.length"
    ),
    (
      .comparison(.path(QueryPath("owners", "code")), .equal, .value(.string("a"))), .invalidQuery,
      "owners.code"
    ),
    (.comparison(.path(QueryPath("owner", "cod")), .equal, .value(.string("a"))), .unknownProperty, "cod"),
    (.quantified(.any, QueryCollection(QueryPath("name")), .constant(true)), .invalidQuery, "name"),
    (
      .quantified(.any, QueryCollection(QueryPath("numbers"), part: .keys), .constant(true)), .invalidQuery,
      "numbers"
    ),
    (.comparison(.negative(.path(QueryPath("name"))), .equal, .value(.integer(1))), .invalidQuery, "name"),
    (.comparison(.path(QueryPath(scope: 1, steps: [])), .equal, .value(.null)), .invalidQuery, nil),
    (.matches(QueryPath("small"), "x"), .invalidQuery, "small"),
  ]

  private static func compare(_ name: String, _ value: QueryValue, _ comparison: QueryComparison = .equal)
    -> QueryCondition
  {
    .comparison(.path(QueryPath(name)), comparison, .value(value))
  }

  @Test("Every misuse has its error") func misuse() throws {
    let directory = try TemporaryDirectory()
    let store = try EvaluationStore(directory: directory.path, seed: 1)
    defer { store.repository.closeChecked() }
    for (condition, code, property) in Self.refused {
      let error = #expect(throws: FiefError.self, "\(condition)") { _ = try store.keys(condition) }
      #expect(error?.code == code, "\(condition)")
      if let property { #expect(error?.property == property, "\(condition)") }
      #expect(error?.store == "evaluation", "\(condition)")
    }
    let near = #expect(throws: FiefError.self) { _ = try store.keys(Self.compare("smal", .integer(1))) }
    #expect(near?.details.first == "did you mean: small")
    var deep = QueryCondition.constant(true)
    for _ in 0..<1000 { deep = .not(deep) }
    let nested = #expect(throws: FiefError.self) { _ = try store.keys(deep) }
    #expect(nested?.code == .invalidQuery)
  }
}
