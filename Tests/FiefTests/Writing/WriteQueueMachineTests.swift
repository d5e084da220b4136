import Fief
import Testing

@testable import FiefCore

/// The machine step by step, with a clock of its own.
@Suite struct WriteQueueMachineTests {
  typealias Machine = WriteQueueMachine<String>

  private struct Failure: Error {}

  /// `#expect` takes no expression that changes a value, as every event of the machine does.
  private func expect(_ condition: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(condition, sourceLocation: sourceLocation)
  }

  private func ticket(_ admission: Machine.Admission) throws -> UInt64 {
    guard case .queued(let ticket) = admission else { throw Failure() }
    return ticket
  }

  private func batch(_ step: Machine.Step) throws -> [String] {
    guard case .run(let batch) = step else { throw Failure() }
    return batch.entries
  }

  /// A machine in which a batch of `size` has just ended at time 2000, after 1000.
  private func machine(
    afterBatchOf size: Int,
    limits: WriteQueueLimits = .init(gatherInterval: .nanoseconds(100))
  ) throws -> Machine {
    var machine = Machine(limits: limits)
    for index in 0..<size { _ = machine.enqueue("\(index)", bytes: 1, canCommit: false, now: 1000) }
    expect(try batch(machine.threadStep(now: 1000).step).count == size)
    let actions = machine.batchFinished(failures: 0, now: 2000)
    expect(actions.thread == .none)
    return machine
  }

  @Test func theThreadIsStartedOnceAndOnlyForAsynchronousWork() throws {
    var machine = Machine(limits: .init())
    expect(machine.beginDirectly(now: 0) != nil)
    expect(machine.batchFinished(failures: 0, now: 1).thread == .none)
    expect(machine.beginTurn(now: 2))
    expect(machine.endTurn(now: 3).thread == .none)
    expect(machine.enqueue("a", bytes: 0, canCommit: false, now: 4).actions.thread == .start)
    expect(machine.enqueue("b", bytes: 0, canCommit: false, now: 5).actions.thread == .none)
    expect(try batch(machine.threadStep(now: 6).step) == ["a", "b"])
    expect(machine.batchFinished(failures: 0, now: 7).thread == .none)
    expect(machine.enqueue("c", bytes: 0, canCommit: false, now: 8).actions.thread == .wake)
  }

  @Test func aQueueWithoutThreadEndsAtOnce() {
    var machine = Machine(limits: .init())
    expect(!machine.isFinished)
    expect(machine.close(now: 0).thread == .none)
    expect(machine.isFinished)
    expect(machine.beginDirectly(now: 1) == nil)
    expect(!machine.beginTurn(now: 1))
    guard case .closed = machine.enqueue("a", bytes: 0, canCommit: true, now: 1).admission else {
      Issue.record("accepted after close")
      return
    }
    guard case .closed = machine.enqueueTurn("b", now: 1).admission else {
      Issue.record("accepted after close")
      return
    }
  }

  @Test func whatComesDuringABatchIsTheNextBatch() throws {
    var machine = Machine(limits: .init(maximumBatch: 3, gatherInterval: .zero))
    expect(machine.beginDirectly(now: 0) != nil)
    expect(machine.beginDirectly(now: 0) == nil)
    for name in ["a", "b", "c", "d"] {
      expect(machine.enqueue(name, bytes: 0, canCommit: true, now: 1).actions.thread == .none)
    }
    expect(machine.batchFinished(failures: 0, now: 2).thread == .start)
    expect(try batch(machine.threadStep(now: 3).step) == ["a", "b", "c"])
    expect(machine.batchFinished(failures: 0, now: 4).thread == .wake)
    expect(try batch(machine.threadStep(now: 5).step) == ["d"])
  }

  @Test func aTurnDividesBatchesAndKeepsItsPlace() throws {
    var machine = Machine(limits: .init(gatherInterval: .zero))
    _ = machine.enqueue("a", bytes: 0, canCommit: false, now: 0)
    _ = machine.enqueueTurn("turn", now: 0)
    _ = machine.enqueue("b", bytes: 0, canCommit: false, now: 0)
    expect(try batch(machine.threadStep(now: 1).step) == ["a"])
    let actions = machine.batchFinished(failures: 0, now: 2)
    expect(actions.granted == "turn")
    expect(actions.thread == .none)
    guard case .wait = machine.threadStep(now: 3).step else { throw Failure() }
    expect(machine.endTurn(now: 4).thread == .wake)
    expect(try batch(machine.threadStep(now: 5).step) == ["b"])
  }

