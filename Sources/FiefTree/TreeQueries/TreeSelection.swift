import Fief

/// The children of a place, or of all nodes with a name, in an order, possibly bounded and limited.
struct TreeSelection: Sendable {
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

  /// A selected child.
  struct Entry: Sendable {
    /// The child's name; in a group its path.
    let key: String
    let sortKey: TreeSortKey
  }

  /// The place; the root for a group.
  let location: TreePath
  /// The name of the nodes whose children are selected, wherever they are; `nil` for the children of a place.
  let group: String?
  /// The order; `nil` for the order of keys.
  private(set) var order: TreeOrder?
  private(set) var start: Bound?
  private(set) var end: Bound?
  /// Whether start and end are one value.
  private(set) var isEqual = false
  private(set) var limit: Limit?

  init(childrenOf location: TreePath) {
    self.location = location
    group = nil
  }

  init(group: String) {
    location = TreePath()
    self.group = group
  }

  /// Whether all children are selected.
  var isUnbounded: Bool { limit == nil && start == nil && end == nil }

  /// The order, which is by key without another one.
  var effectiveOrder: TreeOrder { order ?? .key }

  /// Returns the place of a child.
  func location(of entry: Entry) -> TreePath {
    group == nil ? location.appending(entry.key) : TreePath(valid: entry.key)
  }

  // MARK: Parts

  func ordered(by order: TreeOrder) throws(FiefError) -> TreeSelection {
    guard self.order == nil else { throw Self.second("order") }
    var selection = self
    selection.order = order
    return selection
  }

  func bounded(start: Bound? = nil, end: Bound? = nil, isEqual: Bool = false) throws(FiefError)
    -> TreeSelection
  {
    guard let order else {
      throw FiefError(
        .orderRequired,
        "A query has a bound but no order: begin it with queryOrdered(byChild:) or another order."
      )
    }
    if start != nil, self.start != nil { throw Self.second("start") }
    if end != nil, self.end != nil { throw Self.second("end") }
    var selection = self
    if let start {
      try check(start, order)
      selection.start = start
    }
    if let end {
      try check(end, order)
      selection.end = end
    }
    selection.isEqual = isEqual
    return selection
  }

  /// The selection with its limit and without its order.
  var withoutOrder: TreeSelection {
    var selection = self
    selection.order = nil
    return selection
  }

  func limited(to limit: Limit) throws(FiefError) -> TreeSelection {
    guard self.limit == nil else { throw Self.second("limit") }
    guard limit.count >= 1 else {
      throw FiefError(.invalidQuery, "The limit of a query is below 1.", details: ["limit: \(limit.count)"])
    }
    var selection = self
    selection.limit = limit
    return selection
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
    if group != nil { _ = try TreePath(key) } else { try TreeName.check(key, path: key) }
  }
}

extension TreeSelection {
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
      if group != nil { key.append(TreePath(valid: name)) } else { key.append(name: name) }
    }
    // Many children may have the value of a bound, but only one has its name as well.
    if isAfter { key.append(name == nil ? TreeSortKey.afterAll : TreeSortKey.beforeAll) }
    return key
  }
}
