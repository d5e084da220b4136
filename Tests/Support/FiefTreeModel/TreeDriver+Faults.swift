import Fief
import FiefModel

/// Steps in which system calls fail.
extension TreeDriver {
  /// The end of a write, with the model of the state that it leaves and its number of notes.
  struct Attempt {
    let error: (any Error)?
    let model: TreeModel
    let notes: Int
  }

  /// Runs a write. The model becomes `after` if it is done.
  func attemptWrite(to after: TreeModel, _ notes: Int, _ body: () throws -> Void) throws {
    do { try body() } catch {
      attempt = Attempt(error: error, model: after, notes: notes)
      throw error
    }
    attempt = Attempt(error: nil, model: after, notes: notes)
    (model, self.notes) = (after, notes)
  }

  /// Performs a step in which a system call may fail. After a failure the store is intact. It has a write that
  /// returned, and no write that threw, unless the error says that the outcome is unknown.
  func perform(_ step: TreeStep, _ faults: any GraphFaults) throws {
    switch step {
    case .edit, .write, .read, .keys, .ask: break
    // The others work on after the step, or wait for background work.
    default: return try perform(step)
    }
    attempt = nil
    let before = (model: model, notes: notes)
    guard let plan = faults.begin() else { return try perform(step) }
    if plan.closesBefore { repository.close() }
    let result = Result { try perform(step) }
    guard let call = faults.end() else {
      try result.get()
      if plan.closesBefore { try listenAgain() }
      return
    }
    tally.faults += 1
    lastFault = "\(plan): \(call)"
    if case .failure(let error) = result {
      lastFault += ", \(error)"
      // If a call fails during a check, the checker reports the object that it could not read.
      let isOfCall = (error as? FiefError).map { GraphDriver.codesOfFailedCalls.contains($0.code) }
      guard isOfCall ?? (error as? Wrong)?.isOfChecker ?? false else { throw error }
    }
    var states = [before]
    if let attempt {
      let after = (model: attempt.model, notes: attempt.notes)
      if attempt.error == nil {
        tally.faultsInDone += 1
        states = [after]
      } else if (attempt.error as? FiefError)?.code == .unknownOutcome {
        tally.unknown += 1
        states.append(after)
      }
    }
    if plan.closesAfter { repository.close() }
    try take(states)
    // A failed read has ended observations.
    try listenAgain()
  }

  /// Takes the first of some states that the store has.
  private func take(_ states: [(model: TreeModel, notes: Int)]) throws {
    for (index, state) in states.enumerated() {
      (model, notes) = (state.model, state.notes)
      do { return try compareAfterFailure() } catch is Wrong where index < states.count - 1 {}
    }
  }

  /// Compares everything. A store whose disk has failed refuses reads until a write has opened it again.
  private func compareAfterFailure() throws {
    do { try compareEverything() } catch let error as FiefError where error.code == .inputOutput {
      try repository.write { _ = try tree.in($0).exists(at: tree.root) }
      try compareEverything()
    }
  }
}
