import Fief
import Foundation
import Testing

@testable import FiefCore

/// Turns that come before all that is in line.
@Suite(.timeLimit(.minutes(20))) struct WriteQueueUrgentTurnTests {
  @Test(arguments: [false, true]) func anUrgentTurnOnlyWaitsForWhatRuns(isPaused: Bool) async throws {
    let (log, gate) = (ExecutionLog(), Gate())
    let queue = IntQueue(name: "test") { works in
      log.run(works) {
        if works == [1] { gate.pass() }
        return works.map { .success($0) }
      }
    }
    let first = Task { try await onThread { try queue.perform(1) } }
    try await gate.waitForArrival()
    let others = [try await queue.enqueued(2), try await queue.enqueued(3)]
    let urgent = (4...5).map { number in
      Task { try await onThread { try queue.withUrgentTurn { log.run([number]) {} } } }
    }
    try await until { queue.urgentTurnCount == 2 }
    if isPaused { queue.pause() }
    gate.open()
    for task in urgent { try await task.value }
    if isPaused {
      #expect(queue.inLine == 2 && log.executed.count == 3)
      queue.resume()
    }
    _ = try await first.value
    for task in others { _ = try await task.value }
    #expect(log.executed.first == 1 && Set(log.executed[1...2]) == [4, 5] && log.executed[3...] == [2, 3])
    #expect(log.overlaps == 0 && queue.urgentTurnCount == 0)
    queue.close()
  }

  @Test func closingWaitsForUrgentTurnsThatWait() async throws {
    let (log, gate) = (ExecutionLog(), Gate())
    let queue = IntQueue(name: "test") { works in
      log.run(works) {
        if works == [1] { gate.pass() }
        return works.map { .success($0) }
      }
    }
    let first = Task { try await onThread { try queue.perform(1) } }
    try await gate.waitForArrival()
    let urgent = Task { try await onThread { try queue.withUrgentTurn { log.run([2]) {} } } }
    try await until { queue.urgentTurnCount == 1 }
    let closing = Task { try await onThread { queue.close() } }
    try await until { code(failure { try queue.leave(3) { _ in } }) == .storeClosed }
    gate.open()
    _ = try await first.value
    try await urgent.value
    try await closing.value
    #expect(log.executed.prefix(2) == [1, 2] && log.executed.dropFirst(2).allSatisfy { $0 == 3 })
  }
}
