import LMDB

extension Results: Sequence {
  /// Returns an iterator that reads the objects in batches.
  public func makeIterator() -> ResultsIterator<Element> { ResultsIterator(self) }

  /// Always zero, because the count would require a read.
  public var underestimatedCount: Int { 0 }
}

/// An iterator over ``Results``. The first batch is one object, later batches are larger. No transaction
/// stays open between batches.
///
/// Copies of an iterator share its position.
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

  /// Returns the next object, or `nil` at the end.
  @inlinable
  public mutating func next() -> Element? {
    guard let object = batches.next() else { return nil }
    // SAFETY: the sources return only objects of this class.
    return unsafeDowncast(object, to: Element.self)
  }
}

/// The source of an iterator's objects, whatever their class. It is not generic, so that the compiler can
/// inline the iterator in the application.
@usableFromInline
class ObjectSource {
  /// Returns the next object, or `nil` at the end.
  @usableFromInline
  func next() -> ObjectBase? { nil }
}

/// The objects of a collection that is not in a store.
private final class ArraySource: ObjectSource {
  private var objects: IndexingIterator<[ObjectBase]>

  init(_ objects: [ObjectBase]) { self.objects = objects.makeIterator() }

  override func next() -> ObjectBase? { objects.next() }
}

/// The objects of results outside a write. Records are copied in batches and decoded one by one.
private final class RecordSource<Element: Object>: ObjectSource {
  private static var largestBatch: Int { 64 }
  /// The size in bytes at which a batch ends, even if it contains few records.
  private static var largestSize: Int { 1 << 16 }

  private let results: Results<Element>
  private let records = RecordBatch()
  // SAFETY: the store keeps the binding alive, and the context of the results keeps the store alive.
  private var binding: Unmanaged<ObjectBinding>?
  private var rows: LoopRows?
  private var batchSize = 1
  private var isAtEnd = false
  /// The scope of the results, which is determined for each batch.
  private var scope: AccessScope?
  /// The number of objects created outside of scopes since the last batch.
  @exclusivity(unchecked) private var made = 0
  @exclusivity(unchecked) private var costs = ReadCosts()
  /// The remaining objects of a batch whose relationships were prefetched, with the next object last.
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
              // The transaction of the batch has ended, so the object is read in a new transaction.
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
          // The object is nil if it was deleted.
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
      // In a scope, objects are created by the scope; outside scopes they are created from the copied
      // records.
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
  /// Creates the objects of the batch at once and prefetches their targets.
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

/// The objects of a write. An error ends the iteration and is reported, because the iteration cannot throw.
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
