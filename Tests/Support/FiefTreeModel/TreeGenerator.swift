import Fief
import FiefTree

/// The random steps of a seed.
package struct TreeGenerator {
  private var random: SeededRandom
  /// Few names, so that paths meet.
  private let names: [String]

  package init(seed: UInt64) {
    var random = SeededRandom(state: seed)
    names = (0..<14).map { _ in RandomNames.name(using: &random) }
    self.random = random
  }

  package mutating func step() -> TreeStep {
    switch number(100) {
    case 0..<52: .edit(edit())
    case 52..<64: .write((0...number(4)).map { _ in edit() }, isAborted: number(4) == 0)
    case 64: .migrate((0...number(4)).map { _ in edit() })
    case 65, 66: .reopen
    case 67..<84: .read(path(0...5))
    default: .keys(path(0...4), limit: number(5), after: name())
    }
  }

  private mutating func edit() -> TreeEdit {
    // A few places are deep, so that their paths have many segments.
    let path = number(16) == 0 ? path(20...28) : path(0...5)
    switch number(10) {
    case 0..<5: return .set(value(3), at: path)
    case 5, 6: return .remove(at: path)
    case 7: return .set(serverValue(), at: path)
    default:
      var changes: [(path: [String], value: JSON)] = []
      for _ in 0...number(6) {
        let below = self.path(1...2)
        let place = TreeModel.Path(below)
        let isFree = changes.allSatisfy {
          let other = TreeModel.Path($0.path)
          return !other.starts(with: place) && !place.starts(with: other)
        }
        if isFree { changes.append((below, value(2))) }
      }
      return .update(changes, below: path)
    }
  }

  private mutating func value(_ depth: Int) -> JSON {
    switch number(depth > 0 ? 12 : 7) {
    case 0: return .null
    case 1: return .bool(number(2) == 0)
    case 2: return .int([.min, -1, 0, 1, .max][number(5)])
    case 3: return .double(Double(number(19) - 9) / 2)
    case 4: return .string(name())
    case 5: return serverValue()
    case 6: return .object([".value": number(2) == 0 ? .int(7) : value(depth)])
    case 7: return .array((0..<number(4)).map { _ in value(depth - 1) })
    default:
      return .object(FiefTree.JSONObject((0..<number(5)).map { _ in (name(), value(depth - 1)) }))
    }
  }

  private mutating func serverValue() -> JSON {
    switch number(4) {
    case 0: .serverTimestamp
    case 1: .increment(Double(number(7) - 3) / 2)
    default: .increment([.min, -3, 1, .max][number(4)])
    }
  }

  private mutating func name() -> String { names[number(names.count)] }

  private mutating func path(_ counts: ClosedRange<Int>) -> [String] {
    (0..<Int.random(in: counts, using: &random)).map { _ in name() }
  }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
}
