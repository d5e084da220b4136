import Fief
import Testing

@testable import FiefCore

/// The attempts of an optimistic transaction, without time and randomness.
struct AttemptMachineTests {
  @Test func aCommittedAttemptIsTheLast() {
    var machine = AttemptMachine(maximumAttempts: 5)
    #expect(machine.begin(isCancelled: false) == .run(attempt: 1))
    #expect(machine.ended(.committed, isCancelled: false, random: 0) == .end)
    #expect(machine.ended(.committed, isCancelled: true, random: 0) == .end)
  }

  @Test func aFailureEndsAtOnce() {
    var machine = AttemptMachine(maximumAttempts: 5)
    _ = machine.begin(isCancelled: false)
    #expect(machine.ended(.failed, isCancelled: false, random: 0) == .end)
  }

  @Test func theLastStaleAttemptGivesUpWithItsLines() {
    var machine = AttemptMachine(maximumAttempts: 3)
    var action = machine.begin(isCancelled: false)
    for attempt in 1...2 {
      #expect(action == .run(attempt: attempt))
      guard case .wait = machine.ended(.stale(["\(attempt)"]), isCancelled: false, random: 0) else {
        Issue.record("attempt \(attempt) is not repeated")
        return
      }
      action = machine.waited(isCancelled: false)
    }
    #expect(action == .run(attempt: 3))
    #expect(machine.ended(.stale(["a", "b"]), isCancelled: false, random: 0) == .giveUp(["a", "b"]))
  }

  @Test func cancellationEndsBetweenAttemptsAndInTheWait() {
    var machine = AttemptMachine(maximumAttempts: 3)
    #expect(machine.begin(isCancelled: true) == .cancel)
    machine = AttemptMachine(maximumAttempts: 3)
    _ = machine.begin(isCancelled: false)
    #expect(machine.ended(.stale([]), isCancelled: true, random: 0) == .cancel)
    #expect(machine.waited(isCancelled: true) == .cancel)
  }

  @Test func theLastAttemptSaysWhatChangedAlsoWhereItIsCancelled() {
    var machine = AttemptMachine(maximumAttempts: 1)
    _ = machine.begin(isCancelled: false)
    #expect(machine.ended(.stale(["a"]), isCancelled: true, random: 0) == .giveUp(["a"]))
  }

  @Test(arguments: [
    (1, 5, 10), (2, 10, 20), (3, 20, 40), (4, 40, 80), (5, 80, 160), (6, 160, 320), (7, 250, 500),
    (8, 250, 500), (1_000_000, 250, 500),
  ])
  func waitsDoubleUpToHalfASecond(_ attempt: Int, _ least: Int, _ most: Int) {
    #expect(AttemptMachine.wait(after: attempt, random: 0) == .milliseconds(least))
    let middle = AttemptMachine.wait(after: attempt, random: 1 << 63)
    #expect(middle == .milliseconds(least) * 1.5)
    let longest = AttemptMachine.wait(after: attempt, random: .max)
    #expect(longest <= .milliseconds(most) && longest > .milliseconds(most) * 0.999)
  }
}
