import LMDB

extension OptimisticTransaction {
  /// Returns the objects of a type, as a description to pass to ``getAll(_:)``.
  ///
  /// Any other use of the results, such as a count or a sum, also counts as a read. Afterwards, every commit
  /// of another write to the store is a conflict.
  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    Results(context: context, of: type)
  }

  /// Returns the objects that a query finds in the newest commit, in the order of the query.
  ///
  /// The query runs again at the commit. A different order, a changed object or an additional object is a
  /// conflict.
  ///
  /// - Parameter results: ``objects(_:)``, or results of the same store.
  /// - Throws: ``FiefError`` of code `readAfterWrite` after the first write, `conflict` if anything read
  ///   earlier has changed, so that the body runs again, `transactionEnded` after the body, `foreignObject`
  ///   for results of another store, and the errors of ``Results/all()``.
  public func getAll<Element: Object>(_ results: Results<Element>) throws -> sending [Element] {
    try check(results.elementType)
    guard results.context.given == nil, results.context.store?.isSame(as: core) ?? true else {
      throw FiefError(
        .foreignObject,
        "The results belong to a store other than the transaction's.",
        store: core.name,
        type: results.elementType.className()
      )
    }
    let query = OptimisticQuery(results.rebound(to: context))
    return try reading { transaction in
      var objects: [ObjectBase] = []
      let rows = try query.rows(in: transaction, of: core) { row, running in
        objects.append(try running.object(row))
      }
      let answer = OptimisticReads.Answer(type: results.elementType.className(), rows: rows) { [core] in
        try query.rows(in: $0, of: core, isComparison: true) { _, _ in }
      }
      reads.note(answer, in: transaction)
      return objects
    }.cast(to: Element.self)
  }
}

/// A query whose result is compared at the commit.
private struct OptimisticQuery<Element: Object>: Sendable {
  private let results: Results<Element>

  init(_ results: Results<Element>) { self.results = results }

  /// - Parameter isComparison: whether the rows are only compared, which does not count as a read.
  func rows(
    in transaction: LMDB.Transaction,
    of core: StoreCore,
    isComparison: Bool = false,
    _ body: (QueryRow, QueryRunning) throws -> Void
  ) throws -> [OptimisticReads.StoredRow] {
    if let failure = results.failure { throw failure }
    let running = try QueryRunning(results.elementType, core, transaction, nil, results.context)
    try results.checkCursors(in: core)
    if !isComparison { running.notePass() }
    let stream = RowStream(try running.prepare(results.description))
    defer {
      if isComparison { running.note(visited: stream.visited) } else { running.note(stream) }
      running.finish()
    }
    var rows: [OptimisticReads.StoredRow] = []
    try stream.read(in: running.environment) { row in
      let bytes = row.view.bytes
      let whole = try RecordEditor.expanded(bytes, running.table, core.tables, in: transaction)
      rows.append(OptimisticReads.StoredRow(key: [UInt8](row.key), record: whole ?? [UInt8](bytes)))
      try body(row, running)
      return true
    }
    return rows
  }
}
