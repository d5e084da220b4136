import Fief

/// The children of a place in an order, possibly bounded and limited.
///
/// ```swift
/// let newest = try room.queryOrdered(byChild: "at").queryLimited(toLast: 20)
/// for message in try newest.snapshot().children { print(message.json["text"]) }
/// ```
/// A query is a value: it holds no data and no transaction, and any task may use it. It has one order, at
/// most one start, one end and one limit. Without an order, it is ordered by keys and has no bounds.
///
/// Values are ordered by their types: absent, `false`, `true`, numbers, texts by their UTF-8 bytes, nodes with
/// children. Integers and doubles compare exactly. Equal values are ordered by the keys of their children. A
/// range crosses types: it begins at a number and includes every text and every node with children, unless it
/// has an end.
///
/// The order of keys is the order of the tree, so a query by key reads its window only. Any other query with
/// bounds or a limit reads all children of its place, unless an index serves it.
public struct TreeQuery: Sendable {
  /// The nodes whose children the query orders.
  enum Source: Sendable {
    case place(TreeReference)
    /// All nodes with a name.
    case group(JSONTree, name: String)
  }

  struct Bound: Sendable {
    let value: JSON
    let childKey: String?
    /// Whether the range includes the bound.
    let isIncluded: Bool
  }

  enum Limit: Sendable, Hashable {
    case first(Int)
    case last(Int)

    var count: Int {
      switch self {
      case .first(let count), .last(let count): count
      }
    }

    var isLast: Bool { if case .last = self { true } else { false } }
  }

  /// A child of a query.
  struct Entry: Sendable {
    /// The child's name; in a group its path.
    let key: String
    let sortKey: TreeSortKey
  }

  let source: Source
  /// The order; `nil` for the order of keys.
  private(set) var order: TreeOrder?
  private(set) var start: Bound?
  private(set) var end: Bound?
  /// Whether start and end are one value.
  private(set) var isEqual = false
  private(set) var limit: Limit?

  init(_ source: Source) { self.source = source }

  var tree: JSONTree {
    switch source {
    case .place(let reference): reference.tree
    case .group(let tree, _): tree
    }
  }

  /// The place of the query; the root for a group.
  var reference: TreeReference {
    switch source {
    case .place(let reference): reference
    case .group(let tree, _): tree.root
    }
  }

  var isGroup: Bool { if case .group = source { true } else { false } }

  /// Whether the query has all children of its place.
  var isUnbounded: Bool { limit == nil && start == nil && end == nil }

  /// The order, which is by key unless another one was asked for.
  var effectiveOrder: TreeOrder { order ?? .key }

  /// Returns the place of a child.
  func location(of entry: Entry) -> TreePath {
    switch source {
    case .place(let reference): reference.location.appending(entry.key)
    case .group: TreePath(valid: entry.key)
    }
  }

  // MARK: Parts

  func ordered(by order: TreeOrder) throws(FiefError) -> TreeQuery {
    guard self.order == nil else { throw Self.second("order") }
    var query = self
    query.order = order
    return query
  }

  func bounded(start: Bound? = nil, end: Bound? = nil, isEqual: Bool = false) throws(FiefError) -> TreeQuery {
    guard let order else {
      throw FiefError(
        .orderRequired,
        "A query has a bound but no order: begin it with queryOrdered(byChild:) or another order."
      )
    }
    if start != nil, self.start != nil { throw Self.second("start") }
    if end != nil, self.end != nil { throw Self.second("end") }
    var query = self
    if let start {
      try check(start, order)
      query.start = start
    }
    if let end {
      try check(end, order)
      query.end = end
    }
    query.isEqual = isEqual
    return query
  }

  /// The query with its limit and without its order.
  var withoutOrder: TreeQuery {
    var query = self
    query.order = nil
    return query
  }

  func limited(to limit: Limit) throws(FiefError) -> TreeQuery {
    guard self.limit == nil else { throw Self.second("limit") }
    guard limit.count >= 1 else {
      throw FiefError(.invalidQuery, "The limit of a query is below 1.", details: ["limit: \(limit.count)"])
    }
    var query = self
    query.limit = limit
    return query
  }

  private static func second(_ part: String) -> FiefError {
    FiefError(.invalidQuery, "A query has a second \(part).")
  }

  private func check(_ bound: Bound, _ order: TreeOrder) throws(FiefError) {
    if let key = bound.childKey {
      if order == .key {
        throw FiefError(.invalidQuery, "A bound of a query by key has a child key: the bound is the key.")
      }
      try check(key: key)
    }
    switch bound.value {
    case .string(let text):
      if order == .key { try check(key: text) }
    case _ where order == .key:
      throw FiefError(.invalidQuery, "A bound of a query by key is not a text.")
    case .double(let number) where !number.isFinite:
      throw FiefError(.invalidValue, "A bound of a query is infinite or not a number.")
    case .array, .object:
      throw FiefError(.invalidQuery, "A bound of a query is an array or an object.")
    case .null, .bool, .int, .double: break
    }
  }

  /// Checks the name of a child, or its path in a group. It need not exist.
  private func check(key: String) throws(FiefError) {
    if isGroup { _ = try TreePath(key) } else { try TreeName.check(key, path: key) }
  }
}

extension TreeQuery {
  /// The part of the order that the bounds include.
  var range: TreeRange {
    TreeRange(
      start: start.map { sortKey(of: $0, isAfter: !$0.isIncluded) },
      end: end.map { sortKey(of: $0, isAfter: $0.isIncluded) }
    )
  }

  /// Returns the key that begins at a bound, or the first key after it.
  private func sortKey(of bound: Bound, isAfter: Bool) -> TreeSortKey {
    var key = TreeSortKey()
    let name = effectiveOrder == .key ? bound.value.string : bound.childKey
    if effectiveOrder != .key { key.append(.leaf(bound.value)) }
    if let name {
      if isGroup { key.append(TreePath(valid: name)) } else { key.append(name: name) }
    }
    // Many children may have the value of a bound, but only one has its name as well.
    if isAfter { key.append(name == nil ? TreeSortKey.afterAll : TreeSortKey.beforeAll) }
    return key
  }
}
