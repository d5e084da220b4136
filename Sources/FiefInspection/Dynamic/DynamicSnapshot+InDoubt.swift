import FiefCore

extension DynamicSnapshot {
  /// Returns the unfinished writes to several stores of which the store has a part. Usually empty.
  public final func unfinishedWrites() throws -> [InDoubtTransaction] {
    try described { try JointRows.unfinished(tables.catalogueTree, in: transaction) }
  }
}
