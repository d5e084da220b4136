import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import TestEffort
import Testing

/// Random expressions, evaluated by rules and by ``PlainRule``.
struct RandomRuleTests {
  private static let seeds = Array(1...UInt64(TestEffort.count(3, more: 12)))

  private static let data: JSON = [
    "i": 2, "j": -3, "z": 0, "d": 0.5, "w": 4.0, "t": "abc", "u": "b", "e": "", "x": "\u{1F600}e\u{301}",
    "y": true, "n": false,
    "o": ["i": 7, "t": "x"],
  ]
  private static let paths: [[String]] =
    data.object.map { $0.map { [$0.name] } + [["o", "i"], ["o", "t"], ["none"], ["i", "below"]] } ?? []

  private struct Generator {
    var random: SeededRandom

    mutating func one(of rules: [PlainRule]) -> PlainRule {
      rules.randomElement(using: &random) ?? .literal(.null)
    }

    /// A value of any type.
    mutating func data() -> PlainRule { .data(RandomRuleTests.paths.randomElement(using: &random) ?? []) }

    mutating func any(_ depth: Int) -> PlainRule {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: truth(depth)
      case 1: number(depth)
      case 2: text(depth)
      case 3: .literal(.null)
      default: data()
      }
    }

    mutating func truth(_ depth: Int) -> PlainRule {
      if depth == 0 {
        let path = RandomRuleTests.paths.randomElement(using: &random) ?? []
        let method =
          ["exists", "isString", "isNumber", "isBoolean", "hasChildren"].randomElement(using: &random)
          ?? "exists"
        return one(of: [
          .literal(.bool(true)), .literal(.bool(false)), .data(["y"]), .dataMethod(path, method), data(),
        ])
      }
      switch Int.random(in: 0..<9, using: &random) {
      case 0: return .not(truth(depth - 1))
      case 1: return .binary("&&", truth(depth - 1), truth(depth - 1))
      case 2: return .binary("||", truth(depth - 1), truth(depth - 1))
      case 3, 4:
        let operation = ["==", "!="].randomElement(using: &random) ?? "=="
        return .binary(operation, any(depth - 1), any(depth - 1))
      case 5:
        let operation = ["<", "<=", ">", ">="].randomElement(using: &random) ?? "<"
        return Bool.random(using: &random)
          ? .binary(operation, number(depth - 1), number(depth - 1))
          : .binary(operation, text(depth - 1), text(depth - 1))
      case 6:
        let method = ["contains", "beginsWith", "endsWith"].randomElement(using: &random) ?? "contains"
        return .textMethod(text(depth - 1), method, [text(depth - 1)])
      case 7: return .conditional(truth(depth - 1), truth(depth - 1), truth(depth - 1))
      default: return truth(0)
      }
    }

    mutating func number(_ depth: Int) -> PlainRule {
      if depth == 0 {
        return one(of: [
          .literal(.number(Double(Int.random(in: 0...9, using: &random)))), .literal(.number(1.5)),
          .data(["i"]), data(),
        ])
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return .negative(number(depth - 1))
      case 1: return .length(text(depth - 1))
      case 2: return .conditional(truth(depth - 1), number(depth - 1), number(depth - 1))
      case 3: return number(0)
      default:
        let operation = ["+", "-", "*", "/", "%"].randomElement(using: &random) ?? "+"
        return .binary(operation, number(depth - 1), number(depth - 1))
      }
    }

    mutating func text(_ depth: Int) -> PlainRule {
      if depth == 0 {
        return one(of: [
          .literal(.text("ab")), .literal(.text("b\"\\\u{E9}")), .data(["t"]), .data(["x"]), data(),
        ])
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        return .binary(
          "+",
          text(depth - 1),
          Bool.random(using: &random) ? text(depth - 1) : number(depth - 1)
        )
      case 1: return .textMethod(text(depth - 1), "replace", [text(depth - 1), text(depth - 1)])
      case 2:
        return .textMethod(text(depth - 1), Bool.random(using: &random) ? "toUpperCase" : "toLowerCase", [])
      case 3: return .conditional(truth(depth - 1), text(depth - 1), text(depth - 1))
      default: return text(0)
      }
    }
  }

  @Test(arguments: seeds) func agreesWithThePlainEvaluation(_ seed: UInt64) throws {
    var generator = Generator(random: SeededRandom(state: seed))
    let probe = try RuleProbe(["x": ["a": Self.data]])
    var counts: [RuleVerdict: Int] = [:]
    for _ in 0..<500 {
      let rule = generator.truth(Int.random(in: 0...5, using: &generator.random))
      let text = rule.text
      if text.utf8.count > 8192 { continue }
      let value: PlainRule.Value?
      do { value = try rule.value(Self.data) } catch PlainRule.Failure.failed { value = nil } catch {
        continue
      }
      let expected: RuleVerdict = value == .bool(true) ? .yes : value == .bool(false) ? .no : .failed
      counts[expected, default: 0] += 1
      #expect(try probe.read(text) == expected, "seed \(seed): \(text)")
    }
    // Each result occurs often enough to be tested.
    for verdict in [RuleVerdict.yes, .no, .failed] {
      #expect(counts[verdict, default: 0] > 25, "seed \(seed): \(counts)")
    }
  }
}
