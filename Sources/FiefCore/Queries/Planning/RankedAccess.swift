import LMDB

/// The objects that match a full-text condition, in the order of how well they do.
///
/// The keys are found when it begins: with a limit as many as that, otherwise all that match.
final class RankedAccess: QueryAccess {
  let index: Table.Index
  let query: FullTextQuery
  private let ascending: Bool
  /// The number of rows that are wanted from the first on; nil for all.
  private let limit: Int?
  private let condition: RowCondition?

  /// - Parameters:
  ///   - limit: the number of best matches that are wanted; nil for all.
  ///   - condition: the whole condition.
  init(
    table: Table,
    index: Table.Index,
    query: FullTextQuery,
    ascending: Bool,
    limit: Int?,
    condition: RowCondition?
  ) {
    self.index = index
    self.query = query
    self.ascending = ascending
    self.limit = limit
    self.condition = condition
    super.init(table: table)
    isOrdered = true
  }

  override func forEachRow(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? {
    guard let records = table.records else { return nil }
    var next = 0
    let keys: [ObjectKey]
    if case .ranked(let known, let place)? = position?.origin {
      keys = known
      next = place + 1
    } else {
      keys = try ranked(in: environment, records)
    }
    // Rows that were found in the same call match the condition already.
    let condition = position == nil ? nil : condition
    while next < keys.count {
      let goesOn = try keys[next].bytes.withUnsafeBytes { key in
        guard let record = try environment.transaction.get(records, key),
          let row = try environment.foundRow(of: table, key: key, record: record, if: condition)
        else { return true }
        return try body(row)
      }
      if !goesOn { return QueryPosition(bytes: [], origin: .ranked(keys, next)) }
      next += 1
    }
    return nil
  }

  private func ranked(in environment: QueryEnvironment, _ records: Database) throws -> [ObjectKey] {
    guard query.isSearchable else { return try unranked(in: environment) }
    let search = FullTextSearch(query, index: index, transaction: environment.transaction)
    func holds(_ key: ObjectKey) throws -> Bool {
      try key.bytes.withUnsafeBytes {
        try environment.row(of: table, records, key: $0, if: condition) != nil
      }
    }
    if let limit, ascending { return try search.best(limit, where: holds).map(\.key) }
    var hits: [FullTextSearch.Hit] = []
    try search.forEachHit { hit in
      if try holds(hit.key) { hits.append(hit) }
      return true
    }
    // Objects with equal scores come in the order of their keys in both directions.
    hits.sort { first, second in
      if first.score == second.score { return first.key < second.key }
      return (first.score > second.score) == ascending
    }
    return (limit.map { hits.prefix($0) } ?? hits[...]).map(\.key)
  }

  /// The objects that match a query that only excludes words: none matches better than another, so that they come in the
  /// order of their keys.
  private func unranked(in environment: QueryEnvironment) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    let limit = limit ?? .max
    if query.isEmpty || limit == 0 { return keys }
    let scan = ScanAccess(table: table, condition: condition)
    _ = try scan.forEachRow(in: environment, after: nil) { row in
      keys.append(ObjectKey(row.key))
      return keys.count < limit
    }
    return keys
  }
}

extension QueryPlanner {
  /// The access path of a query in the order of relevance; nil where it has another order.
  func rankedAccess(_ description: QueryDescription, _ condition: RowCondition?) throws -> RankedAccess? {
    guard description.order.contains(where: { $0.key == .relevance }) else { return nil }
    guard description.order.count == 1, description.start == nil, description.end == nil else {
      throw binder.invalid("An order by relevance goes neither with other orders nor with bounds.")
    }
    var conjuncts: [QueryCondition] = []
    switch description.condition {
    case .all(let conditions)?: conjuncts = conditions
    case let condition?: conjuncts = [condition]
    case nil: break
    }
    var hasText = false
    var unsearchable: RankedAccess?
    for case .matches(let path, let text) in conjuncts {
      hasText = true
      let column = try binder.column(path)
      let query = FullTextQuery(parsing: text)
      let index = binder.table.indexes.first { index in
        index.entry.kind == .fullText && index.columns.contains { $0.id == column?.id }
      }
      guard let index else { continue }
      var limit: Int?
      if case .first(let count)? = description.limit, description.distinct.isEmpty {
        limit = count.addingReportingOverflow(description.offset).partialValue
      }
      let access = RankedAccess(
        table: binder.table,
        index: index,
        query: query,
        ascending: description.order[0].ascending,
        limit: limit.flatMap { $0 < 0 ? nil : $0 },
        condition: condition
      )
      if query.isSearchable { return access }
      unsearchable = unsearchable ?? access
    }
    if let unsearchable { return unsearchable }
    throw binder.invalid(
      hasText
        ? "An order by relevance needs a full-text index of the property."
        : "Only a query with a full-text condition has an order by relevance."
    )
  }
}
