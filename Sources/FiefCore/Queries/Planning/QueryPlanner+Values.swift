import LMDB

/// What the search for an index that has the values of an aggregate has bound and found about the rows.
package final class BegunPlan {
  /// The values of the aggregate.
  let operand: RowOperand
  let condition: RowCondition?
  let search: PlanSearch
  /// The cheapest path to the rows; nil where it was not looked for.
  fileprivate(set) var candidate: PlanCandidate?

  fileprivate init(operand: RowOperand, condition: RowCondition?, search: PlanSearch) {
    self.operand = operand
    self.condition = condition
    self.search = search
  }
}

extension QueryPlanner {
  /// The index that has the values of a property for all rows of a query, so that an aggregate reads none of the
  /// records; nil where there is none, or where it costs more than the records.
  ///
  /// - Returns: the index, and what planning the same rows can go on with where it is nil.
  /// - Throws: ``FiefError`` for an unsupported query.
  func values(of path: QueryPath, for aggregate: RowAggregate, _ description: QueryDescription) throws
    -> (values: IndexValues?, begun: BegunPlan?)
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
      // The columns before it are passed over.
      let entry = PlanSearch.entry + 0.1 * Double(place)
      let cost = Double(entries) * entry + Double(match.ranges.count)
      if cost < best?.cost ?? .infinity { best = (values, cost) }
    }
    let begun = BegunPlan(operand: operand, condition: condition, search: search)
    guard let best else { return (nil, begun) }
    // The first entry is found at once.
    if isExtreme, best.values.match.filters.isEmpty { return (best.values, begun) }
    let ofRows = Self.best(of: try search.candidates())
    begun.candidate = ofRows
    return (best.cost < ofRows.cost ? best.values : nil, begun)
  }

  /// An index that begins with a column, with the texts as they are: nothing has its extremes more cheaply where no
  /// condition holds.
  private func wholeTree(of column: ColumnEntry) -> PlannedTree? {
    let index = binder.table.indexes.first { index in
      index.isOrdered && index.columns.first?.id == column.id
        && !(index.entry.isCaseInsensitive && column.type.kind == .string)
    }
    return index.map { PlannedTree($0, of: binder.table) }
  }
}

extension PlanSearch {
  /// The entries of what conditions leave of a tree, about.
  func entries(_ match: TreeMatch) -> Int { match.isRestricted ? match.estimate : total }
}
