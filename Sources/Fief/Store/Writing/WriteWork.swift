/// One piece of work for a store's write queue.
enum WriteWork: Sendable {
  /// Encoded changes.
  // Indirect: one reference is copied from hand to hand, and not each of its parts.
  indirect case changes(PreparedChanges)
  /// The changes of a batch, that some observations do not report.
  indirect case batch(BatchChanges, silent: Set<ObservationMachine.ID> = [])
  /// A closure, of the application's mostly, in a transaction scope of its own, that some observations do not report.
  case body(
    @Sendable (WriteTransaction) throws -> Void,
    silent: Set<ObservationMachine.ID> = [],
    onlyDeletes: Bool = false
  )
  /// Reserve row ids of a type.
  case reserveRowIDs(Table, count: Int64)

  /// Notes the commit: the row ids that the save has claimed are the objects' for good.
  func confirmRowIDs() {
    switch self {
    case .changes(let changes): for claim in changes.claims { claim.confirm() }
    case .batch(let batch, _): for claim in batch.claims { claim.confirm() }
    case .body, .reserveRowIDs: break
    }
  }

  /// The observations that are not notified of it.
  var silent: Set<ObservationMachine.ID> {
    switch self {
    case .batch(_, let silent), .body(_, let silent, _): silent
    case .changes, .reserveRowIDs: []
    }
  }

  /// Whether it makes the store smaller, so that it may use the reserve for that on a full disk.
  var onlyDeletes: Bool {
    switch self {
    case .changes(let changes): changes.onlyDeletes
    case .batch(let batch, _): batch.onlyDeletes
    case .body(_, _, let onlyDeletes): onlyDeletes
    case .reserveRowIDs: false
    }
  }

  /// Whether it can fail only before its first change, so that others in the batch need no protection.
  var failsBeforeChanging: Bool {
    switch self {
    case .changes(let changes):
      changes.failsBeforeChanging
        && !changes.tables.contains { $0.hasUniqueIndex || $0.hasLimits || $0.derivations != nil }
    case .batch(let batch, _): batch.failsBeforeChanging
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
  /// The objects of a save that compares them, in its order; empty for other works.
  var written: [WrittenObject] = []
}
