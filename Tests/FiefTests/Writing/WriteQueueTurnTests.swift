import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

@Suite(.timeLimit(.minutes(20))) struct WriteQueueTurnTests {
  private struct Failure: Error {}

  @Test func turnsStandInLineWithTheWorksAndRunOnTheirCallersThread() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log)
    queue.pause()
    let first = try await queue.enqueued(1)
    async let turn = onThread {
      let caller = currentThread()
      return try queue.withTurn { log.run([2]) { currentThread() == caller } }
    }
    try await until { queue.inLine == 2 }
    let third = try await queue.enqueued(3)
    queue.resume()
    #expect(try await turn)
    _ = try await (first.value, third.value)
    #expect(log.batches == [[1], [2], [3]])
    #expect(log.overlaps == 0)
    #expect(queue.statistics.turns == 1)
    queue.close()
  }

  @Test func aTurnEndsWhenItsBodyThrows() throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log)
    #expect(throws: Failure.self) { try queue.withTurn { throw Failure() } }
    #expect(try queue.perform(1) == 2)
    #expect(try queue.withTurn { "value" } == "value")
    queue.close()
  }

  @Test func nestedWritesAreRefusedAndDoNoHarm() throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log)
    let other = IntQueue.doubling(log)
    try queue.withTurn {
      #expect(code(failure { try queue.perform(1) }) == .nestedWrite)
      #expect(code(failure { try queue.withTurn {} }) == .nestedWrite)
      #expect(try other.perform(2) == 4)
      try other.withTurn { #expect(code(failure { try queue.perform(3) }) == .nestedWrite) }
    }
    #expect(try queue.perform(4) == 8)
    #expect(log.executed == [2, 4])
    queue.close()
    other.close()
  }

  @Test func writesInsideExecuteAreRefused() async throws {
    let reference = Lock<IntQueue?>(nil)
    let queue = IntQueue(name: "test") { works in
      let queue = reference.withLock { $0 }
      let codes = [failure { try queue?.perform(1) }, failure { try queue?.withTurn {} }]
      return works.map { _ in .success(codes.count { code($0) == .nestedWrite }) }
    }
    reference.withLock { $0 = queue }
    let onQueue = try await queue.perform(0)
    #expect(onQueue == 2)
    #expect(try await onThread { try queue.perform(0) } == 2)
    reference.withLock { $0 = nil }
    queue.close()
  }

  @Test func anotherThreadsWriteInsideATurnWaitsForItsEnd() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log)
    let gate = Gate()
    async let turn: Void = onThread { try queue.withTurn { log.run([1]) { gate.pass() } } }
    try await gate.waitForArrival()
    async let blocked = onThread { try queue.perform(2) }
    async let second: Void = onThread { try queue.withTurn { log.run([3]) {} } }
    let task = Task { try await queue.perform(4) }
    try await until { queue.inLine == 3 }
    #expect(log.executed == [1])
    gate.open()
    _ = try await (turn, blocked, second, task.value)
    #expect(log.executed.sorted() == [1, 2, 3, 4])
    #expect(log.overlaps == 0)
    queue.close()
  }
}
