import Fief
import Foundation
import Testing

@testable import FiefCore

/// Queues that are released without being closed.
@Suite(.timeLimit(.minutes(20))) struct WriteQueueReleaseTests {
  /// What a queue's `execute` captures: its end shows that the queue is released, and its thread has ended.
  private final class Token: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  private final class Tally: Sendable {
    private let contents = Lock((ended: 0, answers: [Int](), failures: 0))
    var ended: Int { contents.withLock { $0.ended } }
    var answers: [Int] { contents.withLock { $0.answers } }
    var failures: Int { contents.withLock { $0.failures } }

    func note(_ answer: Result<Int, any Error>) {
      contents.withLock {
        if case .success(let answer) = answer { $0.answers.append(answer) } else { $0.failures += 1 }
      }
    }

    func token() -> Token { Token { self.contents.withLock { $0.ended += 1 } } }

    func queue(makeThread: @escaping WriteQueueThread.Make = WriteQueueThread.start) -> IntQueue {
      let token = token()
      return IntQueue(name: "test", makeThread: makeThread) { works in
        withExtendedLifetime(token) { works.map { .success($0 * 2) } }
      }
    }
  }

  @Test(arguments: [false, true], [false, true])
  func theWorksInTheLineAreDone(isPaused: Bool, hasThread: Bool) async throws {
    let tally = Tally()
    do {
      let queue = tally.queue()
      if hasThread { _ = try await queue.perform(0) }
      if isPaused { queue.pause() }
      for work in 1...3 { try queue.leave(work) { tally.note($0) } }
    }
    try await until { tally.ended == 1 }
    #expect(tally.answers == [2, 4, 6])
  }

  @Test func aPausedQueueWithoutWorksEnds() async throws {
    let tally = Tally()
    do {
      let queue = tally.queue()
      _ = try await queue.perform(1)
      queue.pause()
    }
    try await until { tally.ended == 1 }
    do {
      let queue = tally.queue()
      queue.pause()
    }
    try await until { tally.ended == 2 }
  }

  @Test(arguments: [false, true]) func theQueueMayEndOnItsOwnThread(isPaused: Bool) async throws {
    let tally = Tally()
    let reference = Lock<IntQueue?>(tally.queue())
    try reference.withLock { $0 }?.leave(1) { answer in
      tally.note(answer)
      // The last reference but that of the thread.
      let queue = reference.withLock { reference in
        defer { reference = nil }
        return reference
      }
      if isPaused { queue?.pause() }
      for work in 2...3 { try? queue?.leave(work) { tally.note($0) } }
    }
    try await until { tally.ended == 1 }
    #expect(tally.answers == [2, 4, 6])
  }

  @Test func worksFailWhereNoThreadStarts() async throws {
    let tally = Tally()
    do {
      let queue = tally.queue { _, _ in false }
      queue.pause()
      for work in 1...3 { try queue.leave(work) { tally.note($0) } }
    }
    try await until { tally.ended == 1 }
    #expect(tally.failures == 3 && tally.answers.isEmpty)
  }

  @Test func nothingIsLostWhereQueuesAreReleasedAtAnyTime() async throws {
    let tally = Tally()
    let count = 400
    for index in 0..<count {
      let queue = tally.queue()
      if index % 3 == 0 { queue.pause() }
      if index % 2 == 0 { _ = Task.detached { queue.resume() } }
      try queue.leave(1) { tally.note($0) }
      if index % 10 == 0 { _ = Task.detached { _ = try? await queue.perform(2) } }
      try queue.leave(3) { tally.note($0) }
    }
    try await until { tally.ended == count }
    #expect(tally.answers.count == 2 * count && tally.failures == 0)
  }
}
