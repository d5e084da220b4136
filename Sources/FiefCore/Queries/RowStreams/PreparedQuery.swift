import Foundation
import LMDB

/// A description with bound names and a chosen access path.
///
/// It keeps no transaction open. Several transactions can use it, one after another.
package final class PreparedQuery {
  let description: QueryDescription
  let table: Table
  package let access: QueryAccess
  /// The order of the rows, for sorting and for cursors.
  package let order: RowOrder
  /// The values that must be distinct, or `nil` if the query has no distinct properties.
  let distinct: RowOrder?
  /// The bounds that the access path does not apply.
  let bounds: RowBounds?
  /// The collection to which the rows belong, or `nil` if the query selects from the whole type.
  let members: MemberSource?
  /// The memory limit of a sort, in bytes.
  let memory: Int
  private let binder: QueryBinder
  /// The plan, which the next run of the same query can reuse after this run has ended.
  private let plan: RecentPlan?
  private let recent: RecentPlans?

  /// - Throws: ``FiefError`` if the query is not supported.
  package init(
    _ description: QueryDescription,
    binder: QueryBinder,
    transaction: LMDB.Transaction,
    memory: Int,
    purpose: QueryPurpose = .rows,
    recent: RecentPlans? = nil,
    begun: PartialPlan? = nil
  ) throws {
    self.description = description
    self.binder = binder
    self.memory = memory
    table = binder.table
    self.recent = recent
    let planner = QueryPlanner(
      binder: binder,
      transaction: transaction,
      purpose: purpose,
      recent: recent,
      begun: begun
    )
    // The description is not copied if the access path can use it as a whole.
    (access, plan) =
      description.distinct.isEmpty ? try planner.plan(description) : try planner.plan(description.planned)
    if let orders = plan?.orders {
      (order, distinct) = orders
    } else {
      (order, distinct) = try Self.orders(of: description, binder)
      plan?.orders = (order, distinct)
    }
    members = description.members == nil ? nil : access.members
    let isBounded = access.appliesBounds && description.distinct.isEmpty
    let environment = members.map { _ in QueryEnvironment(tables: binder.tables, transaction: transaction) }
    bounds =
      isBounded
      ? nil
      : try RowBounds(
        try members?.now(description.start, isEnd: false, in: environment) ?? description.start,
        try members?.now(description.end, isEnd: true, in: environment) ?? description.end,
        order,
        binder
      )
  }

  deinit { if let plan, let recent { recent.put(plan) } }

  /// The keys of the rows, if the condition names all of them; otherwise `nil`.
  package var namedKeys: [ObjectKey]? {
    guard case .records(let match, _)? = plan?.candidate.path, match.tree.isRecords, match.isWhole else {
      return nil
    }
    return match.ranges.map { ObjectKey(bytes: $0.lower) }
  }

  /// Caches the access path for the next pages, which may differ only in their start.
  func keepWalk() {
    guard let plan, recent != nil, plan.snapshot != 0, plan.walk == nil, bounds == nil, distinct == nil,
      isStreamed, description.offset == 0, description.end == nil, members == nil
    else { return }
    plan.walk = PageWalk(plan.candidate, plan.search, access, order)
  }

  private static func orders(
    of description: QueryDescription,
    _ binder: QueryBinder
  ) throws -> (RowOrder, RowOrder?) {
    // Only the access path can compute relevance, so it applies the order itself.
    let isRanked = description.order.contains { $0.key == .relevance }
    let order = RowOrder(isRanked ? [] : try description.order.map { try binder.part($0, isOrder: true) })
    if description.distinct.isEmpty { return (order, nil) }
    return (order, RowOrder(try description.distinct.map { try binder.part(QueryOrder(.path($0))) }))
  }

  /// The whole condition of the query, for rows that the access path did not provide.
  private(set) lazy var condition = Result { try description.condition.map(binder.condition) }

  /// Whether an object can occur in several rows, which are then identified by their positions.
  var hasPlaces: Bool { members?.hasPlaces ?? false }

  /// Returns the identity of a row.
  package func identity(of row: QueryRow, in environment: QueryEnvironment) -> ObjectKey {
    environment.withIdentity(of: row, hasPlaces: hasPlaces) { ObjectKey($0) }
  }

  /// Whether rows are read one by one in the order of the access path.
  var isStreamed: Bool { access.isOrdered && !isLast }

  /// The maximum number of rows.
  var limit: Int { if case .first(let count)? = description.limit { count } else { .max } }

  var isLast: Bool { if case .last? = description.limit { true } else { false } }

  /// Whether the rows of the access path are the result without further steps.
  var isPlain: Bool {
    isStreamed && distinct == nil && bounds == nil && description.offset == 0 && description.limit == nil
  }
}

extension QueryDescription {
  /// The part of the description that an access path can apply. Distinct rows are determined only in the
  /// final order, and bounds and limits apply afterwards.
  var planned: QueryDescription {
    guard !distinct.isEmpty else { return self }
    var planned = self
    planned.start = nil
    planned.end = nil
    planned.limit = nil
    planned.offset = 0
    return planned
  }
}

extension QueryBinder {
  /// - Throws: ``FiefError`` if rows cannot be ordered by these values.
  package func part(_ order: QueryOrder, isOrder: Bool = false) throws -> RowOrder.Part {
    guard case .path(let path) = order.key else {
      throw FiefError(
        .invalidQuery,
        "Only a query with a full-text condition has an order by relevance.",
        store: tables.storeName,
        type: table.name
      )
    }
    let operand = try operand(.path(path))
    if isOrder { try checkOrder(of: operand) }
    if isOrder, operand.kind == .link || operand.kind == .embedded {
      throw invalid("The property's type has no order.", property: path.text)
    }
    var locale: Locale?
    if case .locale(let identifier) = order.collation, operand.kind == .string {
      locale = Locale(identifier: identifier)
    }
    return RowOrder.Part(operand: operand, order: order, locale: locale)
  }
}
