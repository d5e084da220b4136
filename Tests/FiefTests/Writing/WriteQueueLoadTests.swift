import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

@Suite(.serialized, .timeLimit(.minutes(20))) struct WriteQueueLoadTests {
  private struct Refused: Error, Equatable { let work: Int }

  /// Works are numbered by producer and then by call.
  private static let stride = 1_000_000

  private static func isRefused(_ work: Int) -> Bool {
    (UInt64(work) &* 0x9E37_79B9_7F4A_7C15) >> 60 == 0
  }

  private static func queue(_ log: ExecutionLog, limits: WriteQueueLimits = .init()) -> IntQueue {
    WriteQueue(name: "load", limits: limits) { works in
      log.run(works) {
        works.map { isRefused($0) ? .failure(Refused(work: $0)) : .success($0 + 1) }
      }
    }
  }

  /// The outcomes of the calls of one producer.
  private struct Tally {
    var answered = 0, refused = 0, cancelled = 0, closed = 0

    mutating func note(_ result: Result<Int, any Error>, of work: Int) throws {
      switch result {
      case .success(let receipt):
        #expect(receipt == work + 1)
        #expect(!isRefused(work))
        answered += 1
      case .failure(let error as Refused):
        #expect(error.work == work && isRefused(work))
        refused += 1
      case .failure(let error):
        switch code(error) {
        case .cancelled: cancelled += 1
        case .storeClosed: closed += 1
        default: throw error
        }
      }
    }

    static func += (left: inout Tally, right: Tally) {
      left.answered += right.answered
      left.refused += right.refused
      left.cancelled += right.cancelled
      left.closed += right.closed
    }
  }

  private static func produce(_ count: Int, by producer: Int, to queue: IntQueue) async throws -> Tally {
    var tally = Tally()
    for index in 0..<count {
      let work = producer * stride + index
      do {
        try tally.note(.success(try await queue.perform(work, bytes: index % 100)), of: work)
      } catch {
        try tally.note(.failure(error), of: work)
      }
    }
    return tally
  }

  private static func produceBlocking(_ count: Int, by producer: Int, to queue: IntQueue) throws -> Tally {
    var tally = Tally()
    for index in 0..<count {
      let work = producer * stride + index
      try tally.note(Result { try queue.perform(work, bytes: index % 100) }, of: work)
    }
    return tally
  }

  /// The number of refused works after which a producer ends.
  private static let refusals = 10

  private static func produceUntilClosed(_ producer: Int, to queue: IntQueue) async throws -> Tally {
    var tally = Tally()
    var work = producer * stride
    while tally.closed < refusals {
      do {
        try tally.note(.success(try await queue.perform(work)), of: work)
      } catch {
        try tally.note(.failure(error), of: work)
      }
      work += 1
    }
    return tally
  }

  private static func produceBlockingUntilClosed(_ producer: Int, to queue: IntQueue) throws -> Tally {
    var tally = Tally()
    var work = producer * stride
    while tally.closed < refusals {
      try tally.note(Result { try queue.perform(work) }, of: work)
      work += 1
    }
    return tally
  }

  /// Each work was executed once at most, alone, and after the earlier ones of its producer.
  private static func check(_ log: ExecutionLog, _ tally: Tally, _ statistics: WriteQueueStatistics) {
    #expect(log.overlaps == 0)
    var last: [Int: Int] = [:]
    var disorders = 0
    let works = log.executed.filter { $0 >= 0 }
    for work in works {
      let (producer, index) = work.quotientAndRemainder(dividingBy: stride)
      if index <= last[producer, default: -1] { disorders += 1 }
      last[producer] = index
    }
    #expect(disorders == 0)
    #expect(works.count == tally.answered + tally.refused)
    #expect(statistics.items == tally.answered + tally.refused)
    #expect(statistics.failures == tally.refused)
    #expect(statistics.cancelled <= tally.cancelled)
    #expect(statistics.pending + statistics.waitingForRoom == 0)
    #expect(statistics.batchSizes.reduce(0, +) == statistics.batches)
  }

  @Test func sixtyFourTasksOfAThousandItems() async throws {
    let log = ExecutionLog()
    let queue = Self.queue(log, limits: .init(maximumPending: 40, maximumBatch: 25))
    let items = TestEffort.count(200, more: 1_000)
    let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
      for producer in 0..<64 {
        group.addTask { try await Self.produce(items, by: producer, to: queue) }
      }
      return try await group.reduce(into: Tally(), +=)
    }
    queue.close()
    Self.check(log, tally, queue.statistics)
    #expect(tally.answered + tally.refused == 64 * items)
    #expect(tally.refused > 0)
    #expect(queue.statistics.maximumPending <= 40)
    #expect(queue.statistics.largestBatch <= 25)
    #expect(queue.statistics.largestBatch > 1)
  }

  @Test(arguments: [
    WriteQueueLimits(), WriteQueueLimits(maximumPending: 5, maximumPendingBytes: 150, maximumBatch: 4),
    WriteQueueLimits(gatherInterval: .nanoseconds(200)),
  ])
  func everybodyAtOnce(limits: WriteQueueLimits) async throws {
    let log = ExecutionLog()
    let queue = Self.queue(log, limits: limits)
    let isOver = Lock(false)
    async let pauses: Void = onThread {
      while !isOver.withLock({ $0 }) {
        queue.pause()
        queue.waitUntilIdle()
        queue.resume()
        usleep(500)
      }
    }
    // A quarter of the work in the short form.
    let scale = TestEffort.count(1, more: 4)
    let turns = 100 * scale
    let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
      for producer in 0..<32 { group.addTask { try await Self.produce(75 * scale, by: producer, to: queue) } }
      for producer in 32..<40 {
        group.addTask {
          try await onThread { try Self.produceBlocking(125 * scale, by: producer, to: queue) }
        }
      }
      for _ in 0..<4 {
        group.addTask {
          try await onThread { for _ in 0..<(turns / 4) { try queue.withTurn { log.run([-1]) {} } } }
          return Tally()
        }
      }
      for producer in 40..<48 {
        group.addTask { try await Self.produceAndCancel(50 * scale, by: producer, to: queue) }
      }
      return try await group.reduce(into: Tally(), +=)
    }
    isOver.withLock { $0 = true }
    try await pauses
    queue.close()
    Self.check(log, tally, queue.statistics)
    let sent = (32 * 75 + 8 * 125 + 8 * 50) * scale
    #expect(tally.answered + tally.refused + tally.cancelled == sent)
    #expect(tally.closed == 0)
    #expect(queue.statistics.turns == turns)
    #expect(queue.statistics.maximumPending <= limits.maximumPending)
  }

  /// Each write is a task of its own that is cancelled at some moment of its life.
  private static func produceAndCancel(_ count: Int, by producer: Int, to queue: IntQueue) async throws
    -> Tally
  {
    var tally = Tally()
    for index in 0..<count {
      let work = producer * stride + index
      let task = Task { try await queue.perform(work) }
      for _ in 0..<(index % 4) { await Task.yield() }
      task.cancel()
      try tally.note(await task.result, of: work)
    }
    return tally
  }

  @Test func cancellationOfAWholeCrowd() async throws {
    let log = ExecutionLog()
    let queue = Self.queue(log, limits: .init(maximumPending: 100))
    queue.pause()
    let tasks = (0..<2000).map { producer in
      Task { try await queue.perform(producer * Self.stride) }
    }
    try await until { queue.inLine == 2000 }
    for index in tasks.indices where index % 3 != 0 { tasks[index].cancel() }
    var tally = Tally()
    for index in tasks.indices where index % 3 != 0 {
      try tally.note(await tasks[index].result, of: index * Self.stride)
    }
    #expect(tally.cancelled == 1333)
    #expect(log.executed.isEmpty)
    queue.resume()
    for index in tasks.indices where index % 3 == 0 {
      try tally.note(await tasks[index].result, of: index * Self.stride)
    }
    queue.close()
    Self.check(log, tally, queue.statistics)
    #expect(tally.answered + tally.refused == 667)
    #expect(queue.statistics.cancelled == 1333)
  }

  @Test func closeInTheMiddleAnswersEverybody() async throws {
    for _ in 0..<TestEffort.count(1, more: 5) {
      let log = ExecutionLog()
      let queue = Self.queue(log, limits: .init(maximumPending: 8))
      let drained = Lock(0)
      let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
        // Each producer goes on until the queue refuses its works.
        for producer in 0..<16 { group.addTask { try await Self.produceUntilClosed(producer, to: queue) } }
        for producer in 16..<20 {
          group.addTask { try await onThread { try Self.produceBlockingUntilClosed(producer, to: queue) } }
        }
        group.addTask {
          try await until { log.executed.count > 500 }
          try await onThread { queue.close() }
          drained.withLock { $0 = log.executed.count }
          return Tally()
        }
        return try await group.reduce(into: Tally(), +=)
      }
      Self.check(log, tally, queue.statistics)
      #expect(tally.closed == 20 * Self.refusals)
      #expect(log.executed.count == drained.withLock { $0 })
    }
  }

  @Test func aQueueThatNeverRestsStillServesTurns() async throws {
    let log = ExecutionLog()
    let queue = Self.queue(log, limits: .init(maximumPending: 2, maximumBatch: 1))
    let isOver = Lock(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for producer in 0..<16 {
        group.addTask {
          var index = 0
          while !isOver.withLock({ $0 }) {
            _ = try? await queue.perform(producer * Self.stride + index)
            index += 1
          }
        }
      }
      group.addTask {
        try await onThread { for _ in 0..<100 { try queue.withTurn { log.run([-1]) {} } } }
        isOver.withLock { $0 = true }
      }
      try await group.waitForAll()
    }
    queue.close()
    #expect(log.overlaps == 0)
    #expect(queue.statistics.turns == 100)
  }
}
