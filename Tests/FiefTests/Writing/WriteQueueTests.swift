import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

@Suite(.timeLimit(.minutes(20))) struct WriteQueueTests {
  private struct Failure: Error {}

  @Test func anIdleQueueRunsTheBatchOnTheCallersThreadAndMakesNoThread() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log)
    let caller = try await onThread {
      for index in 0..<100 { #expect(try queue.perform(index) == 2 * index) }
      try queue.withTurn { #expect(log.executed.count == 100) }
      return currentThread()
    }
    #expect(log.threads.allSatisfy { $0 == caller })
    #expect(log.executed == Array(0..<100))
    #expect(queue.hasThread == false)
    queue.close()
  }

  @Test func asynchronousWorkRunsOnTheThreadOfTheQueue() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log)
    for index in 0..<100 {
      let receipt = try await queue.perform(index)
      #expect(receipt == 2 * index)
    }
    // On a busy machine a second may pass without work, and another thread then takes the place of the one that has ended.
    #expect(Set(log.threads).count < 50)
    #expect(log.executed == Array(0..<100))
    #expect(queue.hasThread)
    queue.close()
    #expect(!queue.hasThread)
  }

  @Test func everythingThatWaitsSharesOneBatch() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log)
    queue.pause()
    var tasks: [Task<Int, any Error>] = []
    for index in 0..<50 { tasks.append(try await queue.enqueued(index)) }
    async let blocked = onThread { try queue.perform(50) }
    try await until { queue.inLine == 51 }
    #expect(log.executed.isEmpty)
    queue.resume()
    for (index, task) in tasks.enumerated() { #expect(try await task.value == 2 * index) }
    #expect(try await blocked == 100)
    #expect(log.batches == [Array(0...50)])
    let statistics = queue.statistics
    #expect(statistics.batches == 1)
    #expect(statistics.items == 51)
    #expect(statistics.largestBatch == 51)
    #expect(statistics.maximumPending == 51)
    #expect(statistics.batchSizes == [0, 0, 0, 0, 0, 1])
    #expect(statistics.pending == 0)
    #expect(statistics.waitingTime > .zero)
    #expect(statistics.totalTime >= statistics.waitingTime)
    queue.close()
  }

  @Test func producersWaitInOrderWhileTheQueueIsFull() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log, limits: .init(maximumPending: 4, maximumBatch: 3))
    queue.pause()
    var tasks: [Task<Int, any Error>] = []
    for index in 0..<10 { tasks.append(try await queue.enqueued(index)) }
    async let blocked = onThread { try queue.perform(10) }
    try await until { queue.inLine == 11 }
    #expect(queue.statistics.pending == 4)
    #expect(queue.statistics.waitingForRoom == 7)
    queue.resume()
    for task in tasks { _ = try await task.value }
    #expect(try await blocked == 20)
    #expect(log.executed == Array(0...10))
    #expect(queue.statistics.maximumPending == 4)
    #expect(queue.statistics.largestBatch == 3)
    queue.close()
  }

  @Test func aLargeItemIsABatchOfItsOwn() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log, limits: .init(maximumPendingBytes: 100))
    queue.pause()
    var tasks: [Task<Int, any Error>] = []
    for (index, bytes) in [40, 40, 500, 10].enumerated() {
      tasks.append(try await queue.enqueued(index, bytes: bytes))
    }
    #expect(queue.statistics.pending == 2)
    queue.resume()
    for task in tasks { _ = try await task.value }
    #expect(log.batches == [[0, 1], [2], [3]])
    queue.close()
  }

  // MARK: Failures

  @Test func oneFailureFailsOnlyItself() async throws {
    let queue = IntQueue(name: "test") { works in
      works.map { $0 == 3 ? .failure(Failure()) : .success($0) }
    }
    queue.pause()
    var tasks: [Task<Int, any Error>] = []
    for index in 0..<6 { tasks.append(try await queue.enqueued(index)) }
    queue.resume()
    for (index, task) in tasks.enumerated() {
      if index == 3 {
        #expect(await failure(of: task) is Failure)
      } else {
        #expect(try await task.value == index)
      }
    }
    #expect(queue.statistics.failures == 1)
    #expect(try await onThread { failure { try queue.perform(3) } } is Failure)
    #expect(queue.statistics.failures == 2)
    queue.close()
  }

  @Test(arguments: [0, 2, 5]) func aBatchWithTheWrongNumberOfResultsFailsTheRest(count: Int) async throws {
    let queue = IntQueue(name: "test") { _ in Array(repeating: .success(1), count: count) }
    queue.pause()
    var tasks: [Task<Int, any Error>] = []
    for index in 0..<4 { tasks.append(try await queue.enqueued(index)) }
    queue.resume()
    for (index, task) in tasks.enumerated() {
      let expected: FiefError.Code? = index < count ? nil : .storage
      #expect(code(await failure(of: task)) == expected)
    }
    #expect(queue.statistics.failures == max(0, 4 - count))
    let direct = try await onThread { failure { try queue.perform(0) } }
    #expect(code(direct) == (count == 0 ? .storage : nil))
    queue.close()
  }

  @Test func failNextFailsTheNextWorksWithoutExecutingThem() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log)
    queue.failNext(2, with: Failure())
    #expect(try await onThread { failure { try queue.perform(1) } } is Failure)
    let second = Task { try await queue.perform(2) }
    #expect(await failure(of: second) is Failure)
    let third = try await queue.perform(3)
    #expect(third == 6)
    #expect(log.executed == [3])
    #expect(queue.statistics.failures == 2)
    queue.close()
  }

  // MARK: Cancellation

  @Test func cancellationRemovesWhatHasNotStarted() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log, limits: .init(maximumPending: 2))
    queue.pause()
    var tasks: [Task<Int, any Error>] = []
    for index in 0..<5 { tasks.append(try await queue.enqueued(index)) }
    // One that is pending, and one that waits for admission.
    for index in [1, 3] {
      tasks[index].cancel()
      #expect(code(await failure(of: tasks[index])) == .cancelled)
    }
    #expect(queue.inLine == 3)
    queue.resume()
    for index in [0, 2, 4] { #expect(try await tasks[index].value == 2 * index) }
    #expect(log.executed == [0, 2, 4])
    #expect(queue.statistics.cancelled == 2)
    queue.close()
  }

  @Test func aCancelledTaskWritesNothing() async throws {
    let log = ExecutionLog()
    let queue = IntQueue.doubling(log)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await queue.perform(1)
    }
    #expect(code(await failure(of: task)) == .cancelled)
    #expect(log.executed.isEmpty)
    queue.close()
  }

  @Test func whatHasStartedCompletesInSpiteOfCancellation() async throws {
    let gate = Gate()
    let queue = IntQueue(name: "test") { works in
      gate.pass()
      return works.map { .success($0) }
    }
    let task = Task { try await queue.perform(7) }
    try await gate.waitForArrival()
    task.cancel()
    gate.open()
    #expect(try await task.value == 7)
    #expect(queue.statistics.cancelled == 0)
    queue.close()
  }
}
