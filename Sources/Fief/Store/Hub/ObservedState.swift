import LMDB

/// One committed state, for the length of a call: what followers read.
struct ObservedState {
  let tables: StoreTables
  let transaction: LMDB.Transaction
  /// The memory that a follower may use for a lookup, in bytes.
  let memory: Int
}
