import LMDB

/// One committed state, for the length of a call: what followers read.
struct ObservedState {
  let tables: StoreTables
  let transaction: LMDB.Transaction
  /// How much memory a follower may take to look something up, in bytes.
  let memory: Int
}
