import LMDB

/// The intermediate results of a search for an index that contains the values of an aggregate. Planning the
/// rows can reuse them.
package final class PartialPlan {
  /// The values of the aggregate.
  let operand: RowOperand
  let condition: RowCondition?
  let search: PlanSearch
  /// The cheapest access path, or `nil` if it was not searched for.
  fileprivate(set) var candidate: PlanCandidate?

  fileprivate init(operand: RowOperand, condition: RowCondition?, search: PlanSearch) {
    self.operand = operand
    self.condition = condition
    self.search = search
  }
}

extension QueryPlanner {
  /// Finds an index that contains the values of a property for all rows of a query, so that an aggregate
  /// reads no records.
  ///
  /// - Returns: the index, or `nil` if no index is suitable or reading the records is cheaper. The second
  ///   value contains intermediate results that planning the same rows can reuse.
  /// - Throws: ``FiefError`` if the query is not supported.
  func values(of path: QueryPath, for aggregate: RowAggregate, _ description: QueryDescription) throws
    -> (values: IndexValues?, begun: PartialPlan?)
  {
    guard description.isWhole, description.members == nil, let records = binder.table.records,
      let column = try binder.column(path),
      column.type.container == .none, !column.isSecret,
      binder.table.indexes.contains(where: { index in
        index.isOrdered && index.columns.contains { $0.id == column.id }
      })
    else { return (nil, nil) }
    let operand = try binder.operand(.path(path))
    try binder.check(operand, aggregate, path.text)
    let isExtreme = aggregate == .minimum || aggregate == .maximum
    if isExtreme, description.condition == nil, let tree = wholeTree(of: column) {
      return (IndexValues(match: TreeMatch(tree: tree, ranges: [.all]), place: 0, operand: operand), nil)
    }
    var description = description
    description.order = []
    let condition = try description.condition.map(binder.condition)
    if condition?.constant == false { return (nil, nil) }
    let search = try PlanSearch(description, binder, transaction, records: records, purpose: .anyOrder)
    var best: (values: IndexValues, cost: Double)?
    for match in try search.matches() where match.answered == search.allConjuncts {
      guard case .index = match.tree.kind, !match.ranges.isEmpty,
        let place = match.tree.columns.firstIndex(where: { $0.id == column.id })
      else { continue }
      if isExtreme, place > match.fixedColumns || (match.tree.isFolded && column.type.kind == .string) {
        continue
      }
      let values = IndexValues(match: match, place: place, operand: operand)
      let entries = isExtreme && match.filters.isEmpty ? 1 : search.entries(match)
      // The additional cost is for skipping the columns before this one.
      let entry = PlanSearch.entry + 0.1 * Double(place)
      let cost = Double(entries) * entry + Double(match.ranges.count)
      if cost < best?.cost ?? .infinity { best = (values, cost) }
    }
    let begun = PartialPlan(operand: operand, condition: condition, search: search)
    guard let best else { return (nil, begun) }
    // The first entry is found directly.
    if isExtreme, best.values.match.filters.isEmpty { return (best.values, begun) }
    let ofRows = Self.best(of: try search.candidates())
    begun.candidate = ofRows
    return (best.cost < ofRows.cost ? best.values : nil, begun)
  }

  /// Returns an index that begins with a column and stores its texts unfolded. Without a condition, it is the
  /// cheapest way to find the minimum and maximum.
  private func wholeTree(of column: ColumnEntry) -> PlannedTree? {
    let index = binder.table.indexes.first { index in
      index.isOrdered && index.columns.first?.id == column.id
        && !(index.entry.isCaseInsensitive && column.type.kind == .string)
    }
    return index.map { PlannedTree($0, of: binder.table) }
  }
}

extension PlanSearch {
  /// Returns the approximate number of entries in the ranges of a tree that the conditions allow.
  func entries(_ match: TreeMatch) -> Int { match.isRestricted ? match.estimate : total }
}
