/// An order in terms of columns.
struct PlannedOrder: Equatable {
  struct Key: Equatable {
    let column: UInt16
    let ascending: Bool
    let isFolded: Bool
    /// Whether nil is above all values, rather than below them as in trees.
    let nilsAreGreatest: Bool
    /// The index of this key in the description's order.
    let place: Int
  }

  /// A key of the description's order whose column has a single value.
  struct ConstantKey: Equatable {
    let place: Int
    let column: ColumnEntry
    let element: [UInt8]
  }

  /// The keys of the order, without keys that have no effect: columns with a single value, and columns after
  /// the whole object key.
  var keys: [Key]
  /// Whether objects with equal sort keys are in ascending order of their object keys.
  var tiesAscend: Bool
  /// The parts of the order that were removed because their column has a single value.
  var fixed: [ConstantKey] = []
}

extension PlanSearch {
  /// Returns the order of the description in terms of columns, or `nil` if it does not depend only on values
  /// of columns.
  func plannedOrder() throws -> PlannedOrder? {
    var keys: [PlannedOrder.Key] = []
    var fixed: [PlannedOrder.ConstantKey] = []
    if purpose != .rows { return PlannedOrder(keys: [], tiesAscend: true) }
    for (place, order) in description.order.enumerated() {
      guard case .path(let path) = order.key, let column = try binder.column(path),
        Self.isOrderOfElements(order, column)
      else { return nil }
      let nilsAreGreatest = column.type.isOptional && Self.nilsAreGreatest(order)
      if let element = fixedElement(column) {
        fixed.append(PlannedOrder.ConstantKey(place: place, column: column, element: element))
        continue
      }
      if keys.contains(where: { $0.column == column.id && !$0.isFolded }) { continue }
      let isFolded = column.type.kind == .string && order.collation == .caseInsensitive
      keys.append(
        PlannedOrder.Key(
          column: column.id,
          ascending: order.ascending,
          isFolded: isFolded,
          nilsAreGreatest: nilsAreGreatest,
          place: place
        )
      )
    }
    var order = withoutObjectKey(keys)
    order.fixed = fixed
    return order
  }

  /// Whether the order equals the order of the column's elements or its reverse, apart from nil.
  private static func isOrderOfElements(_ order: QueryOrder, _ column: ColumnEntry) -> Bool {
    guard column.type.isIndexable, column.type.kind != .any, !column.isSecret else { return false }
    if case .locale = order.collation, column.type.kind == .string { return false }
    return true
  }

  private static func nilsAreGreatest(_ order: QueryOrder) -> Bool {
    switch order.nils {
    case .smallest: false
    case .first: !order.ascending
    case .last: order.ascending
    }
  }

  /// Removes trailing keys that have the same effect as the order of the objects' keys.
  private func withoutObjectKey(_ keys: [PlannedOrder.Key]) -> PlannedOrder {
    let key = table.primaryKey
    for start in keys.indices where keys.count - start <= key.count {
      let tail = keys[start...]
      guard zip(tail, key).allSatisfy({ $0.column == $1.id && !$0.isFolded }) else { continue }
      if tail.allSatisfy(\.ascending) {
        return PlannedOrder(keys: Array(keys[..<start]), tiesAscend: true)
      }
      if tail.count == key.count, tail.allSatisfy({ !$0.ascending }) {
        return PlannedOrder(keys: Array(keys[..<start]), tiesAscend: false)
      }
    }
    return PlannedOrder(keys: keys, tiesAscend: true)
  }
}
