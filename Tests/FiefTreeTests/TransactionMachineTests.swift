import Fief
import FiefTree
import Testing

/// The life of a transaction with a server, which a script plays.
struct TransactionMachineTests {
  private struct Broken: Error {}

  /// An authority with a list of decisions.
  private struct Script: TransactionAuthority {
    var known: JSON
    var decisions: [TransactionMachine.Decision]
    var events: [String] = []
    var isBroken = false

    mutating func value() -> JSON { known }

    mutating func decide(_ result: JSON, insteadOf old: JSON) throws -> TransactionMachine.Decision {
      events.append("propose \(result) instead of \(old)")
      if isBroken { throw Broken() }
      return decisions.isEmpty ? .accepted : decisions.removeFirst()
    }

    mutating func preview(_ preview: TransactionMachine.Preview) {
      switch preview {
      case .show(let value): events.append("show \(value)")
      case .takeBack: events.append("take back")
      }
    }
  }

  private func run(
    _ decisions: [TransactionMachine.Decision],
    known: JSON = 1,
    maximumAttempts: Int = 25,
    applyLocally: Bool = true,
    step: TreeTransaction.Step = .commit
  ) throws -> (outcome: TransactionMachine.Outcome, attempts: Int, events: [String], values: [JSON]) {
    var script = Script(known: known, decisions: decisions)
    var values: [JSON] = []
    let (outcome, attempts) = try script.run(
      maximumAttempts: maximumAttempts,
      applyLocally: applyLocally
    ) { value in
      values.append(value)
      value = .int((value.int ?? 0) + 10)
      return step
    }
    return (outcome, attempts, script.events, values)
  }

  @Test func anAcceptedResultIsShownAtOnce() throws {
    let result = try run([.accepted])
    #expect(result.outcome == .committed && result.attempts == 1 && result.values == [1])
    #expect(result.events == ["show 11", "propose 11 instead of 1"])
  }

  @Test func aRefusalRunsTheFunctionWithTheOtherValue() throws {
    let result = try run([.refused(5), .refused(.null), .accepted])
    #expect(result.outcome == .committed && result.attempts == 3 && result.values == [1, 5, .null])
    #expect(
      result.events == [
        "show 11", "propose 11 instead of 1", "take back", "show 15", "propose 15 instead of 5", "take back",
        "show 10", "propose 10 instead of null",
      ]
    )
  }

  /// Case 8 of the specification.
  @Test func refusalsEndAsAConflict() throws {
    let refusals = (0..<100).map { TransactionMachine.Decision.refused(.int($0)) }
    let result = try run(refusals)
    #expect(result.outcome == .failed(.conflict) && result.attempts == 26 && result.values.count == 26)
    #expect(result.events.last == "take back")
    #expect(try run(refusals, maximumAttempts: 0).values.count == 1)
    #expect(try run(Array(refusals.prefix(25))).outcome == .committed)
  }

  @Test func aPlainWriteEndsAWaitingTransaction() throws {
    let result = try run([.refused(5), .overridden])
    #expect(result.outcome == .failed(.overridden) && result.attempts == 2)
    #expect(result.events.last == "take back")
  }

  @Test func anInterruptedTransactionIsLost() throws {
    let result = try run([.interrupted])
    #expect(result.outcome == .failed(.transactionLost) && result.events.last == "propose 11 instead of 1")
  }

  @Test(arguments: [true, false]) func aFailureOfTheAuthorityTakesBack(_ applyLocally: Bool) {
    var script = Script(known: 1, decisions: [], isBroken: true)
    #expect(throws: Broken.self) {
      try script.run(maximumAttempts: 25, applyLocally: applyLocally) { value in
        value = 2
        return .commit
      }
    }
    #expect(
      script.events
        == (applyLocally
          ? ["show 2", "propose 2 instead of 1", "take back"] : ["propose 2 instead of 1"])
    )
  }

  @Test func nothingIsShownWithoutApplyingLocally() throws {
    for decisions in [[.refused(5), .accepted], [.overridden]] as [[TransactionMachine.Decision]] {
      let events = try run(decisions, applyLocally: false).events
      #expect(events.allSatisfy { $0.hasPrefix("propose") } && !events.isEmpty)
    }
  }

  @Test func anAbortProposesNothing() throws {
    let result = try run([], step: .abort)
    #expect(result.outcome == .aborted && result.attempts == 1 && result.events == [])
  }

  @Test func unexpectedCallsChangeNothing() {
    var machine = TransactionMachine(value: 1, maximumAttempts: 1, applyLocally: true)
    #expect(machine.didDecide(.accepted).action == .run(1))
    #expect(machine.didRun(.commit, 2).action == .propose(2, insteadOf: 1))
    #expect(machine.didRun(.abort, 3).action == .propose(2, insteadOf: 1))
    #expect(machine.didDecide(.accepted).action == .finish(.committed))
    #expect(machine.didDecide(.overridden).action == .finish(.committed))
    #expect(machine.didFail() == nil)
  }
}
