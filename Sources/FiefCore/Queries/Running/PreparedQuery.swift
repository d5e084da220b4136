import Foundation
import LMDB

/// A description whose names are bound and whose access path is chosen.
///
/// It holds no transaction, and serves several, one after another.
package final class PreparedQuery {
  let description: QueryDescription
  let table: Table
  package let access: QueryAccess
  /// The order of the description, for the sort and the bounds.
  package let order: RowOrder
  /// The values that have to be distinct; nil where nothing has to be.
  let distinct: RowOrder?
  /// The bounds that are left to be applied.
  let bounds: RowBounds?
  /// The collection that the rows are of; nil where they are those of the type.
  let members: MemberSource?
  /// The memory that a sort may use, in bytes.
  let memory: Int
  private let binder: QueryBinder
  /// The plan that the next run of the same query can reuse when this one has ended.
  private let plan: RecentPlan?
  private let recent: RecentPlans?

  /// - Throws: ``FiefError`` for an unsupported query.
  package init(
    _ description: QueryDescription,
    binder: QueryBinder,
    transaction: LMDB.Transaction,
    memory: Int,
    purpose: QueryPurpose = .rows,
    recent: RecentPlans? = nil,
    begun: BegunPlan? = nil
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
    // The description is not copied where no part of it is left out.
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

  /// The keys that the rows have to have, where the condition names all of them; nil where it does not.
  package var namedKeys: [ObjectKey]? {
    guard case .records(let match, _)? = plan?.candidate.path, match.tree.isRecords, match.isWhole else {
      return nil
    }
    return match.ranges.map { ObjectKey(bytes: $0.lower) }
  }

  /// Keeps the access path for the next pages, where these only need another beginning.
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
    // Relevance is known to the access path alone, which has its order then.
    let isRanked = description.order.contains { $0.key == .relevance }
    let order = RowOrder(isRanked ? [] : try description.order.map { try binder.part($0, isOrder: true) })
    if description.distinct.isEmpty { return (order, nil) }
    return (order, RowOrder(try description.distinct.map { try binder.part(QueryOrder(.path($0))) }))
  }

  /// Whether a row fulfils the condition, wherever it came from.
  private(set) lazy var condition = Result { try description.condition.map(binder.condition) }

  /// Whether an object can be more than one row, each of which is known by its place.
  var hasPlaces: Bool { members?.hasPlaces ?? false }

  /// The identity of a row.
  package func identity(of row: QueryRow, in environment: QueryEnvironment) -> ObjectKey {
    environment.withIdentity(of: row, hasPlaces: hasPlaces) { ObjectKey($0) }
  }

  /// Whether rows come one after another, as the access path finds them.
  var isStreamed: Bool { access.isOrdered && !isLast }

  /// The most rows that are asked for.
  var limit: Int { if case .first(let count)? = description.limit { count } else { .max } }

  var isLast: Bool { if case .last? = description.limit { true } else { false } }

  /// Whether the rows of the access path are the result without further steps.
  var isPlain: Bool {
    isStreamed && distinct == nil && bounds == nil && description.offset == 0 && description.limit == nil
  }
}

extension QueryDescription {
  /// The part of the description that an access path can apply: distinct rows are known only in their order,
  /// and bounds and limits come after it.
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
  /// - Throws: ``FiefError`` for what rows cannot be ordered by.
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
