import Fief
import Foundation
import LMDB

@testable import FiefCore

/// Random conditions on the types of ``EvaluationAfter`` that can be evaluated.
struct RandomEvaluation {
  enum Subject { case item, owner, part, number, text }
  enum Kind: CaseIterable { case number, text, bool, date, bytes, uuid, objectId, any, object }

  private var random: PieceRandom
  private var subjects = [Subject.item]

  init(seed: UInt64) { random = PieceRandom(seed: seed) }

  private mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  // MARK: Conditions

  mutating func condition(_ size: Int) -> QueryCondition {
    switch size <= 0 ? 0 : Int.random(in: 0..<10, using: &random) {
    case 1: return .not(condition(size - 1))
    case 2, 3: return .all((0..<one(of: [0, 1, 2, 3])).map { _ in condition(size - 1) })
    case 4: return .any((0..<one(of: [0, 1, 2, 3])).map { _ in condition(size - 1) })
    case 5, 6: return quantified(size)
    case 7: return oneOf(size)
    case 8: return .comparison(.value(one(of: numbers)), one(of: ordered), number(size - 1))
    default: return comparison(size)
    }
  }

  private let ordered: [QueryComparison] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  private mutating func comparison(_ size: Int) -> QueryCondition {
    let isNil = chance(8)
    switch one(of: Kind.allCases) {
    case .number:
      return .comparison(number(size), one(of: ordered), isNil ? .value(.null) : number(size - 1))
    case .text:
      let other: QueryOperand = isNil ? .value(.null) : chance(2) ? text(size) : .value(one(of: patterns))
      return .comparison(text(size), one(of: QueryComparison.allCases), other, one(of: options))
    case .bool:
      guard let path = path(.bool) else { return comparison(size) }
      return .comparison(
        path,
        one(of: [.equal, .notEqual]),
        .value(one(of: [.bool(true), .bool(false), .null]))
      )
    case .object:
      guard let path = path(.object) else { return comparison(size) }
      let other = chance(2) ? .value(object()) : self.path(.object) ?? .value(.null)
      return .comparison(path, one(of: [.equal, .notEqual]), other)
    case .any:
      guard let path = path(.any) else { return comparison(size) }
      let value = one(
        of: numbers + [
          .string("a"), .string("b"), .data([1, 2]), .null, .date(0), .uuid(EvaluationStore.uuids[0]),
        ]
      )
      return .comparison(path, one(of: ordered), .value(value))
    case let kind:
      guard let path = path(kind) else { return comparison(size) }
      let isBytes = kind == .bytes && !isNil && chance(2)
      let comparison = isBytes ? one(of: [.contains, .beginsWith, .endsWith]) : one(of: ordered)
      return .comparison(path, comparison, .value(isNil ? .null : constant(kind)))
    }
  }

  private mutating func oneOf(_ size: Int) -> QueryCondition {
    let count = one(of: [0, 1, 2, 5])
    let kind = one(of: [Kind.number, .text, .uuid, .object, .any])
    let operand = kind == .number ? number(size - 1) : kind == .text ? text(size - 1) : path(kind)
    guard let operand else { return oneOf(size) }
    let values = (0..<count).map { _ in chance(6) ? .null : kind == .object ? object() : constant(kind) }
    return .oneOf(operand, values, kind == .text ? one(of: options) : [])
  }

  private mutating func quantified(_ size: Int) -> QueryCondition {
    guard let (collection, subject) = collection() else { return comparison(size) }
    return .quantified(
      one(of: QueryQuantifier.allCases),
      collection,
      inside(subject) { $0.condition(size - 1) }
    )
  }

  private mutating func inside<Value>(_ subject: Subject, _ body: (inout RandomEvaluation) -> Value) -> Value
  {
    subjects.append(subject)
    defer { subjects.removeLast() }
    return body(&self)
  }

  // MARK: Operands

  mutating func number(_ size: Int) -> QueryOperand {
    switch size <= 0 ? Int.random(in: 0..<3, using: &random) : Int.random(in: 0..<12, using: &random) {
    case 0: return .value(one(of: numbers))
    case 3: return .arithmetic(small(size - 1), one(of: QueryArithmetic.allCases), small(size - 1))
    case 4: return .negative(small(size - 1))
    case 5: return .length(text(size - 1))
    case 6:
      guard let (collection, subject) = collection() else { return number(0) }
      return .count(collection, chance(2) ? nil : inside(subject) { $0.condition(size - 1) })
    case 7:
      guard let (collection, subject) = collection() else { return number(0) }
      let path: QueryPath? =
        switch subject {
        case .item: QueryPath("added")
        case .owner: QueryPath("age")
        case .part: QueryPath("size")
        case .number: nil
        case .text: nil
        }
      if subject == .text { return .count(collection, nil) }
      return .aggregate(one(of: QueryAggregate.allCases), collection, path)
    case 8: return .coalesced(small(0), small(size - 1))
    case 9: return .conditional(condition(size - 1), small(size - 1), small(size - 1))
    default: return path(.number) ?? .value(one(of: numbers))
    }
  }

