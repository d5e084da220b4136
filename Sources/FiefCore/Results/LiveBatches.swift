import LMDB

/// The live objects of a write, in batches. The application may change the store during the iteration.
///
/// A batch consists of keys. Each object is read when its turn comes, and skipped if it was deleted in the
/// meantime.
final class LiveBatches<Element: Object> {
  private static var largestBatch: Int { 64 }

  let results: Results<Element>
  private let reportsDamage: Bool
  private var rows: LoopRows?
  private let keys = RecordBatch()
  private var batchSize = 1
  /// The objects of the batch whose relationships were prefetched. They are kept alive until the next batch.
  private var objects: [Element] = []
  private var isAtEnd = false

  init(_ results: Results<Element>, reportsDamage: Bool = false) {
    self.results = results
    self.reportsDamage = reportsDamage
  }

  func end() {
    isAtEnd = true
    keys.removeAll()
    objects = []
  }

  func next() throws -> Element? {
    while true {
      if let (key, _) = keys.next() {
        if let object = try found(ObjectKey(key)) { return object }
      } else {
        if isAtEnd { return nil }
        try fill()
      }
    }
  }

  private func fill() throws {
    keys.removeAll()
    try results.withTransaction { store, transaction, scope in
      let running = try QueryRunning(results.elementType, store, transaction, scope, results.context)
      if reportsDamage { running.reportDamage() }
      if rows == nil { try results.checkCursors(in: store) }
      running.noteBatch(isFirst: rows == nil)
      try running.prefetch(results.prefetches)
      if running.prefetcher != nil { batchSize = Prefetcher.batchSize }
      let rows = try self.rows ?? LoopRows(try running.prepare(results.description), store.tables)
      self.rows = rows
      defer { rows.finish(running) }
      var count = 0
      try rows.read(in: running.environment, results.loopPlace(store, scope)) { row in
        keys.append(key: row.key, record: UnsafeRawBufferPointer(start: nil, count: 0))
        count += 1
        return count < batchSize
      }
      isAtEnd = rows.isAtEnd
      running.noteRows(count)
      try prefetch(running, transaction)
    }
    batchSize = min(batchSize * 8, Self.largestBatch)
  }

  /// Prefetches the targets of the batch's objects. A write has one instance for each key, so these are the
  /// instances that the iteration returns later.
  private func prefetch(_ running: QueryRunning, _ transaction: LMDB.Transaction) throws {
    guard let prefetcher = running.prefetcher, let records = running.table.records else { return }
    objects = []
    try keys.forEachKey { key in
      guard let record = try transaction.get(records, key) else { return }
      let row = try QueryRow(key: key, record: record, of: running.table)
      objects.append(try running.object(row, as: Element.self))
    }
    try prefetcher.prefetch(objects)
  }

  /// Returns the object with a key, or `nil` if it was deleted or removed from the collection.
  private func found(_ key: ObjectKey) throws -> Element? {
    try results.withTransaction { store, transaction, scope in
      let running = try QueryRunning(results.elementType, store, transaction, scope, results.context)
      if reportsDamage { running.reportDamage() }
      guard let records = running.table.records else { return nil }
      return try key.bytes.withUnsafeBytes { key in
        guard let record = try transaction.get(records, key),
          let row = try running.environment.foundRow(
            of: running.table,
            key: key,
            record: record,
            if: nil
          )
        else { return nil }
        if let members = rows?.query.members, try !members.contains(key, in: running.environment) {
          return nil
        }
        do { return try running.object(row, as: Element.self) } catch let error as FiefError {
          guard reportsDamage, error.code == .damagedRecord else { throw error }
          store.report(error, type: running.table.name, property: nil)
          return nil
        }
      }
    }
  }
}
