/// One piece of work for a store's write queue.
package enum WriteWork: Sendable {
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
  /// Keep the usage of the store.
  case keepUsage
  /// A work of a caller with a label, under which it counts.
  indirect case labelled(WriteWork, String)

  /// The work with the label of the current task.
  var labelled: WriteWork { StoreUsage.label.map { .labelled(self, $0) } ?? self }

  /// The label of its caller.
  var label: String? { if case .labelled(_, let label) = self { label } else { nil } }

  /// The work without its label.
  private var own: WriteWork { if case .labelled(let work, _) = self { work } else { self } }

  /// Whether it is the library's own, and no work in the counts of them.
  var isUncounted: Bool { if case .keepUsage = self { true } else { false } }

  /// Notes the commit: the row ids that the save has claimed are the objects' for good.
  func confirmRowIDs() {
    switch own {
    case .changes(let changes): for claim in changes.claims { claim.confirm() }
    case .batch(let batch, _): for claim in batch.claims { claim.confirm() }
    case .body, .reserveRowIDs, .keepUsage, .labelled: break
    }
  }

  /// The observations that are not notified of it.
  var silent: Set<ObservationMachine.ID> {
    switch own {
    case .batch(_, let silent), .body(_, let silent, _): silent
    case .changes, .reserveRowIDs, .keepUsage, .labelled: []
    }
  }

  /// Whether it makes the store smaller, so that it may use the reserve for that on a full disk.
  var onlyDeletes: Bool {
    switch own {
    case .changes(let changes): changes.onlyDeletes
    case .batch(let batch, _): batch.onlyDeletes
    case .body(_, _, let onlyDeletes): onlyDeletes
    case .reserveRowIDs, .keepUsage, .labelled: false
    }
  }

  /// Whether it can fail only before its first change, so that others in the batch need no protection.
  var failsBeforeChanging: Bool {
    switch own {
    case .changes(let changes):
      changes.failsBeforeChanging
        && !changes.tables.contains { $0.hasUniqueIndex || $0.hasLimits || $0.derivations != nil }
    case .batch(let batch, _): batch.failsBeforeChanging
    case .body, .labelled: false
    case .reserveRowIDs, .keepUsage: true
    }
  }
}

/// The answer to a caller of the write queue.
package struct WriteReceipt: Sendable {
  /// The number of the transaction that made the work durable.
  var transaction: UInt64 = 0
  var rowIDs: Range<Int64>?
  /// The objects of a save that compares them, in its order; empty for other works.
  var written: [WrittenObject] = []
}
