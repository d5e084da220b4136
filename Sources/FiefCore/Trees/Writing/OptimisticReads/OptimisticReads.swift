import LMDB

/// The reads of one attempt of an optimistic transaction, which are compared with later states.
///
/// Invariant: while ``staleLines`` is empty, everything that the body has read belongs to one committed
/// state. Before the body reads a newer state, the earlier reads are compared with that state.
///
/// The reads are kept as bytes and not as hashes: an attacker who chooses the values of an object could
/// choose two values with the same hash.
final class OptimisticReads: Sendable {
  /// An object that was read by its key or through a link.
  struct Entry: Sendable {
    let table: Table
    let key: [UInt8]
    /// The record with the elements of its large collections inline, or `nil` if the object did not exist.
    let record: [UInt8]?
  }

  /// The rows of a query.
  struct Answer: Sendable {
    let type: String
    let rows: [StoredRow]
    /// Evaluates the query again.
    let read: @Sendable (LMDB.Transaction) throws -> [StoredRow]
  }

  /// An object that a query found.
  struct StoredRow: Sendable, Equatable {
    let key: [UInt8]
    let record: [UInt8]
  }

  private let tables: StoreTables
  private let state = OwnedLock(State())

  init(_ tables: StoreTables) { self.tables = tables }

  /// A line for each object that was read and differs in a later state. Empty while no such object is known.
  var staleLines: [String] { state.withLock { $0.staleLines } }

  // MARK: Reading

  /// Called in each transaction before it reads.
  ///
  /// - Returns: Whether all earlier reads are still current. Otherwise later reads of the attempt do not
  ///   count.
  func willRead(in transaction: LMDB.Transaction) throws -> Bool {
    let state = state.withLock { $0 }
    guard state.staleLines.isEmpty else { return false }
    if state.commit == transaction.id || state.hasEnded { return true }
    let lines = try state.staleLines(in: transaction, tables)
    self.state.withLock { $0.didCompare(state, with: transaction.id, lines) }
    return lines.isEmpty
  }

  /// Records an object that is being read, even if it does not exist.
  func note(_ table: Table, _ key: UnsafeRawBufferPointer, in transaction: LMDB.Transaction) throws {
    let own = [UInt8](key)
    if state.withLock({ $0.knows(table, own, of: transaction.id) }) { return }
    let record = try table.wholeRecord(key, tables, in: transaction)
    state.withLock { $0.add(Entry(table: table, key: own, record: record), of: transaction.id) }
  }

  /// Records the result of a query.
  func note(_ answer: Answer, in transaction: LMDB.Transaction) {
    state.withLock { $0.add(answer, of: transaction.id) }
  }

  /// Records an object that was read through a link. A read that cannot throw continues even if earlier reads
  /// are stale; the attempt then ends without a commit.
  func noteLink(to table: Table, _ key: UnsafeRawBufferPointer, in transaction: LMDB.Transaction) throws {
    if try willRead(in: transaction) { try note(table, key, in: transaction) }
  }

  /// Called before a read whose result is not compared. From then on, any change in the store makes the
  /// attempt stale.
  ///
  /// - Throws: ``FiefError`` of code `readAfterWrite` or `conflict`.
  func willReadAnything(in transaction: LMDB.Transaction) throws {
    try checkNoWrite()
    guard try willRead(in: transaction) else { throw staleRead }
    state.withLock { $0.addEverything(of: transaction.id) }
  }

  // MARK: The attempt

  /// - Throws: ``FiefError`` of code `readAfterWrite` if the attempt has written something.
  func checkNoWrite() throws {
    guard state.withLock({ $0.hasWritten && !$0.hasEnded }) else { return }
    throw FiefError(
      .readAfterWrite,
      "An optimistic transaction must read before its first write.",
      store: tables.storeName
    )
  }

  func noteWrite() { state.withLock { $0.hasWritten = true } }

  /// Stops recording reads. Objects that outlive the body are then read like any other objects.
  func end() { state.withLock { $0.hasEnded = true } }

  /// The error for a read in an attempt that will be repeated.
  var staleRead: FiefError { .conflict(staleLines, in: tables.storeName) }

  // MARK: Comparing

  /// Compares the reads with a state, either before the commit or after the last read.
  ///
  /// - Returns: A line for each object that differs.
  func compare(with transaction: LMDB.Transaction) throws -> [String] {
    let state = state.withLock { $0 }
    guard state.staleLines.isEmpty else { return state.staleLines }
    if let commit = state.commit, transaction.isState(of: commit) { return [] }
    return try state.staleLines(in: transaction, tables)
  }

  /// Whether all reads are known to belong to one state. They then need not be compared again.
  var isOneState: Bool { state.withLock { $0.staleLines.isEmpty && ($0.commit != nil || $0.isEmpty) } }
}
