import LMDB

/// The reads of one attempt of an optimistic transaction, which later states are compared with.
///
/// Invariant: as long as ``staleLines`` is empty, everything that the body was given is the content of one committed state. A
/// read of a newer state than that of the read before first compares with it what was read.
///
/// What was read is kept as it was, and not as a hash: who chooses the values of an object can choose two with the same hash.
final class OptimisticReads: Sendable {
  /// An object that was read by its key or along a link.
  struct Entry: Sendable {
    let table: Table
    let key: [UInt8]
    /// The record with the elements of its large collections in it; nil where there was none.
    let record: [UInt8]?
  }

  /// The rows of a query.
  struct Answer: Sendable {
    let type: String
    let rows: [StoredRow]
    /// Answers the query again.
    let read: @Sendable (LMDB.Transaction) throws -> [StoredRow]
  }

  /// An object as a query has found it.
  struct StoredRow: Sendable, Equatable {
    let key: [UInt8]
    let record: [UInt8]
  }

  private let tables: StoreTables
  private let state = OwnedLock(State())

  init(_ tables: StoreTables) { self.tables = tables }

  /// A line for each object that was read and is another one in a later state; empty as long as none is known.
  var staleLines: [String] { state.withLock { $0.staleLines } }

  // MARK: Reading

  /// Called in each transaction before something is read in it.
  ///
  /// - Returns: whether all earlier reads are as they were; nothing that is read from here on counts where they are not.
  func willRead(in transaction: LMDB.Transaction) throws -> Bool {
    let state = state.withLock { $0 }
    guard state.staleLines.isEmpty else { return false }
    if state.commit == transaction.id || state.hasEnded { return true }
    let lines = try state.staleLines(in: transaction, tables)
    self.state.withLock { $0.didCompare(state, with: transaction.id, lines) }
    return lines.isEmpty
  }

  /// Notes an object that is being read, also that there is none.
  func note(_ table: Table, _ key: UnsafeRawBufferPointer, in transaction: LMDB.Transaction) throws {
    let own = [UInt8](key)
    if state.withLock({ $0.knows(table, own, of: transaction.id) }) { return }
    let record = try table.wholeRecord(key, tables, in: transaction)
    state.withLock { $0.add(Entry(table: table, key: own, record: record), of: transaction.id) }
  }

  /// Notes the answer of a query.
  func note(_ answer: Answer, in transaction: LMDB.Transaction) {
    state.withLock { $0.add(answer, of: transaction.id) }
  }

  /// Notes an object that a link leads to. A read that cannot throw goes on where earlier ones are not as they were; the attempt
  /// ends without a commit then.
  func noteLink(to table: Table, _ key: UnsafeRawBufferPointer, in transaction: LMDB.Transaction) throws {
    if try willRead(in: transaction) { try note(table, key, in: transaction) }
  }

  /// Called before a read that is not compared by what it gives: nothing in the store may change any more.
  ///
  /// - Throws: ``FiefError`` of code `readAfterWrite` or `conflict`.
  func willReadAnything(in transaction: LMDB.Transaction) throws {
    try checkNoWrite()
    guard try willRead(in: transaction) else { throw staleRead }
    state.withLock { $0.addEverything(of: transaction.id) }
  }

  // MARK: The course of the attempt

  /// - Throws: ``FiefError`` of code `readAfterWrite` where the attempt has written something.
  func checkNoWrite() throws {
    guard state.withLock({ $0.hasWritten && !$0.hasEnded }) else { return }
    throw FiefError(
      .readAfterWrite,
      "An optimistic transaction reads before its first write.",
      store: tables.storeName
    )
  }

  func noteWrite() { state.withLock { $0.hasWritten = true } }

  /// Ends the noting: objects that outlive the body read as others do.
  func end() { state.withLock { $0.hasEnded = true } }

  /// The error of a read in an attempt that will run again.
  var staleRead: FiefError { .conflict(staleLines, in: tables.storeName) }

  // MARK: Comparing

  /// Compares what was read with a state, before the commit in it or after the last read.
  ///
  /// - Returns: a line for each object that is another one.
  func compare(with transaction: LMDB.Transaction) throws -> [String] {
    let state = state.withLock { $0 }
    guard state.staleLines.isEmpty else { return state.staleLines }
    if let commit = state.commit, transaction.isState(of: commit) { return [] }
    return try state.staleLines(in: transaction, tables)
  }

  /// Whether everything that was read is known to be of one state, so that it need not be compared once more.
  var isOneState: Bool { state.withLock { $0.staleLines.isEmpty && ($0.commit != nil || $0.isEmpty) } }
}
