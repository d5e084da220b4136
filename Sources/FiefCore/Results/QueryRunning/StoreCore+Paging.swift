import LMDB

extension StoreCore {
  /// Returns the first page after a cursor by continuing the walk of an earlier page of the same query in the
  /// same state.
  ///
  /// - Parameters:
  ///   - type: the class of the objects.
  ///   - shape: the query, which has no other bounds.
  ///   - size: the number of objects.
  ///   - cursor: the position after which the page begins; `nil` for the first page.
  ///   - context: the context of the results, which belong to no scope.
  /// - Returns: `nil` if the page has to be planned or may have to be refused.
  func nextPage(
    of type: ObjectBase.Type,
    _ shape: QueryShape,
    size: Int,
    after cursor: QueryCursor?,
    _ context: ObjectContext
  ) throws -> ObjectPage? {
    let fingerprint = shape.fingerprint(of: type, storeID: storeID)
    if let cursor {
      guard cursor.fingerprint == fingerprint, cursor.values.count == shape.order.count else { return nil }
    }
    let binding = try binding(of: type)
    guard let plan = recentPlans.takeWalk(of: shape, binding.table, limit: size + 1) else { return nil }
    let page: ObjectPage? = try read { transaction in
      guard let walk = plan.walk, plan.snapshot == transaction.id else { return nil }
      let running = QueryRunning(binding, self, transaction, context)
      running.notePass()
      defer { running.finish() }
      return try running.page(along: walk, plan.search, size: size, after: cursor, fingerprint)
    }
    recentPlans.put(plan)
    return page
  }
}
