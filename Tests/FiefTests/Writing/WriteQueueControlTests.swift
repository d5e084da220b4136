import Fief
import Foundation
import Testing

@testable import FiefCore

@Suite(.timeLimit(.minutes(20))) struct WriteQueueControlTests {
  @Test func aClosedQueueAcceptsNothing() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log)
    _ = try await queue.perform(1)
    queue.close()
    queue.close()
    #expect(code(await failure(of: Task { try await queue.perform(2) })) == .storeClosed)
    #expect(code(try await onThread { failure { try queue.perform(3) } }) == .storeClosed)
    #expect(code(try await onThread { failure { try queue.withTurn {} } }) == .storeClosed)
    queue.pause()
    queue.resume()
    await queue.waitUntilIdle()
    #expect(log.executed == [1])
  }

  @Test func closeDrainsAPausedQueueAndAllWhoCloseWait() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log, limits: .init(maximumPending: 3))
    queue.pause()
    var tasks: [Task<Int, any Error>] = []
    for index in 0..<10 { tasks.append(try await queue.enqueued(index)) }
    async let turn: Void = onThread { try queue.withTurn { log.run([10]) {} } }
    try await until { queue.inLine == 11 }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await onThread {
            queue.close()
            return log.executed.count
          }
        }
      }
      for try await executed in group { #expect(executed == 11) }
    }
    for task in tasks { _ = try await task.value }
    try await turn
    #expect(log.executed == Array(0...10))
  }

  @Test func closeInsideATurnOrABatchDoesNotWait() async throws {
    let log = ExecutionLog()
    let first = IntQueue.doubling(log)
    try await onThread {
      try first.withTurn {
        first.close()
        first.waitUntilIdle()
      }
    }
    first.close()

    for isAsynchronous in [false, true] {
      let reference = Lock<IntQueue?>(nil)
      let queue = IntQueue(name: "test") { works in
        let queue = reference.withLock { $0 }
        queue?.close()
        queue?.waitUntilIdle()
        return works.map { .success($0) }
      }
      reference.withLock { $0 = queue }
      if isAsynchronous {
        let receipt = try await queue.perform(1)
        #expect(receipt == 1)
      } else {
        #expect(try await onThread { try queue.perform(1) } == 1)
      }
      reference.withLock { $0 = nil }
      queue.close()
      #expect(code(try await onThread { failure { try queue.perform(1) } }) == .storeClosed)
      #expect(!queue.hasThread)
    }
  }

  @Test func whatWaitsBehindATurnThatClosesIsDrained() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log)
    let gate = Gate()
    async let turn: Void = onThread {
      try queue.withTurn {
        gate.pass()
        queue.close()
      }
    }
    try await gate.waitForArrival()
    let task = try await queue.enqueued(1)
    async let second: Void = onThread { try queue.withTurn { log.run([2]) {} } }
    try await until { queue.inLine == 2 }
    gate.open()
    try await turn
    #expect(try await task.value == 2)
    try await second
    queue.close()
    #expect(log.executed == [1, 2])
  }

  @Test func pausingLetsWhatRunsComplete() async throws {
    let gate = Gate()
    let queue = IntQueue(name: "test") { works in
      gate.pass()
      return works.map { .success($0) }
    }
    let running = Task { try await queue.perform(1) }
    try await gate.waitForArrival()
    queue.pause()
    let held = try await queue.enqueued(2)
    gate.open()
    #expect(try await running.value == 1)
    // Nothing runs and nothing may start: that is idle, in both forms.
    await queue.waitUntilIdle()
    try await onThread { queue.waitUntilIdle() }
    #expect(queue.inLine == 1)
    queue.pause()
    queue.resume()
    try await gate.waitForArrival()
    gate.open()
    #expect(try await held.value == 2)
    queue.close()
  }

  @Test func waitingUntilIdleWaitsForAllThatIsInLine() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log, limits: .init(maximumPending: 2, maximumBatch: 1))
    await queue.waitUntilIdle()
    let gate = Gate()
    async let turn: Void = onThread { try queue.withTurn { gate.pass() } }
    try await gate.waitForArrival()
    var tasks: [Task<Int, any Error>] = []
    for index in 0..<8 { tasks.append(try await queue.enqueued(index)) }
    let waiter = Task {
      await queue.waitUntilIdle()
      return log.executed.count
    }
    async let blocked = onThread {
      queue.waitUntilIdle()
      return log.executed.count
    }
    try await until { queue.idleWaiterCount == 2 }
    gate.open()
    #expect(await waiter.value == 8)
    #expect(try await blocked == 8)
    try await turn
    for task in tasks { _ = try await task.value }
    queue.close()
  }

  /// The thread holds what `execute` captures, so its release shows that the thread has returned.
  @Test(arguments: [true, false]) func theThreadEndsWithTheQueue(isClosed: Bool) async throws {
    final class Token: Sendable {}
    weak var token: Token?
    do {
      let captured = Token()
      token = captured
      let queue = IntQueue(name: "test") { works in
        withExtendedLifetime(captured) { works.map { .success($0) } }
      }
      _ = try await queue.perform(1)
      if isClosed { queue.close() }
    }
    try await until { token == nil }
    #expect(token == nil)
  }

  @Test func aSystemWithoutThreadsFailsOnlyWhatNeedsOne() async throws {
    let refusals = Lock(2)
    let queue = IntQueue(name: "test") { name, body in
      let isRefused = refusals.withLock { count in
        count -= 1
        return count >= 0
      }
      return isRefused ? false : WriteQueueThread.start(name: name, body: body)
    } execute: { works in
      works.map { .success($0) }
    }
    for _ in 0..<2 {
      #expect(code(await failure(of: Task { try await queue.perform(1) })) == .storage)
      #expect(try await onThread { try queue.perform(2) } == 2)
    }
    let receipt = try await queue.perform(3)
    #expect(receipt == 3)
    #expect(queue.statistics.failures == 2)
    queue.close()

    let refused = IntQueue(name: "test") { _, _ in
      false
    } execute: { works in
      works.map { .success($0) }
    }
    let gate = Gate()
    async let turn: Void = onThread { try refused.withTurn { gate.pass() } }
    try await gate.waitForArrival()
    let waiting = try await refused.enqueued(1)
    async let second = onThread { try refused.withTurn { 2 } }
    try await until { refused.inLine == 2 }
    gate.open()
    try await turn
    #expect(code(await failure(of: waiting)) == .storage)
    #expect(try await second == 2)
    refused.close()
  }
}
