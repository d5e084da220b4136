import LMDB

/// Chooses how the rows of a query are reached.
struct QueryPlanner {
  let binder: QueryBinder
  let transaction: LMDB.Transaction

  /// - Throws: ``FiefError`` for what the query cannot do.
  func plan(_ description: QueryDescription) throws -> QueryAccess {
    let condition = try description.condition.map(binder.condition)
    let direction = try keyDirection(of: description.order)
    let isLast = if case .last? = description.limit { true } else { false }
    let isBackward = direction.map { $0 == isLast } ?? false
    let access = ScanAccess(table: binder.table, isBackward: isBackward, condition: condition)
    access.isOrdered = direction != nil && !isLast
    access.isReversed = direction != nil && isLast
    return access
  }

  /// Whether an order is that of the keys (true) or its opposite (false); nil where it is neither.
  private func keyDirection(of order: [QueryOrder]) throws -> Bool? {
    let key = binder.table.primaryKey
    guard let first = order.first else { return true }
    guard order.count <= key.count else { return nil }
    for (order, column) in zip(order, key) {
      guard order.ascending == first.ascending, order.collation == .bytes, case .path(let path) = order.key,
        !column.type.isOptional || order.nils == .smallest, try binder.column(path)?.id == column.id
      else { return nil }
    }
    // Objects with equal values come in the order of their keys, whichever way the values go.
    return first.ascending || order.count == key.count ? first.ascending : nil
  }
}
