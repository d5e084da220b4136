import LMDB

/// A transaction that a query runs in, and the maker of objects from its rows.
package final class QueryRunning {
  let store: StoreCore
  let binding: ObjectBinding
  let environment: QueryEnvironment
  let context: ObjectContext
  /// The scope whose objects the rows become; nil outside of scopes.
  private let scope: AccessScope?
  /// Looks up the targets of the objects' relationships; nil without a prefetch.
  private(set) var prefetcher: Prefetcher?
  /// The count of reads outside of scopes.
  @exclusivity(unchecked) private var tally = ReadTally()
  /// What the reads outside of scopes cost, and in scopes those of selected values.
  @exclusivity(unchecked) private var costs = ReadCosts()
  /// Whether this is the beginning of a query that nothing was found for yet: that is a read too.
  @exclusivity(unchecked) private var isWithoutRow = false
  /// When the query began, where it is measured.
  private var start: Int?
  /// The query that was prepared last, where it is measured.
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

  /// Outside of scopes.
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
    _ begun: BegunPlan? = nil
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

  /// Checks a query in whose place a simpler one runs: a count needs no order, but one that is impossible is
  /// an error all the same.
  ///
  /// - Throws: ``FiefError`` for an unsupported query.
  func check(_ asked: QueryDescription, besides running: QueryDescription) throws {
    if asked.order != running.order {
      // Only a plan shows whether the query has a relevance.
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

  /// Reports damaged records instead of ending with the first one.
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

  /// The object of a row: in a scope the one instance of it.
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

  /// The object of a row: in a scope the one instance of it.
  @inline(__always)
  func object<Element: ObjectBase>(_ row: QueryRow, as type: Element.Type) throws -> Element {
    // SAFETY: a store finds a binding by its class, so that it makes objects of exactly that.
    unsafeDowncast(try object(row), to: type)
  }

  /// The object of a row that is the only one, with its prefetched targets.
  func prefetchedObject<Element: ObjectBase>(_ row: QueryRow, as type: Element.Type) throws -> Element {
    let object = try object(row, as: type)
    try prefetcher?.prefetch([object])
    return object
  }

  /// Prepares prefetching along some paths.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`, with nothing read.
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

  /// Remembers the query that a report of a slow read shows.
  func measure(_ description: @autoclosure () -> QueryDescription) {
    if start != nil { measured = description() }
  }

  private func beginMeasuring() { if store.slowness.query != nil { start = store.slowness.now } }

  /// Begins a batch of an iteration.
  ///
  /// - Parameter isFirst: whether it is a lookup in the store, which counts.
  func noteBatch(isFirst: Bool) { if isFirst { notePass() } else { beginMeasuring() } }

  /// Ends a batch of an iteration, while its transaction is there: reports the iteration once where its batches have taken too
  /// long together.
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

  /// Ends the query, while its transaction is there: reports it where it was slow.
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

  /// Counts rows that were read, for the store's metrics.
  func note(visited: Int) {
    if visited > 0 { store.counters.count(matchedRows: visited) }
  }

  /// Counts the rows that a stream has read and passed over since it was counted last.
  func note(_ stream: RowStream) {
    let (visited, skipped) = stream.takeCounts()
    note(visited: visited)
    noteReads(skipped)
  }

  /// Notes that the query has found rows whose reads are counted elsewhere.
  func noteRows(_ count: Int) {
    if count > 0 { isWithoutRow = false }
  }

  /// Counts a row whose values were selected.
  @inline(__always)
  func noteSelected(_ row: QueryRow) {
    isWithoutRow = false
    noteCost(bytes: row.key.count &+ row.view.bytes.count)
  }

  /// Counts the reads of rows that are no objects of the result, or of groups of rows.
  func noteReads(_ count: Int) {
    guard count > 0 else { return }
    isWithoutRow = false
    noteCost(reads: count)
  }
}
