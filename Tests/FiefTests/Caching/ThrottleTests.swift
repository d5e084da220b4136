import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore
@testable import FiefOperations

/// Calls of which at most some begin in each window.
@Suite(.timeLimit(.minutes(30))) struct ThrottleTests {
  /// The times at which calls began, and their numbers.
  private final class Log: Sendable {
    let state = Lock<[(call: Int, time: Double)]>([])

    var count: Int { state.withLock(\.count) }
    var calls: [Int] { state.withLock { $0.map(\.call) } }
    var times: [Double] { state.withLock { $0.map(\.time) } }

    func note(_ call: Int, _ clock: ManualClock) {
      let time = clock.now.timeIntervalSinceReferenceDate
      state.withLock { $0.append((call, time)) }
    }
  }

  private func refusal(of throttle: Throttle) -> FiefError? {
    do { try throttle.tryRun {} } catch { return error as? FiefError }
    return nil
  }

  @Test func twentyFiveCallsOfTenInASecondTakeTwo() async throws {
    let clock = ManualClock()
    let throttle = Throttle(maximum: 10, per: .seconds(1), clock: clock.intervals)
    let log = Log()
    var tasks: [Task<Void, any Error>] = []
    for call in 0..<25 {
      tasks.append(Task { try await throttle.run { log.note(call, clock) } })
      // Each has come before the next one.
      await waitUntil { log.count + throttle.waiting > call }
    }
    #expect(log.count == 10 && throttle.waiting == 15)
    while log.count < 25 {
      // The throttle waits on the clock before that moves.
      await waitUntil { clock.sleeping == 1 }
      clock.advance(by: 0.1)
      let due = min(25, 10 + 10 * Int((clock.now.timeIntervalSinceReferenceDate + 0.001).rounded(.down)))
      await waitUntil { log.count >= due }
    }
    for task in tasks { try await task.value }
    // Calls whose turn comes at the same time begin on several threads.
    #expect(Set(log.calls.prefix(10)) == Set(0..<10) && Set(log.calls.suffix(5)) == Set(20..<25))
    #expect(log.calls.sorted() == Array(0..<25))
    let last = try #require(log.times.last)
    #expect((2.0...2.2).contains(last))
  }

  @Test func aCallThatDoesNotWaitSaysWhenThereIsRoom() async throws {
    let clock = ManualClock()
    let throttle = Throttle(maximum: 2, per: .seconds(10), clock: clock.intervals)
    #expect(try throttle.tryRun { 1 } == 1)
    clock.advance(by: 3)
    // A call that fails counts.
    #expect(throws: Offline.self) { try throttle.tryRun { throw Offline() } }
    let error = #expect(throws: FiefError.self) { try throttle.tryRun {} }
    #expect(error?.code == .throttled && error?.retryAfter == .seconds(7))
    clock.advance(by: 6.75)
    let later = await #expect(throws: FiefError.self) { try await throttle.tryRun { await Task.yield() } }
    #expect(later?.retryAfter == .milliseconds(250))
    clock.advance(by: 0.25)
    #expect(try await throttle.tryRun { () async in 2 } == 2)
    // Those that wait come first.
    let waiting = Task { try await throttle.run {} }
    await waitUntil { throttle.waiting == 1 }
    #expect(refusal(of: throttle)?.retryAfter == .seconds(10))
    clock.advance(by: 3)
    try await waiting.value
    #expect(refusal(of: throttle)?.retryAfter == .seconds(7))
  }

  @Test func cancelledCallsTakeNoRoom() async throws {
    let clock = ManualClock()
    let throttle = Throttle(maximum: 1, per: .seconds(1), clock: clock.intervals)
    let log = Log()
    try await throttle.run { log.note(0, clock) }
    var tasks: [Task<Void, any Error>] = []
    for call in 1...3 {
      tasks.append(Task { try await throttle.run { log.note(call, clock) } })
      await waitUntil { throttle.waiting == call }
    }
    tasks[0].cancel()
    let error = await #expect(throws: FiefError.self) { try await tasks[0].value }
    #expect(error?.code == .cancelled && throttle.waiting == 2)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await throttle.run { log.note(9, clock) }
    }
    await #expect(throws: FiefError.self) { try await late.value }
    for count in 2...3 {
      await waitUntil { clock.sleeping == 1 }
      clock.advance(by: 1)
      await waitUntil { log.count == count }
    }
    #expect(log.calls == [0, 2, 3] && log.times == [0, 1, 2])
  }

  /// An actor whose executor can be kept from running.
  private actor Busy {
    nonisolated let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func run(_ throttle: Throttle, _ body: @Sendable () -> Void) async throws {
      try await throttle.run { body() }
    }
  }

  private final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "busy")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  @Test func callsCountWhenTheirClosuresBegin() async throws {
    let clock = ManualClock()
    let throttle = Throttle(maximum: 2, per: .seconds(1), clock: clock.intervals)
    let log = Log()
    let busy = Busy()
    for call in 0..<2 { try throttle.tryRun { log.note(call, clock) } }
    var tasks: [Task<Void, any Error>] = []
    for call in 2..<6 {
      tasks.append(
        Task {
          if call < 4 {
            try await busy.run(throttle) { log.note(call, clock) }
          } else {
            try await throttle.run { log.note(call, clock) }
          }
        }
      )
      await waitUntil { throttle.waiting == call - 1 }
    }
    // The turn of two calls comes while their actor is busy, and their closures begin much later.
    busy.executor.queue.suspend()
    await waitUntil { clock.sleeping == 1 }
    clock.advance(by: 1)
    await waitUntil { throttle.waiting == 2 }
    #expect(refusal(of: throttle)?.retryAfter == .seconds(2))
    clock.advance(by: 1.5)
    busy.executor.queue.resume()
    await waitUntil { log.count >= 4 }
    await waitUntil { clock.sleeping == 1 || log.count == 6 }
    clock.advance(by: 0.5)
    #expect(log.count == 4 && refusal(of: throttle) != nil)
    clock.advance(by: 0.5)
    for task in tasks { try await task.value }
    #expect(log.times == [0, 0, 2.5, 2.5, 3.5, 3.5])
    #expect(throttle.waiting == 0)
  }

  @Test func aCallThatIsCancelledWhileItsActorIsBusyTakesNoRoom() async throws {
    let clock = ManualClock()
    let throttle = Throttle(maximum: 1, per: .seconds(1), clock: clock.intervals)
    let log = Log()
    let busy = Busy()
    try throttle.tryRun { log.note(0, clock) }
    let late = Task { try await busy.run(throttle) { log.note(1, clock) } }
    await waitUntil { throttle.waiting == 1 }
    let next = Task { try await throttle.run { log.note(2, clock) } }
    await waitUntil { throttle.waiting == 2 }
    busy.executor.queue.suspend()
    await waitUntil { clock.sleeping == 1 }
    clock.advance(by: 1)
    await waitUntil { throttle.waiting == 1 }
    late.cancel()
    busy.executor.queue.resume()
    let error = await #expect(throws: FiefError.self) { try await late.value }
    #expect(error?.code == .cancelled)
    await waitUntil { log.count == 2 }
    clock.advance(by: 1)
    try await next.value
    #expect(log.calls == [0, 2] && log.times == [0, 1])
  }

  @Test func aThrottleThatLetsNothingBeginIsAnError() async throws {
    for throttle in [Throttle(maximum: 0, per: .seconds(1)), Throttle(maximum: 3, per: .zero)] {
      #expect(refusal(of: throttle)?.code == .invalidValue)
      await #expect(throws: FiefError.self) { try await throttle.run {} }
    }
    // Limits that cannot be reached do not overflow.
    let wide = Throttle(maximum: .max, per: .seconds(Int64.max))
    for _ in 0..<100 { try await wide.run {} }
    let long = Throttle(maximum: 1, per: .seconds(Int64.max))
    try await long.run {}
    #expect(refusal(of: long)?.code == .throttled)
  }

  @Test func theSystemsClockWorksToo() async throws {
    let throttle = Throttle(maximum: 5, per: .milliseconds(20))
    let calls = Counted()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<23 { group.addTask { try await throttle.run { _ = calls.add() } } }
      try await group.waitForAll()
    }
    #expect(calls.count == 23 && throttle.waiting == 0)
  }
}
