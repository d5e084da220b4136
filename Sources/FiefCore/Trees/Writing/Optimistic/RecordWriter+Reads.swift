import LMDB

extension RecordWriter {
  /// Compares what an optimistic transaction has read with the state that its changes are made to, before the first of them.
  ///
  /// - Throws: ``StaleReads``.
  func check(_ reads: OptimisticReads) throws {
    // Works of the same commit may have changed what derived properties and indexes are to be.
    try flushTrees()
    let lines = try reads.compare(with: transaction)
    if !lines.isEmpty { throw StaleReads(lines: lines) }
  }
}

/// Thrown where something that a transaction has read was changed before its commit, so that it runs again.
struct StaleReads: Error {
  let lines: [String]
}
