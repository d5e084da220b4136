import FiefCore
import LMDB

extension DynamicSnapshot {
  /// The usage of the store as it keeps it; nil where it keeps none.
  package final func keptUsage() throws -> KeptUsage? {
    try described { try KeptUsage.stored(tables.catalogueTree, in: transaction) }
  }
}
