import Fief
import TestEffort
import Testing

@testable import FiefCore

@Suite struct WriteQueueModelTests {
  /// Each entry, in every order of events, is answered once, in line, alone, and the queue ends.
  @Test(arguments: [
    WriteQueueLimits(maximumPending: 4, maximumPendingBytes: 100, maximumBatch: 3, gatherInterval: .zero),
    WriteQueueLimits(
      maximumPending: 8,
      maximumPendingBytes: 200,
      maximumBatch: 100,
      gatherInterval: .nanoseconds(60)
    ),
    WriteQueueLimits(
      maximumPending: 1,
      maximumPendingBytes: 0,
      maximumBatch: 1,
      gatherInterval: .nanoseconds(30)
    ),
    WriteQueueLimits(maximumLeftBytes: 2_000, gatherInterval: .nanoseconds(100)),
  ])
  func randomSequences(limits: WriteQueueLimits) {
    var batches = 0
    var gatherings = 0
    let runs = TestEffort.count(50, more: 150)
    for _ in 0..<runs {
      let seed = UInt64.random(in: 0 ... .max)
      var model = WriteQueueModel(limits: limits, seed: seed)
      for _ in 0..<400 {
        model.step()
        if case .gathering = model.machine.phase { gatherings += 1 }
      }
      finish(&model)
      #expect(model.problem == nil, "seed \(seed)")
      batches += model.machine.statistics.batches
      if model.problem != nil { return }
    }
    #expect(batches > runs)
    if limits.maximumPending > 1, limits.gatherInterval > .zero { #expect(gatherings > 0) }
  }

  /// Lets the queue run until it is idle: everything that was accepted is answered then, without help.
  private func finish(_ model: inout WriteQueueModel) {
    model.isPaused = false
    model.carryOut(model.machine.resume(now: model.now))
    drain(&model)
    if !model.line.isEmpty { model.fail("the line does not move") }
    if !model.machine.isQuiet { model.fail("not quiet when idle") }
    model.close()
    drain(&model)
    if !model.machine.isFinished { model.fail("not finished after close") }
    if model.hasThread { model.fail("the thread outlives the queue") }
    if let id = model.answers.firstIndex(where: { $0 != 1 }) {
      model.fail("\(id) is answered \(model.answers[id]) times")
    }
    let statistics = model.machine.statistics
    let turns = model.kinds.count { $0 == .turn }
    if statistics.cancelled != model.cancelled { model.fail("cancelled: \(statistics.cancelled)") }
    if statistics.items != model.executed + model.failed { model.fail("items: \(statistics.items)") }
    if statistics.failures != model.injected + model.failed { model.fail("failures: \(statistics.failures)") }
    if statistics.items + statistics.turns + statistics.cancelled + model.rejected != model.kinds.count {
      model.fail("of \(model.kinds.count), \(turns) turns: \(statistics), rejected: \(model.rejected)")
    }
    let inBatches = statistics.items - statistics.failures
    let least = statistics.batchSizes.enumerated().reduce(0) { $0 + $1.element << $1.offset }
    if statistics.batchSizes.reduce(0, +) != statistics.batches || least > inBatches {
      model.fail("sizes: \(statistics.batchSizes), \(inBatches) executed")
    }
  }

  private func drain(_ model: inout WriteQueueModel) {
    var rounds = 0
    while model.problem == nil, model.moveSomebody() {
      model.check()
      rounds += 1
      if rounds > 100_000 { return model.fail("it never comes to rest") }
    }
  }
}
