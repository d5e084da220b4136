import Fief
import FiefTree

/// The random steps of a seed.
package struct TreeGenerator {
  private var random: SeededRandom
  /// Few names, so that paths meet. The first ones are more frequent, so that queries find values.
  private let names: [String]
  /// Values whose orders are close to one another.
  private let values: [JSON]
  /// The orders of indexes.
  private let orders: [QueryModel.Order]
  /// The name of the nodes of a group.
  private let group: String
  /// The indexes that are declared and removed.
  private let indexes: [TreeIndexChoice]

  package init(seed: UInt64) {
    var random = SeededRandom(state: seed)
    let names = (0..<14).map { _ in RandomNames.name(using: &random) }
    let orders: [QueryModel.Order] = [.value, .child([names[0]]), .child([names[1], names[0]])]
    (self.names, self.orders, group) = (names, orders, names[2])
    values = RandomValues.leaves(using: &random)
    indexes = orders.flatMap { order in
      ["", "\(names[1])/$x", "$a/$b"].map { TreeIndexChoice(scope: .pattern($0), order: order.indexText) }
        + [TreeIndexChoice(scope: .group(names[2]), order: order.indexText)]
    }
    self.random = random
  }

  package mutating func step() -> TreeStep {
    switch number(100) {
    case 0..<42: .edit(edit())
    case 42..<52: .write(edits(), question(), isAborted: number(4) == 0)
    case 52: .migrate(edits(), question())
    case 53, 54: .reopen
    case 55..<61: .read(path(0...5))
    case 61..<67: .keys(path(0...4), limit: number(5), after: name())
    case 67..<82: .ask(question())
    case 82..<85: .declare(index())
    case 85: .removeIndex(index())
    case 86..<90: listen()
    case 90: .unlisten(number(8))
    default: .deliver
    }
  }

  private mutating func index() -> TreeIndexChoice { indexes[number(indexes.count)] }

  private mutating func question() -> TreeQuestion {
    let query = QueryModel.random(
      names,
      values,
      orders: number(3) == 0 ? nil : orders,
      using: &random
    )
    return TreeQuestion(source: number(5) == 0 ? .group(group) : .place(path(0...2)), query: query)
  }

  private mutating func listen() -> TreeStep {
    let events = [TreeEvents.value, .children, [.value, .children]][number(3)]
    return .listen(number(2) == 0 ? question() : nil, at: path(0...3), events)
  }

  private mutating func edits() -> [TreeEdit] { (0...number(4)).map { _ in edit() } }

  private mutating func edit() -> TreeEdit {
    // A few places are deep, so that their paths have many segments.
    let path = number(16) == 0 ? path(20...28) : path(0...5)
    switch number(10) {
    case 0..<4: return .set(value(3), at: path)
    case 4: return .set(RandomValues.value(names, values, 3 - min(path.count, 3), &random), at: path)
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
    switch number(depth > 0 ? 14 : 8) {
    case 0: return .null
    case 1: return .bool(number(2) == 0)
    case 2: return .int([.min, -1, 0, 1, .max][number(5)])
    case 3: return .double(Double(number(19) - 9) / 2)
    case 4: return .string(name())
    case 5: return serverValue()
    case 6: return .object([".value": number(2) == 0 ? .int(7) : value(depth)])
    case 7: return values[number(values.count)]
    case 8: return .array((0..<number(4)).map { _ in value(depth - 1) })
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

  private mutating func name() -> String { names[number(number(2) == 0 ? 3 : names.count)] }

  private mutating func path(_ counts: ClosedRange<Int>) -> [String] {
    (0..<Int.random(in: counts, using: &random)).map { _ in name() }
  }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
}
