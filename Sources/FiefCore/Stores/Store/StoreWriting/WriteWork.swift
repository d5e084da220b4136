/// One item of work for a store's write queue.
package enum WriteWork: Sendable {
  /// Encoded changes.
  // Indirect, so that passing it on copies one reference instead of all parts.
  indirect case changes(PreparedChanges)
  /// The changes of a batch. The observations in `silent` do not report them.
  indirect case batch(BatchChanges, silent: Set<ObservationMachine.ID> = [])
  /// A closure, usually of the application, in its own transaction scope. The observations in `silent` do not
  /// report its changes.
  case body(
    @Sendable (WriteTransaction) throws -> Void,
    silent: Set<ObservationMachine.ID> = [],
    onlyDeletes: Bool = false
  )
  /// A reservation of row ids of a type.
  case reserveRowIDs(Table, count: Int64)
  /// Saving the store's usage.
  case keepUsage
  /// Work with the label of its caller, under which it is counted.
  indirect case labelled(WriteWork, String)

  /// The work with the label of the current task.
  var labelled: WriteWork { StoreUsage.label.map { .labelled(self, $0) } ?? self }

  /// The label of the work's caller.
  var label: String? { if case .labelled(_, let label) = self { label } else { nil } }

  /// The work without its label.
  private var own: WriteWork { if case .labelled(let work, _) = self { work } else { self } }

  /// Whether the work belongs to the library itself and is not counted.
  var isUncounted: Bool { if case .keepUsage = self { true } else { false } }

  /// Records the commit. The objects then keep the row ids that the save has claimed.
  func confirmRowIDs() {
    switch own {
    case .changes(let changes): for claim in changes.claims { claim.confirm() }
    case .batch(let batch, _): for claim in batch.claims { claim.confirm() }
    case .body, .reserveRowIDs, .keepUsage, .labelled: break
    }
  }

  /// The observations that are not notified of the work.
  var silent: Set<ObservationMachine.ID> {
    switch own {
    case .batch(_, let silent), .body(_, let silent, _): silent
    case .changes, .reserveRowIDs, .keepUsage, .labelled: []
    }
  }

  /// Whether the work only deletes, so that it may use the reserved space on a full disk.
  var onlyDeletes: Bool {
    switch own {
    case .changes(let changes): changes.onlyDeletes
    case .batch(let batch, _): batch.onlyDeletes
    case .body(_, _, let onlyDeletes): onlyDeletes
    case .reserveRowIDs, .keepUsage, .labelled: false
    }
  }

  /// Whether the work can only fail before its first change, so that the other work in the batch needs no
  /// protection from it.
  var failsBeforeChanging: Bool {
    switch own {
    case .changes(let changes):
      changes.failsBeforeChanging
        && !changes.tables.contains {
          $0.hasUniqueIndex || $0.hasLimits || $0.derivations != nil || $0.isManaged
        }
    case .batch(let batch, _): batch.failsBeforeChanging
    case .body, .labelled: false
    case .reserveRowIDs, .keepUsage: true
    }
  }
}

/// The result that a caller of the write queue receives.
package struct WriteReceipt: Sendable {
  /// The number of the transaction that made the work durable.
  var transaction: UInt64 = 0
  var rowIDs: Range<Int64>?
  /// The objects of a save that compares them, in the order of the save; empty for other work.
  var written: [WrittenObject] = []
}
