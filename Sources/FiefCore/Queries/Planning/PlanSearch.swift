import LMDB

/// The search for the access path of one query. It computes, for each tree, the ranges that the conditions
/// allow and their costs.
final class PlanSearch {
  private(set) var binder: QueryBinder
  private(set) var description: QueryDescription
  /// The transaction of the search; `nil` between two uses of the search.
  private var lent: LMDB.Transaction?
  let table: Table
  let records: Database
  let purpose: QueryPurpose
  /// Whether only the number of rows is wanted. The number can depend on the order if there are bounds.
  let isForCount: Bool
  /// The number of objects of the type.
  let total: Int
  /// The conditions that must all hold.
  let conjuncts: [QueryConjunct]
  /// The order in terms of columns, or `nil` if no tree can have this order.
  private(set) var order: PlannedOrder?
  /// Whether the bounds of the description reduce the number of rows to read. The plan may then be unsuitable
  /// for other bounds.
  var dependsOnBounds = false
  /// The numbers of rows that meet some of the conditions, as counted in trees.
  var known: [Restriction] = []
  private var sets: [ColumnSet] = []

  /// The elements that all conditions on one column allow.
  struct ColumnSet {
    let column: UInt16
    let isFolded: Bool
    /// The allowed elements, or `nil` if no condition concerns the column.
    let set: ElementSet?
    /// The conjuncts that the set takes into account, one bit each.
    let used: UInt64
    /// The conjuncts that the set answers exactly.
    let answered: UInt64
  }

  /// The maximum number of conjuncts. All further conditions count as one.
  private static let mostConjuncts = 64

  init(
    _ description: QueryDescription,
    _ binder: QueryBinder,
    _ transaction: LMDB.Transaction,
    records: Database,
    purpose: QueryPurpose = .rows
  ) throws {
    // Bounds depend on the order, and so does the first of several equal rows.
    let needsOrder = description.start != nil || description.end != nil || !description.distinct.isEmpty
    self.purpose = needsOrder ? .rows : purpose
    isForCount = purpose == .count
    self.binder = binder
    lent = transaction
    self.description = description
    self.records = records
    table = binder.table
    total = try transaction.statedCount(records)
    var flat: [QueryCondition] = []
    if var condition = description.condition {
      let tables = binder.tables
      if tables.hasSecretKeys { condition = try condition.mappingValues { try tables.stored($0) } }
      Self.flatten(condition, into: &flat)
    }
    if flat.count > Self.mostConjuncts {
      let rest = Array(flat[(Self.mostConjuncts - 1)...])
      flat.removeLast(rest.count)
      flat.append(.all(rest))
    }
    conjuncts = try flat.map {
      QueryConjunct(condition: $0, subject: try binder.subject(of: $0))
    }
    order = try plannedOrder()
  }

  var transaction: LMDB.Transaction {
    get throws {
      guard let lent else { throw binder.invalid("A plan was used outside a transaction.") }
      return lent
    }
  }

  /// Resumes the search in another transaction of the same snapshot, with a description that differs only in
  /// its bounds.
  func resume(_ description: QueryDescription, _ binder: QueryBinder, _ transaction: LMDB.Transaction) {
    self.description = description
    self.binder = binder
    lent = transaction
  }

  /// Releases the transaction and the store.
  func rest() {
    lent = nil
    binder = QueryBinder(tables: binder.tables, table: binder.table, names: .columns)
  }

  private static func flatten(_ condition: QueryCondition, into result: inout [QueryCondition]) {
    guard case .all(let conditions) = condition else { return result.append(condition) }
    for condition in conditions { flatten(condition, into: &result) }
  }

  /// Returns the elements that the conditions on a column allow.
  func columnSet(_ column: ColumnEntry, isFolded: Bool) -> ColumnSet {
    if let known = sets.first(where: { $0.column == column.id && $0.isFolded == isFolded }) { return known }
    var set: ElementSet?
    var (used, answered): (UInt64, UInt64) = (0, 0)
    let secret = column.isSecret ? SecretElements(column, of: table, isFolded: isFolded) : nil
    let elements = ConditionElements(column.type, isFolded: isFolded, secret: secret)
    for (index, conjunct) in conjuncts.enumerated() where conjunct.subject == .column(column.id) {
      guard let next = elements.set(of: conjunct.condition), !next.isEverything else { continue }
      // An object's collection may contain both elements, so the sets cannot be intersected.
      if set != nil, column.type.container != .none { break }
      set = set?.intersection(next) ?? next
      used |= 1 << UInt64(index)
      if next.isExact { answered |= 1 << UInt64(index) }
    }
    let result = ColumnSet(
      column: column.id,
      isFolded: isFolded,
      set: set,
      used: used,
      answered: answered
    )
    sets.append(result)
    return result
  }

  /// Returns the element of the only value that the conditions allow for a column, or `nil` if they allow
  /// another number of values.
  func fixedElement(_ column: ColumnEntry) -> [UInt8]? {
    guard column.type.kind != .any, let set = columnSet(column, isFolded: false).set else { return nil }
    guard set.isExact, set.parts.count == 1, set.parts[0].isPoint else { return nil }
    return set.parts[0].range.lower
  }

  /// The trees of the type that can answer the conditions or provide the order.
  var trees: [PlannedTree] {
    var trees: [PlannedTree] = []
    if !table.primaryKey.isEmpty { trees.append(PlannedTree(keysOf: table, records: records)) }
    for index in table.indexes where index.isOrdered {
      trees.append(PlannedTree(index, of: table))
    }
    for link in table.links where isMentioned(link.column) { trees.append(PlannedTree(link, of: table)) }
    return trees
  }

  private func isMentioned(_ column: ColumnEntry) -> Bool {
    conjuncts.contains { $0.subject == .column(column.id) }
  }
}
