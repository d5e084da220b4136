import LMDB

extension Results: Sequence {
  /// An iterator that reads the objects in batches.
  public func makeIterator() -> ResultsIterator<Element> { ResultsIterator(self) }

  /// Zero: the count is not looked up for it.
  public var underestimatedCount: Int { 0 }
}

/// Iterates over ``Results``: the first batch is one object, later ones are larger, and no transaction
/// stays open between them.
///
/// Copies of an iterator share its place.
public struct ResultsIterator<Element: Object>: IteratorProtocol {
  @usableFromInline let batches: ObjectSource

  init(_ results: Results<Element>) {
    if results.frozen != nil {
      let rows = results.reported(nil) { try results.frozenRows() }
      batches = if let rows { FrozenSource(results, rows) } else { ArraySource([]) }
      return
    }
    if results.context.given != nil {
      batches = ArraySource(results.reported([]) { try results.all() })
      return
    }
    let isLive = results.context.readingScope is WriteTransaction
    batches = isLive ? LiveSource(results) : RecordSource(results)
  }

  /// The next object, nil at the end.
  @inlinable
  public mutating func next() -> Element? {
    guard let object = batches.next() else { return nil }
    // SAFETY: the sources give objects of the class only.
    return unsafeDowncast(object, to: Element.self)
  }
}

/// The source of an iterator's objects, whatever their class. It is not generic, so that the compiler of the
/// application sees through the iterator.
@usableFromInline
class ObjectSource {
  /// The next object, nil at the end.
  @usableFromInline
  func next() -> ObjectBase? { nil }
}

/// The objects of a collection that no store has.
private final class ArraySource: ObjectSource {
  private var objects: IndexingIterator<[ObjectBase]>

  init(_ objects: [ObjectBase]) { self.objects = objects.makeIterator() }

  override func next() -> ObjectBase? { objects.next() }
}

/// Objects outside of a write: batches of records are copied, which become objects one by one.
private final class RecordSource<Element: Object>: ObjectSource {
  private static var largestBatch: Int { 64 }
  /// A batch ends where it has so many bytes, however few records they are.
  private static var largestSize: Int { 1 << 16 }

  private let results: Results<Element>
  private let records = RecordBatch()
  // SAFETY: the store keeps it, and the context of the results has the store.
  private var binding: Unmanaged<ObjectBinding>?
  private var rows: LoopRows?
  private var batchSize = 1
  private var isAtEnd = false
  /// The scope of the results, asked for with each batch.
  private var scope: AccessScope?
  /// The objects that were made outside of scopes since the last batch.
  @exclusivity(unchecked) private var made = 0
  @exclusivity(unchecked) private var costs = ReadCosts()
  /// The rest of a batch whose relationships were prefetched, the next object last.
  private var prefetched: [Element] = []

  init(_ results: Results<Element>) { self.results = results }

  deinit { noteMade() }

  private func noteMade() {
    if made > 0 { results.context.store?.counters.add(ReadTally(objects: made), costs) }
    made = 0
    costs = ReadCosts()
  }

  override func next() -> ObjectBase? {
    while true {
      if let binding, let (key, record) = records.next() {
        do {
          if let scope, scope.isUsable {
            return try binding._withUnsafeGuaranteedRef {
              try scope.instance(of: $0, key: key, record: record)
            }
          }
          made &+= 1
          let object = try binding._withUnsafeGuaranteedRef { binding -> ObjectBase? in
            costs.add(binding.table, bytes: key.count &+ record.count)
            do { return try binding.decode(key: key, record: record, context: results.context) } catch {
              guard let store = results.context.store else { throw error }
              // The transaction of the batch has ended.
              return try store.read { transaction in
                try store.loadAgain(
                  binding,
                  key: key,
                  from: transaction,
                  context: results.context,
                  after: error
                )
              }
            }
          }
          // It may have been deleted by now.
          if let object { return object }
        } catch {
          results.context.report(error, type: binding.takeUnretainedValue().table.name, property: nil)
        }
      } else if let object = prefetched.popLast() {
        return object
      } else {
        if isAtEnd { return nil }
        refill()
      }
    }
  }

  @inline(never)
  private func refill() {
    noteMade()
    do { try fill() } catch {
      results.context.report(error, type: Element.className(), property: (error as? FiefError)?.property)
      isAtEnd = true
    }
    batchSize = min(batchSize * 8, Self.largestBatch)
  }

  private func fill() throws {
    records.removeAll()
    try results.withTransaction { store, transaction, scope in
      let running = try QueryRunning(results.elementType, store, transaction, scope, results.context)
      running.reportDamage()
      binding = .passUnretained(running.binding)
      try running.prefetch(results.prefetches)
      if rows == nil { try results.checkCursors(in: store) }
      running.noteBatch(isFirst: rows == nil)
      // Objects that a write finds are copied here, since the write may change the rest of the batch.
      self.scope = results.context.currentScope
      let rows = try self.rows ?? LoopRows(try running.prepare(results.description), store.tables)
      self.rows = rows
      defer { rows.finish(running) }
      var count = 0
      let batchSize = running.prefetcher == nil ? batchSize : Prefetcher.batchSize
      let largestSize = running.prefetcher == nil ? Self.largestSize : 16 * Self.largestSize
      try rows.read(in: running.environment, results.loopPlace(store, scope)) { row in
        records.append(key: row.key, record: row.view.bytes)
        count += 1
        return count < batchSize && records.size < largestSize
      }
      isAtEnd = rows.isAtEnd
      running.noteRows(count)
      if let prefetcher = running.prefetcher { try prefetch(prefetcher, running) }
    }
  }
}

extension RecordSource {
  /// Makes the objects of the batch at once, with their prefetched targets.
  private func prefetch(_ prefetcher: Prefetcher, _ running: QueryRunning) throws {
    var objects: [Element] = []
    while let (key, record) = records.next() {
      do {
        let row = try QueryRow(key: key, record: record, of: running.table)
        objects.append(try running.object(row, as: Element.self))
      } catch {
        results.context.report(error, type: running.table.name, property: nil)
      }
    }
    try prefetcher.prefetch(objects)
    prefetched = objects.reversed()
  }
}

/// Objects of a write: where the iteration cannot throw, an error ends it and is reported.
private final class LiveSource<Element: Object>: ObjectSource {
  private let batches: LiveBatches<Element>

  init(_ results: Results<Element>) { batches = LiveBatches(results, reportsDamage: true) }

  override func next() -> ObjectBase? {
    do { return try batches.next() } catch {
      batches.end()
      batches.results.context.report(
        error,
        type: Element.className(),
        property: (error as? FiefError)?.property
      )
      return nil
    }
  }
}
