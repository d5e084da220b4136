import FiefCore

extension DynamicSnapshot {
  /// Returns the unfinished writes to several stores in which the store takes part. The array is usually
  /// empty.
  public final func unfinishedWrites() throws -> [InDoubtTransaction] {
    try described { try JointRows.unfinished(tables.catalogueTree, in: transaction) }
  }
}
