import LMDB

/// Measures the queries of a store, and reports those that are slow.
package struct QueryTimer {
  private let core: StoreCore
  private let limit: Int

  fileprivate init(_ core: StoreCore, limit: Int) {
    self.core = core
    self.limit = limit
  }

  package var now: Int { core.slowness.now }

  /// Reports a query if it was slow, while its transaction is there.
  ///
  /// - Parameter nanoseconds: the time that it has taken.
  /// - Returns: whether it was slow.
  @discardableResult
  package func note(
    _ nanoseconds: Int,
    _ description: QueryDescription,
    _ binder: QueryBinder,
    _ transaction: LMDB.Transaction
  ) -> Bool {
    guard nanoseconds > limit else { return false }
    let planner = QueryPlanner(binder: binder, transaction: transaction)
    // The query itself says why it has no plan.
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
  /// The timer of queries; nil where they are not measured.
  var queryTimer: QueryTimer? { slowness.query.map { QueryTimer(self, limit: $0) } }
}
