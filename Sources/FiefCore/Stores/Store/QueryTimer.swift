import LMDB

/// A timer that measures the queries of a store and reports slow ones.
package struct QueryTimer {
  private let core: StoreCore
  private let limit: Int

  fileprivate init(_ core: StoreCore, limit: Int) {
    self.core = core
    self.limit = limit
  }

  package var now: Int { core.slowness.now }

  /// Reports a query if it was slow. The query's transaction must still be open.
  ///
  /// - Parameter nanoseconds: the duration of the query.
  /// - Returns: whether the query was slow.
  @discardableResult
  package func note(
    _ nanoseconds: Int,
    _ description: QueryDescription,
    _ binder: QueryBinder,
    _ transaction: LMDB.Transaction
  ) -> Bool {
    guard nanoseconds > limit else { return false }
    let planner = QueryPlanner(binder: binder, transaction: transaction)
    // If planning fails, the query itself reports the reason.
    let plan = (try? planner.explain(description))?.textWithoutValues ?? "none"
    let query = SlowQuery(
      type: binder.table.name,
      query: QueryPrinter.text(of: description, hidesValues: true),
      plan: plan,
      duration: .nanoseconds(nanoseconds)
    )
    core.emit(.slowQuery(store: core.name, query))
    return true
  }
}

extension StoreCore {
  /// The timer of queries; nil if queries are not measured.
  var queryTimer: QueryTimer? { slowness.query.map { QueryTimer(self, limit: $0) } }
}
