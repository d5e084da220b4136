import LMDB

extension RecordWriter {
  /// Compares the reads of an optimistic transaction with the state to which its changes will be applied,
  /// before the first change.
  ///
  /// - Throws: ``StaleReads`` if a read is not current.
  func check(_ reads: OptimisticReads) throws {
    // Earlier writes of the same commit may have changed the sources of derived properties and indexes, so
    // these are updated first.
    try flushTrees()
    let lines = try reads.compare(with: transaction)
    if !lines.isEmpty { throw StaleReads(lines: lines) }
  }
}

/// Thrown if something that a transaction read was changed before its commit. The transaction is then
/// repeated.
struct StaleReads: Error {
  let lines: [String]
}
