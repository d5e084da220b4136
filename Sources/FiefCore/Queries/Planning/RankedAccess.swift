import LMDB

/// The objects that an index finds for a condition, in the order of their relevance.
///
/// The keys are found when the read begins: as many as the limit allows, or all matches if there is no limit.
final class RankedAccess: QueryAccess {
  let candidates: any IndexCandidates
  private let ascending: Bool
  /// The number of rows that the query needs, counted from the first row; `nil` for all.
  private let limit: Int?
  private let condition: RowCondition?

  /// - Parameters:
  ///   - limit: the number of rows that the query needs; `nil` for all.
  ///   - condition: the whole condition.
  init(
    table: Table,
    candidates: any IndexCandidates,
    ascending: Bool,
    limit: Int?,
    condition: RowCondition?
  ) {
    self.candidates = candidates
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
    // Rows that were found in this call already fulfil the condition.
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
    guard candidates.isSearchable else { return try unranked(in: environment) }
    return try candidates.ranked(bestFirst: ascending, limit: limit, in: environment.transaction) { key in
      try key.bytes.withUnsafeBytes {
        try environment.row(of: table, records, key: $0, if: condition) != nil
      }
    }
  }

  /// Returns the objects in the order of their keys. If the query only excludes words, all matches are
  /// equally relevant.
  private func unranked(in environment: QueryEnvironment) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    let limit = limit ?? .max
    if limit == 0 { return keys }
    let scan = ScanAccess(table: table, condition: condition)
    _ = try scan.forEachRow(in: environment, after: nil) { row in
      keys.append(ObjectKey(row.key))
      return keys.count < limit
    }
    return keys
  }
}

extension QueryPlanner {
  /// Returns the access path of a query in the order of relevance, or `nil` if the query has another order.
  func rankedAccess(_ description: QueryDescription, _ condition: RowCondition?) throws -> RankedAccess? {
    guard description.order.contains(where: { $0.key == .relevance }) else { return nil }
    guard description.order.count == 1, description.start == nil, description.end == nil else {
      throw binder.invalid("An order by relevance cannot be combined with other orders or with bounds.")
    }
    var conjuncts: [QueryCondition] = []
    switch description.condition {
    case .all(let conditions)?: conjuncts = conditions
    case let condition?: conjuncts = [condition]
    case nil: break
    }
    var hasRequest = false
    var unsearchable: RankedAccess?
    for case let (path, request)? in conjuncts.map(\.indexRequest) {
      hasRequest = true
      guard let found = binder.table.candidates(for: request, in: try binder.column(path)) else { continue }
      var limit: Int?
      if case .first(let count)? = description.limit, description.distinct.isEmpty {
        limit = count.addingReportingOverflow(description.offset).partialValue
      }
      let access = RankedAccess(
        table: binder.table,
        candidates: found,
        ascending: description.order[0].ascending,
        limit: limit.flatMap { $0 < 0 ? nil : $0 },
        condition: condition
      )
      if found.isSearchable { return access }
      unsearchable = unsearchable ?? access
    }
    if let unsearchable { return unsearchable }
    throw binder.invalid(
      hasRequest
        ? "An order by relevance needs a full-text index of the property."
        : "Only a query with a full-text condition has an order by relevance."
    )
  }
}
