import LMDB

/// The environment of a running query: its transaction, and the creation of objects from its rows.
package final class QueryRunning {
  let store: StoreCore
  let binding: ObjectBinding
  let environment: QueryEnvironment
  let context: ObjectContext
  /// The scope to which the objects belong; `nil` outside scopes.
  private let scope: AccessScope?
  /// The prefetcher of the objects' relationships; `nil` if nothing is prefetched.
  private(set) var prefetcher: Prefetcher?
  /// The number of reads outside scopes.
  @exclusivity(unchecked) private var tally = ReadTally()
  /// The cost of reads outside scopes; in scopes only the cost of selected values.
  @exclusivity(unchecked) private var costs = ReadCosts()
  /// Whether the query has begun and has not found a row yet. Such a query counts as one read.
  @exclusivity(unchecked) private var isWithoutRow = false
  /// The time at which the query began, if it is measured.
  private var start: Int?
  /// The last prepared query, if it is measured.
  private var measured: QueryDescription?

  init(
    _ type: ObjectBase.Type,
    _ store: StoreCore,
    _ transaction: LMDB.Transaction,
    _ scope: WriteTransaction?,
    _ context: ObjectContext
  ) throws {
    self.store = store
    self.scope = scope ?? context.readingScope ?? context.given?.scope(transaction)
    self.context = context
    binding = try store.binding(of: type)
    environment = QueryEnvironment(tables: store.tables, transaction: transaction)
    environment.origin = context
  }

  /// Creates the environment of a query outside scopes.
  init(
    _ binding: ObjectBinding,
    _ store: StoreCore,
    _ transaction: LMDB.Transaction,
    _ context: ObjectContext
  ) {
    self.store = store
    self.binding = binding
    self.context = context
    scope = nil
    environment = QueryEnvironment(tables: store.tables, transaction: transaction)
    environment.origin = context
  }

  deinit {
    if isWithoutRow { noteCost() }
    store.counters.add(tally, costs)
  }

  private func noteCost(reads: Int = 1, bytes: Int = 0) {
    if let scope, scope.isUsable {
      scope.costs.add(table, reads: reads, bytes: bytes)
    } else {
      costs.add(table, reads: reads, bytes: bytes)
    }
  }

  var table: Table { binding.table }
  var binder: QueryBinder {
    QueryBinder(tables: store.tables, table: binding.table, names: store.queryNames)
  }

  func prepare(
    _ description: QueryDescription,
    for purpose: QueryPurpose = .rows,
    _ begun: PartialPlan? = nil
  ) throws -> PreparedQuery {
    measure(description)
    return try PreparedQuery(
      try context.given?.question(description) ?? description,
      binder: binder,
      transaction: environment.transaction,
      memory: store.sortMemory,
      purpose: purpose,
      recent: store.numbersCommits ? store.recentPlans : nil,
      begun: begun
    )
  }

  /// Checks a query that is replaced by a simpler query. For example, a count needs no order, but an invalid
  /// order is still an error.
  ///
  /// - Throws: ``FiefError`` for an unsupported query.
  func check(_ asked: QueryDescription, besides running: QueryDescription) throws {
    if asked.order != running.order {
      // Only planning determines whether the query can be sorted by relevance.
      if asked.order.contains(where: { $0.key == .relevance }) {
        _ = try prepare(asked)
      } else {
        for order in asked.order { _ = try binder.part(order, isOrder: true) }
      }
    }
    if asked.distinct != running.distinct {
      for path in asked.distinct { _ = try binder.part(QueryOrder(.path(path))) }
    }
  }

  /// Makes the query report damaged records instead of ending at the first one.
  func reportDamage() {
    let store = store
    let table = table
    let type = table.name
    environment.damage = { key, error in
      var error = error
      error.store = store.name
      error.type = type
      error.key = table.text(ofKey: [UInt8](key))
      store.report(error, type: type, property: nil)
    }
  }

  /// Returns the object of a row. In a scope this is the object's only instance.
  @inline(__always)
  func object(_ row: QueryRow) throws -> ObjectBase {
    isWithoutRow = false
    if let scope { return try scope.instance(of: binding, row) }
    tally.objects &+= 1
    costs.add(binding.table, bytes: row.key.count &+ row.view.bytes.count)
    do { return try binding.decode(key: row.key, view: row.view, layout: row.layout, context: context) } catch
    {
      let transaction = environment.transaction
      guard
        let object = try store.loadAgain(
          binding,
          key: row.key,
          from: transaction,
          context: context,
          after: error
        )
      else { throw error }
      return object
    }
  }

  /// Returns the object of a row. In a scope this is the object's only instance.
  @inline(__always)
  func object<Element: ObjectBase>(_ row: QueryRow, as type: Element.Type) throws -> Element {
    // SAFETY: the store looks up the binding by class, so it creates objects of exactly this class.
    unsafeDowncast(try object(row), to: type)
  }

  /// Returns the object of a row with its targets prefetched, for a query for a single object.
  func prefetchedObject<Element: ObjectBase>(_ row: QueryRow, as type: Element.Type) throws -> Element {
    let object = try object(row, as: type)
    try prefetcher?.prefetch([object])
    return object
  }

  /// Prepares prefetching along some paths.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`, before anything is read.
  func prefetch(_ paths: [QueryPath]) throws {
    if paths.isEmpty { return }
    let nodes = try PrefetchNode.tree(paths, of: binding.descriptor.type, in: store)
    prefetcher = Prefetcher(nodes, store, environment.transaction, context)
  }

  /// Counts a lookup in the store.
  func notePass() {
    isWithoutRow = true
    beginMeasuring()
    if let scope { scope.tally.lookups &+= 1 } else { tally.lookups &+= 1 }
  }

  /// Keeps the query, so that it can be reported if the read is slow.
  func measure(_ description: @autoclosure () -> QueryDescription) {
    if start != nil { measured = description() }
  }

  private func beginMeasuring() { if store.slowness.query != nil { start = store.slowness.now } }

  /// Begins a batch of an iteration.
  ///
  /// - Parameter isFirst: whether the batch is the first one, which counts as a lookup in the store.
  func noteBatch(isFirst: Bool) { if isFirst { notePass() } else { beginMeasuring() } }

  /// Ends a batch of an iteration while its transaction is open. If the batches together have taken too long,
  /// the iteration is reported once.
  func finish(batchOf stream: RowStream) {
    guard let start, let timer = store.queryTimer else { return }
    self.start = nil
    stream.nanoseconds &+= timer.now &- start
    if stream.isReported { return }
    stream.isReported = timer.note(
      stream.nanoseconds,
      stream.query.description,
      binder,
      environment.transaction
    )
  }

  /// Ends the query while its transaction is open. If it was slow, it is reported.
  @inline(__always)
  func finish() {
    if let start { finish(since: start) }
  }

  @inline(never)
  private func finish(since start: Int) {
    self.start = nil
    guard let timer = store.queryTimer, let measured else { return }
    timer.note(timer.now &- start, measured, binder, environment.transaction)
  }

  /// Counts visited rows for the store's metrics.
  func note(visited: Int) {
    if visited > 0 { store.counters.count(matchedRows: visited) }
  }

  /// Counts the rows that a stream has visited and skipped since its last count.
  func note(_ stream: RowStream) {
    let (visited, skipped) = stream.takeCounts()
    note(visited: visited)
    noteReads(skipped)
  }

  /// Records that the query has found rows whose reads are counted elsewhere.
  func noteRows(_ count: Int) {
    if count > 0 { isWithoutRow = false }
  }

  /// Counts a row whose values were selected.
  @inline(__always)
  func noteSelected(_ row: QueryRow) {
    isWithoutRow = false
    noteCost(bytes: row.key.count &+ row.view.bytes.count)
  }

  /// Counts reads of rows that do not become objects of the result, or of groups of rows.
  func noteReads(_ count: Int) {
    guard count > 0 else { return }
    isWithoutRow = false
    noteCost(reads: count)
  }
}
