import LMDB

/// One committed state, valid during one call, from which followers read.
package struct ObservedState {
  package let tables: StoreTables
  package let transaction: LMDB.Transaction
  /// The memory that a follower may use for a lookup, in bytes.
  package let memory: Int
  /// The timer of queries; nil if queries are not measured.
  package var timer: QueryTimer?
}

extension ObservedState {
  init(of core: StoreCore, _ transaction: LMDB.Transaction) {
    self.init(tables: core.tables, transaction: transaction, memory: core.sortMemory, timer: core.queryTimer)
  }
}
