import Fief
import Foundation

@testable import FiefCore

/// Random conditions in the form that all front ends make: a conjunction has two parts or more, none of which is
/// a conjunction itself.
struct RandomCondition {
  var random: PieceRandom
  private var depth = 0

  init(seed: UInt64) { random = PieceRandom(seed: seed) }

  private mutating func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  mutating func condition(_ size: Int) -> QueryCondition {
    switch chance(size <= 0 ? 4 : 9) {
    case 0: return .constant(chance(2) == 0)
    case 1: return .comparison(operand(size - 1), comparison(), operand(size - 1), options())
    case 2: return .oneOf(operand(size - 1), (0..<chance(4)).map { _ in value() }, options())
    case 3: return .matches(path(), text())
    case 4: return .not(condition(size - 1))
    case 5: return .all(parts(size) { if case .all = $0 { true } else { false } })
    case 6: return .any(parts(size) { if case .any = $0 { true } else { false } })
    case 7:
      let collection = collection()
      return .quantified(QueryQuantifier.allCases[chance(3)], collection, inside { $0.condition(size - 1) })
    default: return .comparison(operand(size - 1), comparison(), operand(size - 1), options())
    }
  }

  private mutating func parts(_ size: Int, isSame: (QueryCondition) -> Bool) -> [QueryCondition] {
    (0..<2 + chance(2)).map { _ in
      var part = condition(size - 1)
      while isSame(part) { part = condition(0) }
      return part
    }
  }

  private mutating func inside<Value>(_ body: (inout RandomCondition) -> Value) -> Value {
    depth += 1
    defer { depth -= 1 }
    return body(&self)
  }

  mutating func operand(_ size: Int) -> QueryOperand {
    switch chance(size <= 0 ? 2 : 12) {
    case 0: return .value(value())
    case 1: return .path(path())
    case 2: return .arithmetic(operand(size - 1), QueryArithmetic.allCases[chance(5)], operand(size - 1))
    case 3: return .negative(operand(size - 1))
    case 4: return .count(collection(), nil)
    case 5:
      let collection = collection()
      return .count(collection, inside { $0.condition(size - 1) })
    case 6:
      let path = chance(2) == 0 ? nil : QueryPath(steps: steps(1))
      return .aggregate(QueryAggregate.allCases[chance(4)], collection(), path)
    case 7: return .length(operand(size - 1))
    case 8: return chance(2) == 0 ? .lowercased(operand(size - 1)) : .uppercased(operand(size - 1))
    case 9: return .coalesced(operand(size - 1), operand(size - 1))
    case 10: return .conditional(condition(size - 1), operand(size - 1), operand(size - 1))
    default: return .truth(condition(size - 1))
    }
  }

  private mutating func comparison() -> QueryComparison { QueryComparison.allCases[chance(10)] }
  private mutating func options() -> QueryTextOptions { QueryTextOptions(rawValue: UInt8(chance(4))) }

  private mutating func path() -> QueryPath { QueryPath(scope: chance(depth + 1), steps: steps(0)) }

  private mutating func collection() -> QueryCollection {
    QueryCollection(
      QueryPath(scope: chance(depth + 1), steps: steps(1)),
      part: [.keys, .parts, .values, .values][chance(4)]
    )
  }

  private mutating func steps(_ least: Int) -> [QueryPath.Step] {
    (0..<least + chance(3)).map { _ in
      switch chance(8) {
      case 0: .mapKey(text())
      case 1: .index(chance(4) - 1)
      default: .property(name())
      }
    }
  }

  private mutating func name() -> String {
    let names = [
      "name", "age", "in", "AND", "größe", "first name", "a`b", "$x", "1st", "YES", "no", "self", "日本", "a.b",
      "@count",
      "SORT", "date", "SUBQUERY", "\u{1F600}", "e\u{301}", "@links.Dog.owner", "'", "any", "limit", "_", "e1",
      "text", "like", "All",
    ]
    return names[chance(names.count)]
  }

  private mutating func text() -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "'", "\"", "\\", "\n", "\r", "\t", "\0", "ä", "\u{301}", "日", "\u{1F600}", "\u{2028}", "\u{7F}",
      "*", "?", "`",
      "$", "%", "@", "\u{200D}", "\u{FEFF}", " ",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<chance(6) { text.append(scalars[chance(scalars.count)]) }
    return String(text)
  }

  mutating func value() -> QueryValue {
    switch chance(12) {
    case 0: return .null
    case 1: return .bool(chance(2) == 0)
    case 2:
      // No 0 and 1, which are truth values where these are compared.
      return .integer([2, 3, -1, .max, .min, Int64.random(in: .min ... .max, using: &random)][chance(6)])
    case 3:
      return .double([0, -1.5, 1e300, .leastNonzeroMagnitude, .infinity, -.infinity, 0.1, 1e16][chance(8)])
    case 4: return .double(Double(bitPattern: random.next() & 0xBFFF_FFFF_FFFF_FFFF))
    case 5:
      let exponent = chance(250) - 125
      return .decimal(
        Decimal(
          sign: chance(2) == 0 ? .plus : .minus,
          exponent: exponent,
          significand: Decimal(chance(99_999))
        )
      )
    case 6: return .data((0..<chance(5)).map { _ in UInt8(chance(256)) })
    case 7: return .date([0, -1.25, 817_000_000.125, 1e15, -1e12, 0.1][chance(6)])
    case 8:
      let bytes = (0..<16).map { _ in UInt8(chance(256)) }
      return .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case 9:
      let bytes = (0..<12).map { _ in UInt8(chance(256)) }
      return bytes.withUnsafeBytes { ObjectId(bytes: $0) }.map { .objectId($0) } ?? .null
    case 10:
      let key =
        chance(3) == 0 ? nil : ObjectKey(storedBytes: (0..<1 + chance(9)).map { _ in UInt8(chance(256)) })
      return .object(type: text() + "Dog", key: key)
    default: return .string(text())
    }
  }
}
