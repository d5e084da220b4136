import Fief

/// Steps in which system calls fail.
extension GraphDriver {
  /// Does a step in which a call may fail. Where one does, a write that was acknowledged is there, one that has thrown is not, and the
  /// store is whole.
  func perform(_ step: GraphStep, _ faults: any GraphFaults) throws {
    let before = model
    attempt = nil
    guard let plan = faults.begin() else { return try perform(step) }
    if plan.closesBefore { repository.close() }
    let result = Result { try perform(step) }
    guard let call = faults.end() else { return try result.get() }
    tally.faults += 1
    lastFault = "\(plan): \(call)"
    try settle(before, plan)
  }

  /// Finds out what a step has left in which a call has failed.
  private func settle(_ before: GraphModel, _ plan: GraphFaultPlan) throws {
    var states = [model]
    switch attempt {
    case nil: states = [before]
    case .done(isExpected: true)?: tally.faultsInDone += 1
    case .done(isExpected: false)?: throw Wrong("what has to be refused was done where a call failed")
    case .failed(let error, let after)?:
      tally.faultsInFailed += 1
      lastFault += ", \(error)"
      states = [before]
      if let code = (error as? FiefError)?.code, code == .unknownOutcome || code == .unfinishedWrite {
        tally.unknown += 1
        states.append(after)
      }
    }
    if plan.closesAfter {
      repository.close()
      tally.reopened += 1
    }
    let unread = repository.failures.all
    repository.failures.removeAll()
    for (index, state) in states.enumerated() {
      model = state
      model.beginCommit()
      model.times = [:]
      model.touchEverything()
      do {
        try compareAfterFailure(isOpen: !plan.closesAfter)
        break
      } catch let error as Wrong where index < states.count - 1 || !unread.isEmpty {
        // What was written may be made of what read as empty.
        if index < states.count - 1 { continue }
        tally.unread += 1
        throw GraphUnread(description: "\(unread), \(error)")
      }
    }
    try settleLooseLinks()
    try check()
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
}

/// A read that can throw nothing has failed, so that it is not known what the store has to have.
struct GraphUnread: Error, CustomStringConvertible {
  let description: String
}
