import Fief
import Testing

@testable import FiefCore

/// The order of handlers, and how the queue gathers what no caller waits for, step by step.
@Suite struct CompletionLineTests {
  @Test func elementsComeInTheOrderOfTheCalls() {
    var line = CompletionLine<String>()
    let tickets = (0..<3).map { _ in line.add() }
    var begins = line.complete(tickets[2], with: "c")
    #expect(!begins)
    begins = line.complete(tickets[0], with: "a")
    #expect(begins && line.isRunning)
    // While elements are taken out, what comes next needs no other run.
    begins = line.complete(tickets[1], with: "b")
    #expect(!begins)
    var taken: [String] = []
    while let next = line.next() { taken.append(next) }
    #expect(taken == ["a", "b", "c"] && line.isEmpty && !line.isRunning)
  }

  @Test func aRunEndsWhereAnOutcomeIsMissingAndAnotherBeginsWithIt() {
    var line = CompletionLine<Int>()
    let (first, second) = (line.add(), line.add())
    var begins = line.complete(first, with: 1)
    #expect(begins)
    var next = line.next()
    #expect(next == 1)
    next = line.next()
    #expect(next == nil && !line.isEmpty && !line.isRunning)
    begins = line.complete(second, with: 2)
    #expect(begins)
    // A second outcome of a call is none.
    begins = line.complete(second, with: 3)
    #expect(!begins)
    begins = line.complete(first, with: 3)
    #expect(!begins)
    next = line.next()
    #expect(next == 2)
  }

  @Test func thousandsOfCallsKeepTheirOrder() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    var line = CompletionLine<Int>()
    var open: [(ticket: UInt64, number: Int)] = []
    var (calls, taken) = (0, 0)
    while taken < 20_000 {
      for _ in 0..<Int.random(in: 0..<200, using: &generator) {
        open.append((line.add(), calls))
        calls += 1
      }
      open.shuffle(using: &generator)
      for _ in 0..<min(open.count, Int.random(in: 0..<200, using: &generator)) {
        let (ticket, number) = open.removeLast()
        guard line.complete(ticket, with: number) else { continue }
        while let next = line.next() {
          #expect(next == taken, "seed \(seed)")
          if next != taken { return }
          taken += 1
        }
      }
    }
  }
}

@Suite struct WriteQueueLeftTests {
  typealias Machine = WriteQueueMachine<String>

  private func run(_ step: Machine.Step) -> [String]? {
    if case .run(let batch) = step { batch.entries } else { nil }
  }

  private func deadline(_ step: Machine.Step) -> Int? {
    if case .gather(let deadline) = step { deadline } else { nil }
  }

  @Test func whatNoCallerWaitsForGathersAsLongAsMoreComes() {
    var machine = Machine(limits: .init())
    var actions = machine.leave("a", bytes: 1, now: 0).actions
    #expect(actions.thread == .start)
    var step = machine.threadStep(now: 0).step
    #expect(deadline(step) == WriteQueueLimits.leftInterval)
    actions = machine.leave("b", bytes: 1, now: 1).actions
    #expect(actions.thread == .none)
    step = machine.threadStep(now: WriteQueueLimits.leftInterval).step
    #expect(deadline(step) == 2 * WriteQueueLimits.leftInterval)
    // Nothing came.
    step = machine.threadStep(now: 2 * WriteQueueLimits.leftInterval).step
    #expect(run(step) == ["a", "b"])
  }

  @Test func gatheringEnds() {
    var machine = Machine(limits: .init())
    _ = machine.leave("0", bytes: 1, now: 0)
    var (now, number) = (0, 1)
    while run(machine.threadStep(now: now).step) == nil, number < 1000 {
      now += WriteQueueLimits.leftInterval
      _ = machine.leave("\(number)", bytes: 1, now: now)
      number += 1
    }
    #expect(now <= WriteQueueLimits.leftPatience)
  }

  @Test(arguments: ["caller", "task", "turn", "close"])
  func whatACallerWaitsForEndsTheGathering(_ other: String) {
    var machine = Machine(limits: .init())
    _ = machine.leave("a", bytes: 1, now: 0)
    _ = machine.threadStep(now: 0)
    let actions =
      switch other {
      case "caller": machine.enqueue("b", bytes: 1, canCommit: true, now: 1).actions
      case "task": machine.enqueue("b", bytes: 1, canCommit: false, now: 1).actions
      case "turn": machine.enqueueTurn("b", now: 1).actions
      default: machine.close(now: 1)
      }
    #expect(actions.thread == .wake)
    let batch = run(machine.threadStep(now: 2).step)
    #expect(batch == (other == "caller" || other == "task" ? ["a", "b"] : ["a"]))
  }

  @Test func theBytesInLineAreBounded() {
    let least = WriteQueueLimits.leastLeftBytes
    var machine = Machine(
      limits: .init(maximumPending: 2, maximumLeftBytes: 4 * least, gatherInterval: .zero)
    )
    func isFull(_ bytes: Int) -> Bool {
      if case .full = machine.leave("x", bytes: bytes, now: 0).admission { true } else { false }
    }
    for _ in 0..<4 { #expect(!isFull(1)) }
    #expect(isFull(1))
    // Others have limits of their own.
    _ = machine.enqueue("task", bytes: 1, canCommit: false, now: 0)
    #expect(machine.statistics.pending == 2 && machine.statistics.waitingForRoom == 3)
    #expect(run(machine.threadStep(now: 1).step)?.count == 2)
    #expect(!isFull(least) && !isFull(least) && isFull(1))
    for step in 2..<20 where !machine.isQuiet {
      _ = machine.batchFinished(failures: 0, now: step * WriteQueueLimits.leftPatience)
      _ = machine.threadStep(now: step * WriteQueueLimits.leftPatience)
    }
    // One that is larger than the limit is let in alone.
    #expect(machine.leftBytes == 0 && !isFull(100 * least) && isFull(1))
  }
}
