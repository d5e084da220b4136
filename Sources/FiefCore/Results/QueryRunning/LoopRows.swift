import LMDB

/// The state in which a batch of a loop is read.
package enum LoopPlace {
  /// The newest state of a store.
  case newest(StoreCore)
  /// The state of a scope, which lasts as long as the scope.
  case snapshot(AccessScope?)
  /// The current state of a write.
  case write(RecordWriter)
}

/// The rows of a loop, in batches. They are the rows of the state in which the loop began, even if the store
/// changes between two batches.
///
/// While nothing changes, no keys are collected. In a scope, the loop collects the keys of the remaining rows
/// before they change or the scope ends. Outside scopes it keeps a read transaction of its first state, and
/// collects the keys from it in the first batch after a change.
// SAFETY: the rows and the mutable properties are used only under the lock.
package final class LoopRows: RowLoop, LoopReadOwner, @unchecked Sendable {
  private let stream: RowStream
  private let tables: StoreTables
  private let lock = OwnedLock(())
  /// The transaction of a scope, in which the remaining rows are collected before they change.
  private var scoped: LMDB.Transaction?
  private weak var writer: RecordWriter?
  private var kept: ReadTransaction?
  /// The store whose read is kept. Only the thread of the loop uses it.
  private var store: StoreCore?
  /// The error that occurred while collecting the remaining rows.
  private var failure: (any Error)?
  /// The damaged records that were found and not yet reported; `nil` if the first damaged record ends the
  /// loop.
  private var damaged: [(key: ObjectKey, error: FiefError)]?

  package init(_ query: PreparedQuery, _ tables: StoreTables) {
    stream = RowStream(query)
    self.tables = tables
  }

  deinit {
    if let kept { kept.endKept(of: self) }
  }

  var query: PreparedQuery { stream.query }

  package var isAtEnd: Bool { lock.withLock { _ in stream.isAtEnd } }

  /// Calls `body` with the next rows until it returns false.
  @inline(__always)
  package func read(
    in environment: QueryEnvironment,
    _ place: LoopPlace,
    _ body: (QueryRow) throws -> Bool
  ) throws {
    let report = environment.damage
    try lock.withLock { _ in
      try prepare(environment)
      try stream.read(in: environment, body)
      if !stream.knowsRest { try follow(place, environment) }
    }
    if let store, store.environment.isGateShut { endKeptRead() }
    if let report { try reportDamage(report) }
  }

  /// Reports damaged records outside the lock, because the event handler may wait for a write.
  private func reportDamage(_ report: (UnsafeRawBufferPointer, FiefError) throws -> Void) throws {
    let found = lock.withLock { _ in
      defer { damaged = [] }
      return damaged ?? []
    }
    for (key, error) in found { try key.bytes.withUnsafeBytes { try report($0, error) } }
  }

  /// Ends a batch. Its transaction must still be open.
  func finish(_ running: QueryRunning) {
    lock.withLock { _ in running.note(stream) }
    running.finish(batchOf: stream)
  }

  private func prepare(_ environment: QueryEnvironment) throws {
    if environment.damage != nil, damaged == nil { damaged = [] }
    collectDamage(in: environment)
    if let kept, kept.id != environment.transaction.id { endKept(kept) }
    if let failure { throw failure }
  }

  private func collectDamage(in environment: QueryEnvironment) {
    if damaged == nil { return }
    environment.damage = { [unowned self] key, error in damaged?.append((ObjectKey(key), error)) }
  }

  /// Ensures that the remaining rows can still be found after the current state is gone.
  private func follow(_ place: LoopPlace, _ environment: QueryEnvironment) throws {
    switch place {
    case .write(let writer):
      if writer === self.writer { return }
      (self.writer, scoped) = (writer, environment.transaction)
      writer.add(self)
    case .snapshot(let scope):
      guard let scope, scoped == nil else { return }
      if scope.addLoop(self) { scoped = environment.transaction }
    case .newest(let store):
      if kept != nil { return }
      self.store = store
      kept = store.environment.keepRead(for: self)
      if let kept {
        store.loopSweep.begin(store.environment)
        if kept.id == environment.transaction.id { return }
        // A commit happened between the two transactions.
        self.kept = nil
        kept.endKept(of: self)
      }
      try stream.keepRest(in: environment)
    }
  }

  package func isConcerned(by table: Table?) -> Bool {
    let description = query.description
    let isLocal = description.condition == nil && description.members == nil && description.distinct.isEmpty
    return !isLocal || table === query.table
  }

  package func keepRest() {
    lock.withLockIfAvailable { _ in
      if let scoped { findRest(in: scoped) }
      (scoped, writer) = (nil, nil)
    }
  }

  package func endKeptRead() {
    lock.withLockIfAvailable { _ in if let kept { endKept(kept) } }
  }

  private func endKept(_ kept: ReadTransaction) {
    findRest(in: kept)
    self.kept = nil
    kept.endKept(of: self)
  }

  private func findRest(in transaction: LMDB.Transaction) {
    let environment = QueryEnvironment(tables: tables, transaction: transaction)
    collectDamage(in: environment)
    do {
      try stream.keepRest(in: environment)
      try transaction.checkDamage()
    } catch {
      failure = error
    }
  }
}

extension Results {
  /// Returns the state in which the results are read at present.
  ///
  /// - Parameter write: the write in which the results are read; `nil` for another scope or none.
  func loopPlace(_ store: StoreCore, _ write: WriteTransaction?) -> LoopPlace {
    if let write { return .write(write.writer) }
    return context.readingScope.map { .snapshot($0) } ?? .newest(store)
  }
}
