import Fief

/// A source of children that can be ordered, bounded and limited: a place of a tree, or a query.
public protocol TreeQueryable: Sendable {
  /// The query for the children of the place, or the query itself.
  var query: TreeQuery { get }
}

extension TreeQuery: TreeQueryable {
  /// The query itself.
  public var query: TreeQuery { self }
}

extension TreeQueryable {
  /// Orders the children by the values at a path below each of them.
  ///
  /// ```swift
  /// let oldest = try rooms.queryOrdered(byChild: "last/at").queryLimited(toFirst: 10)
  /// ```
  /// Children without a value at the path come first.
  ///
  /// - Parameter path: one to eight names that are joined by slashes.
  /// - Throws: `FiefError` of code `invalidTreeKey` for a name, `invalidQuery` for an empty or longer path or if
  ///   the query has an order.
  public func queryOrdered(byChild path: String) throws -> TreeQuery {
    let order = try TreeOrder(child: path)
    return try query.adding { try $0.ordered(by: order) }
  }

  /// Orders the children by their keys, in the order of the tree. In a group, the key of a child is its path.
  ///
  /// - Throws: `FiefError` of code `invalidQuery` if the query has an order.
  public func queryOrderedByKey() throws -> TreeQuery { try query.adding { try $0.ordered(by: .key) } }

  /// Orders the children by their own values.
  ///
  /// - Throws: `FiefError` of code `invalidQuery` if the query has an order.
  public func queryOrderedByValue() throws -> TreeQuery { try query.adding { try $0.ordered(by: .value) } }

  /// Begins at a value, which is included.
  ///
  /// - Parameters:
  ///   - value: `nil`, a truth value, a finite number or a text; the key of a child in a query by key, which
  ///     need not exist.
  ///   - key: the key at which to begin among the children with this value, which need not exist; `nil` to
  ///     begin with the first of them. Not for queries by key.
  /// - Throws: `FiefError` of code `orderRequired` if the query has no order; `invalidQuery` if it has a start,
  ///   or for an array, an object, a bound of a query by key that is not a text or has a child key;
  ///   `invalidTreeKey` for an invalid key; `invalidValue` for a number that is not finite.
  public func queryStarting(atValue value: JSON, childKey key: String? = nil) throws -> TreeQuery {
    try query.adding {
      try $0.bounded(start: TreeSelection.Bound(value: value, childKey: key, isIncluded: true))
    }
  }

  /// Begins after a value.
  ///
  /// - Parameters:
  ///   - value: the value; see ``queryStarting(atValue:childKey:)``.
  ///   - key: the key after which to begin among the children with this value; `nil` to begin after all of
  ///     them. Not for queries by key.
  /// - Throws: the errors of ``queryStarting(atValue:childKey:)``.
  public func queryStarting(afterValue value: JSON, childKey key: String? = nil) throws -> TreeQuery {
    try query.adding {
      try $0.bounded(start: TreeSelection.Bound(value: value, childKey: key, isIncluded: false))
    }
  }

  /// Ends at a value, which is included.
  ///
  /// - Parameters:
  ///   - value: the value; see ``queryStarting(atValue:childKey:)``.
  ///   - key: the key at which to end among the children with this value; `nil` to end with the last of them.
  ///     Not for queries by key.
  /// - Throws: the errors of ``queryStarting(atValue:childKey:)``.
  public func queryEnding(atValue value: JSON, childKey key: String? = nil) throws -> TreeQuery {
    try query.adding {
      try $0.bounded(end: TreeSelection.Bound(value: value, childKey: key, isIncluded: true))
    }
  }

  /// Ends before a value.
  ///
  /// - Parameters:
  ///   - value: the value; see ``queryStarting(atValue:childKey:)``.
  ///   - key: the key before which to end among the children with this value; `nil` to end before all of them.
  ///     Not for queries by key.
  /// - Throws: the errors of ``queryStarting(atValue:childKey:)``.
  public func queryEnding(beforeValue value: JSON, childKey key: String? = nil) throws -> TreeQuery {
    try query.adding {
      try $0.bounded(end: TreeSelection.Bound(value: value, childKey: key, isIncluded: false))
    }
  }

  /// Keeps only the children with a value. This is a start and an end.
  ///
  /// - Parameters:
  ///   - value: the value; see ``queryStarting(atValue:childKey:)``.
  ///   - key: the key of the only child, if it has the value; `nil` for all children with it. Not for queries
  ///     by key.
  /// - Throws: the errors of ``queryStarting(atValue:childKey:)``; also if the query has an end.
  public func queryEqual(toValue value: JSON, childKey key: String? = nil) throws -> TreeQuery {
    let bound = TreeSelection.Bound(value: value, childKey: key, isIncluded: true)
    return try query.adding { try $0.bounded(start: bound, end: bound, isEqual: true) }
  }

  /// Keeps the first children within the bounds.
  ///
  /// - Parameter count: the maximum number of children; at least 1.
  /// - Throws: `FiefError` of code `invalidQuery` for a lower number, or if the query has a limit.
  public func queryLimited(toFirst count: Int) throws -> TreeQuery {
    try query.adding { try $0.limited(to: .first(count)) }
  }

  /// Keeps the last children within the bounds, in their order.
  ///
  /// - Parameter count: the maximum number of children; at least 1.
  /// - Throws: `FiefError` of code `invalidQuery` for a lower number, or if the query has a limit.
  public func queryLimited(toLast count: Int) throws -> TreeQuery {
    try query.adding { try $0.limited(to: .last(count)) }
  }
}
