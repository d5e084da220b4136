package import Fief

/// The life of a transaction, without its effects: a pure state machine.
///
/// The function runs with a value, and an authority decides about its result. If the authority has another
/// value in the meantime, the function runs again with that value.
package struct TransactionMachine: Sendable {
  /// The answer of an authority to a result.
  package enum Decision: Sendable, Equatable {
    case accepted
    /// The place has another value, with which the function runs again.
    case refused(JSON)
    /// A write outside of transactions changed the place, or a place above or below it.
    case overridden
    /// The program ended before there was an answer.
    case interrupted
  }

  package enum Outcome: Sendable, Equatable {
    case committed
    case aborted
    case failed(FiefError.Code)
  }

  /// The next thing to do.
  package enum Action: Sendable, Equatable {
    /// Running the function with a value.
    case run(JSON)
    /// Asking the authority for its decision about a result.
    case propose(JSON, insteadOf: JSON)
    /// Ending the transaction.
    case finish(Outcome)
  }

  /// A change of the values that listeners see before the decision.
  package enum Preview: Sendable, Equatable {
    case show(JSON)
    case takeBack
  }

  package typealias Reaction = (preview: Preview?, action: Action)

  private enum State {
    case running(with: JSON)
    case waiting(for: JSON, insteadOf: JSON)
    case ended(Outcome)
  }

  private let maximumAttempts: Int
  private let applyLocally: Bool
  private var state: State
  /// The number of times that the function ran.
  package private(set) var attempts = 1

  /// - Parameters:
  ///   - value: the last known value of the place, with which the function is to run first.
  ///   - maximumAttempts: the maximum number of runs after the first one.
  ///   - applyLocally: whether listeners see a result before the decision.
  package init(value: JSON, maximumAttempts: Int, applyLocally: Bool) {
    self.maximumAttempts = maximumAttempts
    self.applyLocally = applyLocally
    state = .running(with: value)
  }

  /// Called when the function has returned.
  package mutating func didRun(_ step: TreeTransaction.Step, _ result: JSON) -> Reaction {
    guard case .running(let old) = state else { return again }
    switch step {
    case .abort: return end(.aborted)
    case .commit:
      state = .waiting(for: result, insteadOf: old)
      return (applyLocally ? .show(result) : nil, .propose(result, insteadOf: old))
    }
  }

  /// Called when the authority has answered.
  package mutating func didDecide(_ decision: Decision) -> Reaction {
    guard case .waiting = state else { return again }
    switch decision {
    case .accepted: return end(.committed)
    case .overridden: return end(.failed(.overridden), takingBack: applyLocally)
    // The listeners that saw the result have ended with their program.
    case .interrupted: return end(.failed(.transactionLost))
    case .refused(let value):
      guard attempts <= maximumAttempts else { return end(.failed(.conflict), takingBack: applyLocally) }
      attempts += 1
      state = .running(with: value)
      return (applyLocally ? .takeBack : nil, .run(value))
    }
  }

  /// Called when the authority has failed. The transaction ends with its error.
  ///
  /// - Returns: the change of the values that listeners see.
  package mutating func didFail() -> Preview? {
    guard case .waiting = state else { return nil }
    state = .ended(.aborted)
    return applyLocally ? .takeBack : nil
  }

  private mutating func end(_ outcome: Outcome, takingBack: Bool = false) -> Reaction {
    state = .ended(outcome)
    return (takingBack ? .takeBack : nil, .finish(outcome))
  }

  /// The action that is due already, after a call that was not expected.
  private var again: Reaction {
    switch state {
    case .running(let value): (nil, .run(value))
    case .waiting(let result, let old): (nil, .propose(result, insteadOf: old))
    case .ended(let outcome): (nil, .finish(outcome))
    }
  }
}
