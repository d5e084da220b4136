import FiefCore

extension DynamicSnapshot {
  /// What writes to several stores have left in the store; empty as a rule.
  public final func unfinishedWrites() throws -> [InDoubtTransaction] {
    try described { try JointRows.unfinished(tables.catalogueTree, in: transaction) }
  }
}
