import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// Runs a blocking body on a thread of its own, so that no test blocks a thread of the cooperative pool.
func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

/// Waits until the condition holds; the suite's time limit ends a wait that is in vain.
nonisolated(nonsending) func until(_ condition: () -> Bool) async throws {
  while !condition() { try await Task.sleep(for: .microseconds(200)) }
}

func code(_ error: (any Error)?) -> FiefError.Code? { (error as? FiefError)?.code }

/// The error that the body throws, if any.
func failure<T>(_ body: () throws -> T) -> (any Error)? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

/// The error that the task threw, if any.
func failure<T>(of task: Task<T, any Error>) async -> (any Error)? {
  if case .failure(let error) = await task.result { return error }
  return nil
}

/// Holds a batch while it executes: `execute` calls ``pass()``, the test opens.
final class Gate: Sendable {
  private let entered = DispatchSemaphore(value: 0)
  private let opened = DispatchSemaphore(value: 0)

  func pass() {
    entered.signal()
    opened.wait()
  }

  /// Returns when a thread waits at the gate.
  func waitForArrival() async throws {
    try await onThread { self.entered.wait() }
  }

  func open() { opened.signal() }
}

/// The works that a queue executed, and whether two things ever happened at once.
final class ExecutionLog: Sendable {
  struct Contents {
    var executed: [Int] = []
    var batches: [[Int]] = []
    var threads: [UInt] = []
    var running = 0
    var overlaps = 0
  }

  private let contents = Lock(Contents())

  var executed: [Int] { contents.withLock { $0.executed } }
  var batches: [[Int]] { contents.withLock { $0.batches } }
  var threads: [UInt] { contents.withLock { $0.threads } }
  var overlaps: Int { contents.withLock { $0.overlaps } }

  func run<R>(_ works: [Int], _ body: () throws -> R) rethrows -> R {
    contents.withLock {
      $0.running += 1
      if $0.running > 1 { $0.overlaps += 1 }
      $0.executed += works
      $0.batches.append(works)
      $0.threads.append(currentThread())
    }
    defer { contents.withLock { $0.running -= 1 } }
    return try body()
  }
}

typealias IntQueue = WriteQueue<Int, Int>

extension IntQueue {
  /// A queue that answers each work with its double.
  static func doubling(_ log: ExecutionLog, limits: WriteQueueLimits = .init()) -> IntQueue {
    WriteQueue(name: "test", limits: limits) { works in
      log.run(works) { works.map { .success($0 * 2) } }
    }
  }

  var inLine: Int { statistics.pending + statistics.waitingForRoom }

  /// Starts an asynchronous write and returns when it stands in line; the queue must be held up.
  func enqueued(_ work: Int, bytes: Int = 0) async throws -> Task<Int, any Error> {
    let before = inLine
    let task = Task { try await self.perform(work, bytes: bytes) }
    try await until { self.inLine > before }
    return task
  }
}
