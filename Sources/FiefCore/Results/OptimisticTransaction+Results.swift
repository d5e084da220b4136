import LMDB

extension OptimisticTransaction {
  /// The objects of a type, as a description for ``getAll(_:)``.
  ///
  /// Other uses of the results, such as a count or a sum, read as well, and any commit to the store is then a conflict.
  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    Results(context: context, of: type)
  }

  /// The objects that a query finds in the newest commit, in its order.
  ///
  /// The query is answered again at the commit: another order, an object that was changed, and one that is found only then
  /// are conflicts.
  ///
  /// - Parameter results: ``objects(_:)``, or results of the same store.
  /// - Throws: ``FiefError`` of code `readAfterWrite` after the first write, `conflict` where something that was read before was
  ///   changed, so that the body runs again, `transactionEnded` after the body, `foreignObject` for results of another
  ///   store, and what ``Results/all()`` throws.
  public func getAll<Element: Object>(_ results: Results<Element>) throws -> sending [Element] {
    try check(results.elementType)
    guard results.context.given == nil, results.context.store?.isSame(as: core) ?? true else {
      throw FiefError(
        .foreignObject,
        "The results are not of the store of the transaction.",
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

/// A query whose answers are compared.
private struct OptimisticQuery<Element: Object>: Sendable {
  private let results: Results<Element>

  init(_ results: Results<Element>) { self.results = results }

  /// - Parameter isComparison: whether the rows are compared only, which counts as no read.
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
