/// The side of a transaction that decides whether a result is stored.
package protocol TransactionAuthority {
  /// Returns the last known value of the place.
  mutating func value() throws -> JSON

  /// Decides about a result, and stores it if it is accepted.
  ///
  /// - Parameter old: the value from which the result was computed.
  mutating func decide(_ result: JSON, insteadOf old: JSON) throws -> TransactionMachine.Decision

  /// Shows a result to listeners before the decision, or takes it back.
  mutating func preview(_ preview: TransactionMachine.Preview)
}

extension TransactionAuthority {
  /// Runs a transaction to its end.
  ///
  /// - Parameter update: the function of the transaction.
  /// - Returns: the outcome, and the number of times that the function ran.
  /// - Throws: the errors of the function and of the authority.
  package mutating func run(
    maximumAttempts: Int,
    applyLocally: Bool,
    _ update: (inout JSON) throws -> TreeTransaction.Step
  ) throws -> (outcome: TransactionMachine.Outcome, attempts: Int) {
    let first = try value()
    var machine = TransactionMachine(
      value: first,
      maximumAttempts: maximumAttempts,
      applyLocally: applyLocally
    )
    var action = TransactionMachine.Action.run(first)
    while true {
      let reaction: TransactionMachine.Reaction
      switch action {
      case .run(var value):
        let step = try update(&value)
        reaction = machine.didRun(step, value)
      case .propose(let result, let old):
        do { reaction = machine.didDecide(try decide(result, insteadOf: old)) } catch {
          if let shown = machine.didFail() { preview(shown) }
          throw error
        }
      case .finish(let outcome): return (outcome, machine.attempts)
      }
      if let shown = reaction.preview { preview(shown) }
      action = reaction.action
    }
  }
}