  @Test func aTurnLeftAloneByCancellationIsGranted() throws {
    var machine = Machine(limits: .init())
    let item = try ticket(machine.enqueue("a", bytes: 0, canCommit: false, now: 0).admission)
    expect(machine.enqueueTurn("turn", now: 0).actions.granted == nil)
    expect(machine.cancel(item, now: 1)?.entry == "a")
    expect(machine.threadStep(now: 2).actions.granted == "turn")
  }

  @Test func cancellationFindsOnlyWhatHasNotStarted() throws {
    var machine = Machine(limits: .init(maximumPending: 1))
    let first = try ticket(machine.enqueue("a", bytes: 0, canCommit: false, now: 0).admission)
    let second = try ticket(machine.enqueue("b", bytes: 0, canCommit: false, now: 0).admission)
    let third = try ticket(machine.enqueue("c", bytes: 0, canCommit: false, now: 0).admission)
    expect(machine.statistics.waitingForRoom == 2)
    expect(machine.cancel(second, now: 1)?.entry == "b")
    expect(machine.cancel(second, now: 1) == nil)
    expect(try batch(machine.threadStep(now: 2).step) == ["a"])
    expect(machine.cancel(first, now: 3) == nil)
    expect(machine.cancel(third, now: 4)?.entry == "c")
    expect(machine.batchFinished(failures: 0, now: 5).thread == .none)
    expect(machine.isQuiet)
    expect(machine.statistics.cancelled == 2)
  }

  @Test func cancellingAllThatIsInLineMakesItQuietAtOnce() throws {
    var machine = Machine(limits: .init())
    let item = try ticket(machine.enqueue("a", bytes: 0, canCommit: false, now: 0).admission)
    expect(!machine.isQuiet)
    _ = machine.cancel(item, now: 1)
    expect(machine.isQuiet)
    expect(machine.beginDirectly(now: 2) != nil)
  }

  @Test func largeItemsAreAdmittedAloneAndNotStarved() throws {
    var machine = Machine(limits: .init(maximumPendingBytes: 100, gatherInterval: .zero))
    let sizes = [40, 40, 500, 10, .max, -5, 100, 1]
    for (index, size) in sizes.enumerated() {
      _ = machine.enqueue("\(index)", bytes: size, canCommit: false, now: 0)
    }
    var batches: [[String]] = []
    while machine.statistics.pending > 0 {
      batches.append(try batch(machine.threadStep(now: 1).step))
      _ = machine.batchFinished(failures: 0, now: 2)
    }
    expect(batches == [["0", "1"], ["2"], ["3"], ["4"], ["5", "6"], ["7"]])
  }

  @Test func aLargeItemThatLeavesLetsInThoseBehindIt() throws {
    var machine = Machine(limits: .init(maximumPendingBytes: 100))
    _ = machine.enqueue("a", bytes: 60, canCommit: false, now: 0)
    let large = try ticket(machine.enqueue("b", bytes: 80, canCommit: false, now: 0).admission)
    _ = machine.enqueue("c", bytes: 10, canCommit: false, now: 0)
    expect(machine.statistics.waitingForRoom == 2)
    expect(machine.cancel(large, now: 1)?.entry == "b")
    expect(machine.statistics.waitingForRoom == 0)
    expect(try batch(machine.threadStep(now: 2).step) == ["a", "c"])
  }

  @Test func pausingStopsWhatHasNotStartedAndCloseIgnoresIt() throws {
    var machine = Machine(limits: .init())
    _ = machine.enqueue("a", bytes: 0, canCommit: false, now: 0)
    machine.pause()
    expect(machine.isQuiet)
    guard case .wait = machine.threadStep(now: 1).step else { throw Failure() }
    expect(machine.enqueueTurn("turn", now: 2).actions.granted == nil)
    expect(!machine.beginTurn(now: 2))
    expect(machine.beginDirectly(now: 2) == nil)
    expect(machine.close(now: 3).thread == .wake)
    machine.pause()
    expect(try batch(machine.threadStep(now: 4).step) == ["a"])
    expect(machine.batchFinished(failures: 0, now: 5).granted == "turn")
    expect(!machine.isFinished)
    expect(machine.endTurn(now: 6).thread == .wake)
    guard case .end = machine.threadStep(now: 7).step else { throw Failure() }
    expect(machine.isFinished)
  }

