import Fief
import FiefTree

/// A query as the specification states it: sorts all children, then keeps the bounds and the limit. It
/// compares values, where the library compares bytes.
package struct QueryModel: CustomStringConvertible, Sendable {
  package enum Order: Equatable, Sendable {
    case key
    case value
    case child([String])

    /// The order in the declaration of an index.
    package var indexText: String {
      if case .child(let names) = self { names.joined(separator: "/") } else { ".value" }
    }
  }

  struct Bound: Sendable {
    var value: JSON
    var childKey: String?
    var isIncluded = true
  }

  enum Limit: Sendable {
    case first(Int)
    case last(Int)
  }

  package var order: Order?
  var start: Bound?
  var end: Bound?
  var limit: Limit?

  /// Returns the query of a place or a group.
  package func query(of source: some TreeQueryable) throws -> TreeQuery {
    var query = source.query
    switch order {
    case nil: break
    case .key?: query = try query.queryOrderedByKey()
    case .value?: query = try query.queryOrderedByValue()
    case .child(let names)?: query = try query.queryOrdered(byChild: names.joined(separator: "/"))
    }
    if let start {
      query =
        start.isIncluded
        ? try query.queryStarting(atValue: start.value, childKey: start.childKey)
        : try query.queryStarting(afterValue: start.value, childKey: start.childKey)
    }
    if let end {
      query =
        end.isIncluded
        ? try query.queryEnding(atValue: end.value, childKey: end.childKey)
        : try query.queryEnding(beforeValue: end.value, childKey: end.childKey)
    }
    switch limit {
    case nil: break
    case .first(let count)?: query = try query.queryLimited(toFirst: count)
    case .last(let count)?: query = try query.queryLimited(toLast: count)
    }
    return query
  }

  /// A child: its path or name, and its value.
  package struct Child: Sendable {
    package let path: [String]
    package let value: JSON

    package init(path: [String], value: JSON) {
      self.path = path
      self.value = value
    }
  }

  /// Returns the children of the query in its order.
  ///
  /// - Parameter children: all children of the place, or of the nodes of the group.
  package func result(of children: [Child]) -> [Child] {
    var result = children.filter { child in
      if let start {
        let order = compare(child, with: start)
        if order < 0 || order == 0 && !start.isIncluded { return false }
      }
      if let end {
        let order = compare(child, with: end)
        if order > 0 || order == 0 && !end.isIncluded { return false }
      }
      return true
    }
    result.sort { first, second in
      let order = Self.compare(value(of: first), value(of: second))
      return order == 0 ? Self.compare(first.path, second.path) < 0 : order < 0
    }
    switch limit {
    case nil: return result
    case .first(let count)?: return Array(result.prefix(count))
    case .last(let count)?: return Array(result.suffix(count))
    }
  }

  /// Returns the value by which the query orders a child.
  package func value(of child: Child) -> JSON {
    switch order {
    case nil, .key?: .null
    case .value?: child.value
    case .child(let names)?: names.reduce(child.value) { $0[$1] }
    }
  }

  /// Compares a child with a bound: 0 if the bound includes it.
  private func compare(_ child: Child, with bound: Bound) -> Int {
    if order == .key {
      return Self.compare(child.path, Self.path(bound.value.string ?? ""))
    }
    let order = Self.compare(value(of: child), bound.value)
    guard order == 0, let key = bound.childKey else { return order }
    return Self.compare(child.path, Self.path(key))
  }

  /// Splits bytes, because Swift joins a slash and a following accent into one `Character`.
  private static func path(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func compare(_ first: [String], _ second: [String]) -> Int {
    for (first, second) in zip(first, second) where Array(first.utf8) != Array(second.utf8) {
      return TreeModel.isBefore(first, second) ? -1 : 1
    }
    return first.count - second.count
  }

  package static func compare(_ first: JSON, _ second: JSON) -> Int {
    let ranks = (rank(first), rank(second))
    if ranks.0 != ranks.1 { return ranks.0 - ranks.1 }
    switch (first, second) {
    case (.string(let first), .string(let second)):
      let (first, second) = (Array(first.utf8), Array(second.utf8))
      return first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
    case (.int(let first), .int(let second)): return first == second ? 0 : first < second ? -1 : 1
    case (.double(let first), .double(let second)): return first == second ? 0 : first < second ? -1 : 1
    case (.int(let first), .double(let second)): return compare(first, second)
    case (.double(let first), .int(let second)): return -compare(second, first)
    default: return 0
    }
  }

  /// Compares the whole part first, since a double may be beyond all integers of 64 bits.
  private static func compare(_ integer: Int64, _ double: Double) -> Int {
    if double >= 0x1p63 { return -1 }
    if double < -0x1p63 { return 1 }
    let whole = Int64(double.rounded(.down))
    if integer != whole { return integer < whole ? -1 : 1 }
    return double == double.rounded(.down) ? 0 : -1
  }

  private static func rank(_ value: JSON) -> Int {
    switch value {
    case .null: 0
    case .bool(false): 1
    case .bool(true): 2
    case .int, .double: 3
    case .string: 4
    case .array, .object: 5
    }
  }

  package var description: String {
    "order \(order.map { "\($0)" } ?? "none"), start \(start.map { "\($0)" } ?? "none"), "
      + "end \(end.map { "\($0)" } ?? "none"), limit \(limit.map { "\($0)" } ?? "none")"
  }
}

extension QueryModel {
  /// Returns a query whose bounds meet the values and names of a test.
  ///
  /// - Parameter orders: the orders of indexes; `nil` for random orders.
  package static func random(
    _ names: [String],
    _ values: [JSON],
    orders: [Order]? = nil,
    using random: inout SeededRandom
  ) -> QueryModel {
    var query = QueryModel()
    func name() -> String { names.randomElement(using: &random) ?? "a" }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: break
    case 1, 2: query.order = .key
    case _ where orders != nil: query.order = orders?.randomElement(using: &random)
    case 3, 4: query.order = .value
    default: query.order = .child((0..<Int.random(in: 1...2, using: &random)).map { _ in name() })
    }
    func bound() -> Bound {
      if query.order == .key { return Bound(value: .string(name()), isIncluded: Bool.random(using: &random)) }
      let key = Bool.random(using: &random) ? name() : nil
      let value = values.randomElement(using: &random) ?? .null
      return Bound(value: value, childKey: key, isIncluded: Bool.random(using: &random))
    }
    if query.order != nil {
      if Bool.random(using: &random) { query.start = bound() }
      if Bool.random(using: &random) { query.end = bound() }
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: query.limit = .first(Int.random(in: 1...4, using: &random))
    case 1: query.limit = .last(Int.random(in: 1...4, using: &random))
    default: break
    }
    return query
  }
}
