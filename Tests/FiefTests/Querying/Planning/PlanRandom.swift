import Fief
import FiefStress
import Foundation

@testable import FiefCore

/// Random objects and queries about them.
struct PlanRandom {
  var random: StressRandom

  init(seed: UInt64) { random = StressRandom(seed: seed) }

  mutating func chance(_ count: Int) -> Int { random.next(count) }
  mutating func pick<Value>(_ values: [Value]) -> Value { values[random.next(values.count)] }

  // MARK: Values

  mutating func integer() -> Int {
    pick([0, 1, -1, 2, 3, 5, 127, 128, 255, -256, 70_000, -70_000, .max, .min, chance(20) - 10])
  }

  mutating func double() -> Double {
    pick([
      0, -0.0, 1, -1, 0.5, 0.1, 3.5, -2.25, 1e30, -1e30, .infinity, -.infinity, .nan, -.nan, 0x1p53,
      Double(chance(9)), 0x1p63, .leastNonzeroMagnitude,
    ])
  }

  mutating func decimal() -> Decimal {
    pick([
      0, 1, -1, Decimal(string: "0.5") ?? 0, Decimal(string: "-3.25") ?? 0, .nan, 12_345, Decimal(chance(9)),
    ])
  }

  /// Some are longer than an entry keeps; some differ in case only, or behind what is kept.
  mutating func text() -> String {
    let long = String(repeating: "x", count: pick([200, 226, 227, 228, 229, 230, 231, 238, 240, 300]))
    return pick([
      "", "a", "A", "ab", "Ab", "aB", "abc", "b", "B", "ß", "SS", "é", "É", "日本", "a\u{0}", "a\u{1}b", "z",
      long, long + "a", long + "B", long + "b\(chance(3))", "long \(long)", "\u{0}\u{1}" + long,
    ])
  }

  mutating func date() -> Date {
    Date(timeIntervalSinceReferenceDate: pick([0, -0.0, 1, -1, 5.5, 1000, Double(chance(10))]))
  }

  mutating func any() -> AnyRealmValue {
    switch chance(9) {
    case 0: .none
    case 1: .int(integer())
    case 2: .double(double())
    case 3: .float(Float(double()))
    case 4: .string(text())
    case 5: .bool(chance(2) == 0)
    case 6: .decimal128(decimal())
    case 7: .date(date())
    default: .int(chance(4))
    }
  }

  // MARK: Objects

  mutating func fill(_ item: PlannedItem) {
    item.number = integer()
    item.small = chance(4) == 0 ? nil : Int8(chance(7) - 3)
    item.double = double()
    item.float = chance(4) == 0 ? nil : Float(double())
    item.date = date()
    item.amount = chance(4) == 0 ? nil : decimal()
    item.flag = chance(2) == 0
    item.text = chance(4) == 0 ? nil : text()
    item.name = text()
    item.bytes = chance(4) == 0 ? nil : Data(text().utf8)
    item.any = any()
    item.plain = chance(10)
  }

  // MARK: Conditions

  static let columns = [
    "id", "number", "small", "double", "float", "date", "amount", "flag", "text", "name", "bytes", "any",
    "plain",
  ]

  mutating func value(for column: String) -> QueryValue {
    if chance(12) == 0 { return .null }
    switch column {
    case "flag": return .bool(chance(2) == 0)
    case "text", "name": return .string(text())
    case "bytes": return .data(Array(text().utf8))
    case "date": return .date(date().timeIntervalSinceReferenceDate)
    default:
      switch chance(4) {
      case 0: return .double(double())
      case 1: return .decimal(decimal())
      default: return .integer(Int64(chance(2) == 0 ? integer() : chance(30)))
      }
    }
  }

  mutating func leaf() -> QueryCondition {
    if chance(15) == 0 { return link() }
    let column = pick(Self.columns)
    let path = QueryOperand.path(QueryPath(column))
    let isText = column == "text" || column == "name"
    let options: QueryTextOptions = isText && chance(3) == 0 ? .caseInsensitive : []
    switch chance(8) {
    case 0:
      let values = (0..<chance(5)).map { _ in value(for: column) }
      return .oneOf(path, values, options)
    case 1 where isText:
      let prefix = String(text().prefix(pick([0, 1, 2, 100, 229, 235])))
      return .comparison(path, pick([.beginsWith, .contains, .endsWith]), .value(.string(prefix)), options)
    default:
      let value = value(for: column)
      var comparisons: [QueryComparison] = [.equal, .notEqual]
      if column != "flag", column != "any", value != .null {
        comparisons += [.less, .lessOrEqual, .greater, .greaterOrEqual]
      }
      let comparison = pick(comparisons)
      if chance(6) == 0 { return .comparison(.value(value), comparison, path, options) }
      return .comparison(path, comparison, .value(value), options)
    }
  }

  private mutating func link() -> QueryCondition {
    let key = ObjectKey(rowID: Int64(chance(40)))
    let object = QueryOperand.value(.object(type: "PlannedItem", key: key))
    switch chance(3) {
    case 0: return .comparison(.path(QueryPath("friend")), .equal, object)
    case 1:
      return .quantified(
        .any,
        QueryCollection(QueryPath("friends")),
        .comparison(.path(.element), .equal, object)
      )
    default: return .comparison(.path(.element), .equal, object)
    }
  }

  mutating func condition(_ depth: Int) -> QueryCondition {
    switch chance(depth == 0 ? 4 : 8) {
    case 4: return .not(condition(depth - 1))
    case 5, 6: return .all((0..<2 + chance(2)).map { _ in condition(depth - 1) })
    case 7: return .any((0..<2 + chance(2)).map { _ in condition(depth - 1) })
    default: return leaf()
    }
  }

  // MARK: Orders and bounds

  mutating func order() -> [QueryOrder] {
    let orders: [[String]] = [
      [], ["id"], ["number"], ["number", "text"], ["text", "double"], ["date", "id"], ["flag", "number"],
      ["name"],
      ["small", "flag", "text"], ["double"], ["float", "id"], ["amount"], ["text"], ["bytes"],
      ["plain", "number"],
      ["flag", "number", "id"],
    ]
    let isSame = chance(3) > 0
    let ascending = chance(2) == 0
    return pick(orders).map { name in
      QueryOrder(
        .path(QueryPath(name)),
        ascending: isSame ? ascending : chance(2) == 0,
        nils: pick([.smallest, .smallest, .first, .last]),
        collation: name == "name" && chance(2) == 0 ? .caseInsensitive : .bytes
      )
    }
  }

  /// A description, without bounds.
  mutating func description() -> QueryDescription {
    var description = QueryDescription()
    if chance(6) > 0 { description.condition = condition(chance(3)) }
    description.order = order()
    switch chance(4) {
    case 0: description.limit = .first(chance(12))
    case 1: description.limit = .last(chance(12))
    default: break
    }
    if chance(5) == 0 { description.offset = chance(5) }
    return description
  }
}