  @Test func injectedFailuresStandAtTheHeadOfABatch() throws {
    var machine = Machine(limits: .init(gatherInterval: .zero))
    machine.failNext(1, with: Failure())
    machine.failNext(0, with: Failure())
    machine.failNext(1, with: FiefError(.storeFull, "Full."))
    expect(machine.beginDirectly(now: 0)?.injected.first is Failure)
    _ = machine.batchFinished(failures: 0, now: 1)
    expect(machine.statistics.batches == 0)
    for name in ["a", "b"] { _ = machine.enqueue(name, bytes: 0, canCommit: false, now: 2) }
    guard case .run(let batch) = machine.threadStep(now: 3).step else { throw Failure() }
    expect(batch.entries == ["a", "b"])
    expect(batch.injected.map { ($0 as? FiefError)?.code } == [.storeFull])
    _ = machine.batchFinished(failures: 0, now: 4)
    expect(machine.statistics.failures == 2)
    expect(machine.statistics.items == 3)
    expect(machine.statistics.batches == 1)
  }

  @Test func withoutAThreadTheItemsAreHandedBackAndTurnsRun() throws {
    var machine = Machine(limits: .init(maximumPending: 1))
    _ = machine.enqueue("a", bytes: 0, canCommit: false, now: 0)
    _ = machine.enqueue("b", bytes: 0, canCommit: false, now: 0)
    _ = machine.enqueueTurn("turn", now: 0)
    _ = machine.enqueue("c", bytes: 0, canCommit: false, now: 0)
    let (entries, actions) = machine.threadFailed(now: 1)
    expect(entries == ["a", "b"])
    expect(actions.granted == "turn")
    expect(machine.endTurn(now: 2).thread == .start)
    expect(try batch(machine.threadStep(now: 3).step) == ["c"])
  }

  @Test func countsTimesAndSizes() throws {
    var machine = Machine(limits: .init(gatherInterval: .zero))
    _ = machine.enqueue("a", bytes: 0, canCommit: false, now: 100)
    _ = machine.enqueue("b", bytes: 0, canCommit: false, now: 200)
    _ = machine.enqueue("c", bytes: 0, canCommit: false, now: 300)
    _ = machine.threadStep(now: 1000)
    _ = machine.batchFinished(failures: 1, now: 1500)
    expect(machine.beginDirectly(now: 2000) != nil)
    _ = machine.enqueueTurn("turn", now: 2010)
    _ = machine.batchFinished(failures: 0, now: 2100)
    _ = machine.endTurn(now: 2200)
    let statistics = machine.statistics
    let waited: Int = 900 + 800 + 700 + 90
    let executed: Int = 500 + 100 + 100
    let total: Int = 2400 + 3 * 500 + 100 + 90 + 100
    expect(statistics.waitingTime == .nanoseconds(waited))
    expect(statistics.executingTime == .nanoseconds(executed))
    expect(statistics.totalTime == .nanoseconds(total))
    expect(statistics.batchSizes == [1, 1])
    expect(statistics.batches == 2)
    expect(statistics.largestBatch == 3)
    expect(statistics.maximumPending == 3)
    expect(statistics.turns == 1)
    expect(statistics.failures == 1)
  }

  // MARK: Gathering

  @Test func theFirstCallerBackGathersTheOthers() throws {
    var machine = try machine(afterBatchOf: 3)
    expect(machine.beginDirectly(now: 2010) == nil)
    let (admission, _) = machine.enqueue("a", bytes: 0, canCommit: true, now: 2010)
    guard case .gather(let ticket, until: 2110) = admission else { throw Failure() }
    guard case .gather(until: 2110) = machine.gathered(by: ticket, now: 2050).step else { throw Failure() }
    expect(machine.enqueue("b", bytes: 0, canCommit: true, now: 2060).actions.nudged == nil)
    expect(machine.enqueue("c", bytes: 0, canCommit: false, now: 2070).actions.nudged == "a")
    expect(machine.enqueue("d", bytes: 0, canCommit: false, now: 2075).actions.nudged == nil)
    expect(try batch(machine.gathered(by: ticket, now: 2080).step) == ["a", "b", "c", "d"])
  }

  @Test func theThreadGathersForTasksAndGivesUpWhenNobodyComes() throws {
    var machine = try machine(afterBatchOf: 5)
    expect(machine.enqueue("a", bytes: 0, canCommit: false, now: 2010).actions.thread == .wake)
    guard case .gather(until: 2120) = machine.threadStep(now: 2020).step else { throw Failure() }
    expect(machine.enqueue("b", bytes: 0, canCommit: true, now: 2030).actions.thread == .none)
    guard case .gather(until: 2120) = machine.threadStep(now: 2119).step else { throw Failure() }
    // One work came during the interval, so there is another interval; then none came.
    guard case .gather(until: 2225) = machine.threadStep(now: 2125).step else { throw Failure() }
    expect(try batch(machine.threadStep(now: 2225).step) == ["a", "b"])
  }

