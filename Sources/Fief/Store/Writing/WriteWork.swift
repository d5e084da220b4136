/// One piece of work for a store's write queue.
enum WriteWork: Sendable {
  /// Encoded changes.
  // Indirect: one reference is copied from hand to hand, and not each of its parts.
  indirect case changes(PreparedChanges)
  /// A closure of the application's, in a transaction scope of its own, that some observations do not report.
  case body(@Sendable (WriteTransaction) throws -> Void, silent: Set<ObservationMachine.ID> = [])
  /// Reserve row ids of a type.
  case reserveRowIDs(Table, count: Int64)

  /// Notes the commit: the row ids that the save has claimed are the objects' for good.
  func confirmRowIDs() {
    guard case .changes(let changes) = self else { return }
    for claim in changes.claims { claim.confirm() }
  }

  /// The observations that are not notified of it.
  var silent: Set<ObservationMachine.ID> {
    if case .body(_, let silent) = self { silent } else { [] }
  }

  /// Whether it makes the store smaller, so that it may use the reserve for that on a full disk.
  var onlyDeletes: Bool {
    guard case .changes(let changes) = self else { return false }
    return changes.onlyDeletes
  }

  /// Whether it can fail only before its first change, so that others in the batch need no protection.
  var failsBeforeChanging: Bool {
    switch self {
    case .changes(let changes):
      changes.failsBeforeChanging
        && !changes.tables.contains { $0.hasUniqueIndex || $0.hasLimits || $0.derivations != nil }
    case .body: false
    case .reserveRowIDs: true
    }
  }
}

/// The answer to a caller of the write queue.
struct WriteReceipt: Sendable {
  /// The number of the transaction that made the work durable.
  var transaction: UInt64 = 0
  var rowIDs: Range<Int64>?
}
