/// The changes of a batch, in their order, as they are passed from the caller to the write queue.
package struct BatchChanges: Sendable {
  enum Step: Sendable {
    /// Objects to put or delete.
    case changes(PreparedChanges)
    /// Operations on one object.
    case fields(ObjectEdit)
  }

  var steps: [Step] = []
  /// The reads of an optimistic transaction, which are compared before the first step.
  var reads: OptimisticReads?
  /// The size of the changes in bytes, which counts against the limits of the write queue.
  package private(set) var byteCount = 0

  package init() {}

  package var isEmpty: Bool { steps.isEmpty }

  package mutating func append(_ changes: PreparedChanges) {
    if changes.isEmpty { return }
    steps.append(.changes(changes))
    byteCount += changes.bytes.count
  }

  package mutating func append(_ edit: ObjectEdit) {
    steps.append(.fields(edit))
    byteCount += edit.byteCount
  }

  var onlyDeletes: Bool {
    steps.allSatisfy {
      if case .changes(let changes) = $0 { return changes.onlyDeletes }
      return false
    }
  }

  /// Whether the batch can only fail before its first change.
  var failsBeforeChanging: Bool {
    // A step without operations only checks that linked objects exist.
    let changing = steps.filter { if case .changes(let changes) = $0 { changes.hasOperations } else { true } }
    guard changing.count == 1, case .fields(let edit)? = changing.first else { return false }
    return !edit.edits.table.needsOldRecord && !edit.edits.table.isManaged
  }

  /// The row ids that the objects have claimed.
  var claims: [RowIDClaims] {
    steps.flatMap { step -> [RowIDClaims] in
      if case .changes(let changes) = step { return changes.claims }
      return []
    }
  }
}

extension RecordWriter {
  /// Performs a batch. Each step sees the changes of the steps before it.
  ///
  /// - Throws: ``StaleReads`` before the first step, or the error of a step.
  func perform(_ batch: BatchChanges) throws {
    if let reads = batch.reads { try check(reads) }
    for step in batch.steps {
      switch step {
      case .changes(let changes): try perform(changes)
      case .fields(let edit): try perform(edit)
      }
    }
  }
}