  @Test func gatheringEndsThoughTheyKeepComingAfterTheTimeOfABatch() throws {
    var machine = try machine(afterBatchOf: 100)
    let (admission, _) = machine.enqueue("a", bytes: 0, canCommit: true, now: 2000)
    guard case .gather(let ticket, var deadline) = admission else { throw Failure() }
    var rounds = 0
    repeat {
      rounds += 1
      _ = machine.enqueue("b", bytes: 0, canCommit: true, now: deadline - 1)
      guard case .gather(let next) = machine.gathered(by: ticket, now: deadline).step else { break }
      deadline = next
    } while rounds < 100
    expect(machine.phase == .running)
    // The batch before took 1000: no work waits beyond 3000.
    expect(deadline == 3000)
    expect(rounds == 10)
  }

  @Test func aTurnAndCloseAndAFullQueueEndGathering() throws {
    var machine = try machine(afterBatchOf: 3)
    _ = machine.enqueue("a", bytes: 0, canCommit: false, now: 2010)
    _ = machine.threadStep(now: 2020)
    expect(machine.enqueueTurn("turn", now: 2030).actions.thread == .wake)
    expect(try batch(machine.threadStep(now: 2040).step) == ["a"])

    machine = try self.machine(afterBatchOf: 3)
    _ = machine.enqueue("a", bytes: 0, canCommit: true, now: 2010)
    expect(machine.close(now: 2020).nudged == "a")

    let limits = WriteQueueLimits(
      maximumPending: 8,
      maximumPendingBytes: 10,
      gatherInterval: .nanoseconds(100)
    )
    machine = try self.machine(afterBatchOf: 8, limits: limits)
    _ = machine.enqueue("a", bytes: 6, canCommit: true, now: 2010)
    expect(machine.enqueue("b", bytes: 6, canCommit: false, now: 2020).actions.nudged == "a")
  }

  @Test func pausingTakesTheBatchFromTheCallerThatGathers() throws {
    var machine = try machine(afterBatchOf: 3)
    let (admission, _) = machine.enqueue("a", bytes: 0, canCommit: true, now: 2010)
    guard case .gather(let ticket, _) = admission else { throw Failure() }
    machine.pause()
    expect(machine.isQuiet)
    guard case .wait = machine.gathered(by: ticket, now: 2200).step else { throw Failure() }
    expect(machine.resume(now: 2300).thread == .wake)
    expect(try batch(machine.threadStep(now: 2500).step) == ["a"])
  }

  @Test func nothingGathersLongAfterOrForOneCallerOrForCheapCommits() throws {
    var machine = try machine(afterBatchOf: 3)
    expect(machine.beginDirectly(now: 2401) != nil)

    machine = try self.machine(afterBatchOf: 1)
    expect(machine.beginDirectly(now: 2010) != nil)

    machine = try self.machine(afterBatchOf: 3, limits: .init(gatherInterval: .nanoseconds(1001)))
    expect(machine.beginDirectly(now: 2010) != nil)

    machine = try self.machine(afterBatchOf: 3, limits: .init(gatherInterval: .zero))
    expect(machine.beginDirectly(now: 2010) != nil)
  }

  /// Two crowds that wait for each other's commits become one.
  @Test func thosePendingAtTheEndOfABatchAreExpectedWithThoseAnswered() throws {
    var machine = Machine(limits: .init(gatherInterval: .nanoseconds(100)))
    expect(machine.beginDirectly(now: 1000) != nil)
    _ = machine.enqueue("b", bytes: 0, canCommit: true, now: 1500)
    expect(machine.batchFinished(failures: 0, now: 2000).thread == .start)
    guard case .gather(until: 2110) = machine.threadStep(now: 2010).step else { throw Failure() }
    expect(machine.enqueue("a", bytes: 0, canCommit: true, now: 2020).actions.thread == .wake)
    expect(try batch(machine.threadStep(now: 2030).step) == ["b", "a"])
  }

  @Test func limitsOutOfRangeAreCorrected() {
    let machine = Machine(
      limits: .init(
        maximumPending: 0,
        maximumPendingBytes: -1,
        maximumBatch: -4,
        gatherInterval: .seconds(Int64.max)
      )
    )
    expect(machine.limits.maximumPending == 1)
    expect(machine.limits.maximumPendingBytes == 0)
    expect(machine.limits.maximumBatch == 1)
    expect(machine.gatherInterval == 1_000_000_000)
  }
}
