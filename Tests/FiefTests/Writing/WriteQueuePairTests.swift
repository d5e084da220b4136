import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Every pair of operations, again and again at the same time: whatever the interleaving, all return.
@Suite(.timeLimit(.minutes(20))) struct WriteQueuePairTests {
  enum Operation: CaseIterable, Sendable {
    case perform, performAsync, cancelled, turn, nested, pause, failNext, close, waitUntilIdle, waitAsync
  }

  static let pairs = Operation.allCases.flatMap { first in Operation.allCases.map { (first, $0) } }

  /// Whatever the order, a call ends with its result or with one of these.
  private static let expected: [FiefError.Code] = [.storeClosed, .cancelled, .storeFull]

  @Test(arguments: pairs) func neverWaitForEachOther(first: Operation, second: Operation) async throws {
    // A gather interval of a nanosecond lets gathering happen in these short batches, too.
    let gathering = WriteQueueLimits(maximumPending: 2, maximumBatch: 2, gatherInterval: .nanoseconds(1))
    for (round, limits) in [gathering, .init(maximumPending: 1), .init()].enumerated() {
      for _ in 0..<TestEffort.count(2, more: 12) {
        let log = ExecutionLog()
        let queue = IntQueue.doubling(log, limits: limits)
        if round == 1 { _ = try await queue.perform(0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
          // Twice each: three parties meet, and an operation meets itself.
          for operation in [first, second, first, second] {
            group.addTask { try await Self.run(operation, on: queue, log) }
          }
          try await group.waitForAll()
        }
        queue.close()
        #expect(log.overlaps == 0)
        let statistics = queue.statistics
        #expect(statistics.pending + statistics.waitingForRoom == 0)
        #expect(log.executed.count == statistics.items - statistics.failures + statistics.turns)
      }
    }
  }

  @Test func aQueueDroppedWithWorkUnderWayAnswersIt() async throws {
    for _ in 0..<200 {
      let log = ExecutionLog()
      let tasks = {
        let queue = IntQueue.doubling(log)
        return (0..<4).map { index in Task { try await queue.perform(index) } }
      }()
      for (index, task) in tasks.enumerated() { #expect(try await task.value == 2 * index) }
      #expect(log.overlaps == 0)
      #expect(log.executed.count == 4)
    }
  }

  private static func run(_ operation: Operation, on queue: IntQueue, _ log: ExecutionLog) async throws {
    switch operation {
    case .perform:
      try await onThread { for index in 0..<4 { try accept { _ = try queue.perform(index) } } }
    case .performAsync:
      for index in 0..<4 {
        let task = Task { try await queue.perform(index) }
        try accept(await failure(of: task))
      }
    case .cancelled:
      for index in 0..<4 {
        let task = Task { try await queue.perform(index) }
        await Task.yield()
        task.cancel()
        try accept(await failure(of: task))
      }
    case .turn:
      try await onThread { for _ in 0..<4 { try accept { try queue.withTurn { log.run([-1]) {} } } } }
    case .nested:
      try await onThread {
        try accept {
          try queue.withTurn {
            log.run([-1]) {
              #expect(code(failure { try queue.perform(1) }) == .nestedWrite)
              queue.pause()
              queue.waitUntilIdle()
              queue.resume()
            }
          }
        }
      }
    case .pause:
      try await onThread {
        for _ in 0..<4 {
          queue.pause()
          queue.waitUntilIdle()
          queue.resume()
        }
      }
    case .failNext: queue.failNext(1, with: FiefError(.storeFull, "Full."))
    case .close: try await onThread { queue.close() }
    case .waitUntilIdle: try await onThread { queue.waitUntilIdle() }
    case .waitAsync: await queue.waitUntilIdle()
    }
  }

  private static func accept(_ body: () throws -> Void) throws {
    try accept(failure(body))
  }

  private static func accept(_ error: (any Error)?) throws {
    guard let error else { return }
    guard let code = code(error), expected.contains(code) else { throw error }
  }
}
