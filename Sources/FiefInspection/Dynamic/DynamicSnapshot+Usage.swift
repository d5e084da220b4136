import FiefCore
import LMDB

extension DynamicSnapshot {
  /// Returns the usage statistics stored in the store, or `nil` if it stores none.
  package final func keptUsage() throws -> UsageRecord? {
    try described { try UsageRecord.stored(tables.catalogueTree, in: transaction) }
  }
}
