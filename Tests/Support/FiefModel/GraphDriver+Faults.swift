import Fief

/// Steps in which system calls fail.
extension GraphDriver {
  /// The codes of errors that say that a call has failed with EIO, ENOSPC, EINTR or ENOMEM; a write that throws another one has
  /// taken the failure for something else.
  ///
  /// `LMDBError.Code(returnCode:)` and `FiefError(_: LMDBError)` make them of the system's numbers. EIO is `inputOutput`, also in a
  /// store that cannot be opened again after it (`poisoned`), and `storeFull` where the file is in memory, as a system without room
  /// for it ends a write early (`FileSystem.isFull`). ENOSPC is `storeFull`, and `inputOutput` where it comes from the page that
  /// ends a commit. EINTR is `interrupted`. ENOMEM is `cannotOpen`, as is each call that has no kind of its own, and `storeFull`
  /// where the map cannot grow. A commit of which it is not known whether it took place is `unknownOutcome`, after any of them.
  package static let codesOfFailedCalls: Set<FiefError.Code> = [
    .inputOutput, .storeFull, .interrupted, .cannotOpen, .unknownOutcome,
  ]

  /// Does a step in which a call may fail. Where one does, a write that was acknowledged is there, one that has thrown is not, and the
  /// store is whole.
  func perform(_ step: GraphStep, _ faults: any GraphFaults) throws {
    // They have two writes.
    switch step {
    case .outlive, .hold: return try perform(step)
    default: break
    }
    let before = model
    attempt = nil
    unreadInWrite = []
    guard let plan = faults.begin() else { return try perform(step) }
    if plan.closesBefore { repository.close() }
    let result = Result { try perform(step) }
    guard let call = faults.end() else { return try result.get() }
    tally.faults += 1
    lastFault = "\(plan): \(call)"
    // A read in which a call has failed is right, or throws, or is reported; what a write has done is settled below.
    // What the checker could not read is a problem that it names.
    if attempt == nil, case .failure(let error as Wrong) = result, error.code == nil, !error.isOfChecker,
      repository.failures.all.isEmpty
    {
      throw error
    }
    try settle(before, plan)
  }

  /// Finds out what a step has left in which a call has failed.
  private func settle(_ before: GraphModel, _ plan: GraphFaultPlan) throws {
    var states = [before]
    var mayBeWritten = false
    switch attempt {
    case nil: break
    case .done(let after, isExpected: true)?:
      tally.faultsInDone += 1
      (states, mayBeWritten) = ([after], true)
    case .done(_, isExpected: false)?: throw Wrong("what has to be refused was done where a call failed")
    case .failed(let error, let after, let isExpected)?:
      tally.faultsInFailed += 1
      lastFault += ", \(error)"
      // Whatever is refused may be so for what was read as empty.
      guard isExpected || !unreadInWrite.isEmpty || Self.isOfFailedCall(error) else {
        throw Wrong("a write in which a call failed has thrown: \(error)")
      }
      if (error as? FiefError)?.code == .unknownOutcome {
        tally.unknown += 1
        states.append(after)
        mayBeWritten = true
      }
    }
    if plan.closesAfter {
      repository.close()
      tally.reopened += 1
    }
    let unread = repository.failures.all
    repository.failures.removeAll()
    do {
      try take(states, isOpen: !plan.closesAfter)
    } catch is Wrong where !unread.isEmpty {
      // What a read that could throw nothing has left in this process is gone then; what it has left in the files is not.
      repository.close()
      do {
        try take(states, isOpen: false)
        tally.unread += 1
      } catch let error as Wrong {
        guard mayBeWritten, !unreadInWrite.isEmpty, let after = states.last else {
          throw Wrong("after \(unread), in the store that was opened again: \(error)")
        }
        // What was written may be made of what was read as empty, and the model cannot follow it.
        try compareOthers(than: after)
        try check()
        tally.unreadWrites += 1
        throw GraphUnread(description: "\(unreadInWrite), \(error)")
      }
    }
    try settleLooseLinks()
    try check()
  }

  private static func isOfFailedCall(_ error: any Error) -> Bool {
    let code = (error as? FiefError)?.code ?? (error as? Wrong)?.code
    return code.map { codesOfFailedCalls.contains($0) } ?? false
  }

  /// Takes the first of some states that the store has.
  private func take(_ states: [GraphModel], isOpen: Bool) throws {
    for (index, state) in states.enumerated() {
      model = state
      model.beginCommit()
      model.times = [:]
      model.touchEverything()
      do { return try compareAfterFailure(isOpen: isOpen) } catch is Wrong where index < states.count - 1 {}
    }
  }

  /// Compares everything. A store whose disk has failed is closed to reading until a write has opened it again.
  private func compareAfterFailure(isOpen: Bool) throws {
    do {
      try compareEverything()
    } catch let error as FiefError where error.code == .inputOutput && isOpen {
      tally.healed += 1
      try repository.write { _ = try find(GraphRef(.person, 0), in: $0) }
      try compareEverything()
    }
  }

  /// Compares what a write has not touched: these objects are there, with their own values. What they link may have changed.
  private func compareOthers(than after: GraphModel) throws {
    try repository.read { snapshot in
      for kind in GraphKind.allCases {
        for id in 0..<GraphModel.capacity where !after.touched.contains(GraphRef(kind, id)) {
          let ref = GraphRef(kind, id)
          let (found, state) = (try find(ref, in: snapshot), after[ref])
          let values = found.map { "\($0.number) \($0.label ?? "-")" } ?? "nothing"
          let expected = state.map { "\($0.number) \($0.label?.text ?? "-")" } ?? "nothing"
          if !values.hasSameBytes(as: expected) {
            throw Wrong("\(ref) is \(values), not \(expected), after a write that is not about it")
          }
        }
      }
    }
  }
}

/// A write was made of what a read that can throw nothing has left out, so that the model does not know what the store has to have.
struct GraphUnread: Error, CustomStringConvertible {
  let description: String
}
