/// An order in terms of columns.
struct PlannedOrder: Equatable {
  struct Key: Equatable {
    let column: UInt16
    let ascending: Bool
    let isFolded: Bool
    /// Whether nil is above all values, and not below them as it is in trees.
    let nilsAreGreatest: Bool
    /// The place in the description's order.
    let place: Int
  }

  /// A place in the description's order whose column has one value.
  struct Fixed: Equatable {
    let place: Int
    let column: ColumnEntry
    let element: [UInt8]
  }

  /// The keys of the order, without those that change nothing: columns that have one value only, and those
  /// behind the objects' keys.
  var keys: [Key]
  /// Whether objects that are equal in these come in the order of their keys.
  var tiesAscend: Bool
  /// The parts of the order that are left out, since their column has one value.
  var fixed: [Fixed] = []
}

extension PlanSearch {
  /// The order of the description; nil where values of columns do not make it.
  func plannedOrder() throws -> PlannedOrder? {
    var keys: [PlannedOrder.Key] = []
    var fixed: [PlannedOrder.Fixed] = []
    if purpose != .rows { return PlannedOrder(keys: [], tiesAscend: true) }
    for (place, order) in description.order.enumerated() {
      guard case .path(let path) = order.key, let column = try binder.column(path),
        Self.isOrderOfElements(order, column)
      else { return nil }
      let nilsAreGreatest = column.type.isOptional && Self.nilsAreGreatest(order)
      if let element = fixedElement(column) {
        fixed.append(PlannedOrder.Fixed(place: place, column: column, element: element))
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

  /// Whether the order is that of the column's elements, or its opposite, apart from nil.
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

  /// Removes the keys at the end that equal the order of the objects' keys.
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
