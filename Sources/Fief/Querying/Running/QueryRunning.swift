import LMDB

/// A transaction that a query runs in, and what makes objects of its rows.
final class QueryRunning {
  let store: StoreCore
  let binding: ObjectBinding
  let environment: QueryEnvironment
  let context: ObjectContext
  /// The write that objects are live in; nil in a read.
  let scope: WriteTransaction?

  init(
    _ type: ObjectBase.Type,
    _ store: StoreCore,
    _ transaction: LMDB.Transaction,
    _ scope: WriteTransaction?,
    _ context: ObjectContext
  ) throws {
    self.store = store
    self.scope = scope
    self.context = context
    binding = try store.binding(of: type)
    environment = QueryEnvironment(tables: store.tables, transaction: transaction)
  }

  var table: Table { binding.table }
  var binder: QueryBinder {
    QueryBinder(tables: store.tables, table: binding.table, names: store.queryNames)
  }

  func prepare(_ description: QueryDescription, for purpose: QueryPurpose = .rows) throws -> PreparedQuery {
    try PreparedQuery(
      description,
      binder: binder,
      transaction: environment.transaction,
      memory: store.sortMemory,
      purpose: purpose,
      recent: store.numbersCommits ? store.recentPlans : nil
    )
  }

  /// Reports damaged records instead of ending with the first one.
  func reportDamage() {
    let store = store
    let type = table.name
    environment.damage = { key, error in
      var error = error
      error.store = store.name
      error.type = type
      error.key = ObjectKey(key).description
      store.report(error, type: type, property: nil)
    }
  }

  /// The object of a row: in a write the live one.
  @inline(__always)
  func object<Element: ObjectBase>(_ row: QueryRow, as type: Element.Type) throws -> Element {
    if let scope {
      let object = try scope.instance(of: binding, key: row.key, record: row.view.bytes)
      // SAFETY: a store finds a binding by its class, so that it makes objects of exactly that.
      return unsafeDowncast(object, to: type)
    }
    // SAFETY: as above.
    return unsafeDowncast(
      try binding.decode(key: row.key, record: row.view.bytes, context: context),
      to: type
    )
  }

  /// Counts rows that were looked at, for the store's metrics.
  func note(visited: Int) {
    if visited > 0 { store.counters.count(visitedRows: visited) }
  }
}