  /// A number that can be calculated with without leaving 64 bits.
  private mutating func small(_ size: Int) -> QueryOperand {
    let paths: [String: [QueryPath]] = [
      "item": [
        QueryPath("maybe"), QueryPath("added"), QueryPath("id"), QueryPath("weight"),
        QueryPath("owner", "age"),
      ]
    ]
    switch subjects[subjects.count - 1] {
    case .item: return .path(one(of: paths["item"] ?? []))
    case .owner: return .path(QueryPath("age"))
    case .part: return .path(one(of: [QueryPath("size"), QueryPath("extra")]))
    case .number: return .path(.element)
    case .text: return .value(one(of: [.integer(0), .integer(2), .double(0.5), .null]))
    }
  }

  mutating func text(_ size: Int) -> QueryOperand {
    switch size <= 0 ? 0 : Int.random(in: 0..<6, using: &random) {
    case 1: return .lowercased(text(size - 1))
    case 2: return .uppercased(text(size - 1))
    case 3: return .coalesced(text(size - 1), .value(one(of: patterns)))
    default: return path(.text) ?? .value(one(of: patterns))
    }
  }

  /// A path of a kind, mostly of the innermost scope.
  private mutating func path(_ kind: Kind) -> QueryOperand? {
    let scope = chance(4) ? Int.random(in: 0..<subjects.count, using: &random) : 0
    let subject = subjects[subjects.count - 1 - scope]
    guard var path = Self.paths(subject, kind).isEmpty ? nil : one(of: Self.paths(subject, kind)) else {
      return nil
    }
    path.scope = scope
    return .path(path)
  }

  private static func paths(_ subject: Subject, _ kind: Kind) -> [QueryPath] {
    switch (subject, kind) {
    case (.item, .number):
      ["id", "small", "maybe", "whole", "ratio", "weight", "added", "price"].map { QueryPath($0) } + [
        QueryPath("owner", "age"), QueryPath("owner", "boss", "age"), QueryPath("part", "size"),
        QueryPath("part", "extra"), QueryPath(steps: [.property("counts"), .mapKey("a")]),
      ]
    case (.item, .text):
      ["name", "nick", "tag"].map { QueryPath($0) } + [
        QueryPath("owner", "code"), QueryPath("owner", "boss", "code"), QueryPath("part", "label"),
      ]
    case (.item, .bool): [QueryPath("isOn")]
    case (.item, .date): [QueryPath("when")]
    case (.item, .bytes): [QueryPath("bytes")]
    case (.item, .uuid): [QueryPath("uuid")]
    case (.item, .objectId): [QueryPath("objectId")]
    case (.item, .any): [QueryPath("any")]
    case (.item, .object): [QueryPath("owner"), QueryPath("owner", "boss")]
    case (.owner, .number): [QueryPath("age"), QueryPath("boss", "age")]
    case (.owner, .text): [QueryPath("code"), QueryPath("boss", "code")]
    case (.owner, .object): [QueryPath("boss"), .element]
    case (.part, .number): [QueryPath("size"), QueryPath("extra")]
    case (.part, .text): [QueryPath("label")]
    case (.number, .number), (.text, .text): [.element]
    default: []
    }
  }

  private mutating func collection() -> (QueryCollection, Subject)? {
    let scope = chance(4) ? Int.random(in: 0..<subjects.count, using: &random) : 0
    let all: [(QueryCollection, Subject)]
    switch subjects[subjects.count - 1 - scope] {
    case .item:
      all = [
        (QueryCollection(QueryPath("numbers")), .number), (QueryCollection(QueryPath("optionals")), .number),
        (QueryCollection(QueryPath("words")), .text), (QueryCollection(QueryPath("counts")), .number),
        (QueryCollection(QueryPath("counts"), part: .keys), .text),
        (QueryCollection(QueryPath("owners")), .owner),
        (QueryCollection(QueryPath("parts")), .part), (QueryCollection(QueryPath("owner", "items")), .item),
      ]
    case .owner:
      all = [
        (QueryCollection(QueryPath("items")), .item), (QueryCollection(QueryPath("boss", "items")), .item),
      ]
    case .part, .number, .text: return nil
    }
    if subjects.count > 3 { return nil }
    var found = one(of: all)
    found.0.path.scope = scope
    return found
  }

  // MARK: Values

  private let options: [QueryTextOptions] = [
    [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]
  private let numbers: [QueryValue] =
    [-300, -1, 0, 1, 2, 3, 127, 70_000, .min, .max].map { .integer($0) }
    + EvaluationStore.doubles.map { .double($0) } + [.double(1e30), .decimal(1), .decimal(2.5), .decimal(-7)]
  private let patterns: [QueryValue] =
    (EvaluationStore.texts + ["*", "?", "a*", "*b*", "??", "\\*", "*\\**?", "\\", "s*S"]).map { .string($0) }

  private mutating func object() -> QueryValue {
    var encoder = KeyEncoder()
    encoder.append(string: one(of: EvaluationStore.codes))
    return .object(type: "Owner", key: chance(5) ? nil : ObjectKey(bytes: encoder.bytes))
  }

  private mutating func constant(_ kind: Kind) -> QueryValue {
    switch kind {
    case .number, .any: one(of: numbers)
    case .text: one(of: patterns)
    case .bool: .bool(chance(2))
    case .date: .date(one(of: [-1, 0, 0.5, 9, 10]))
    case .bytes: .data(one(of: [[], [0], [1, 2], [2]]))
    case .uuid: .uuid(one(of: EvaluationStore.uuids))
    case .objectId: .objectId(one(of: EvaluationStore.ids))
    case .object: object()
    }
  }
}
