import Foundation
import Synchronization
import Testing

@testable import Fief

@Suite(.timeLimit(.minutes(1))) struct WriteQueueTests {
  @Test func synchronousPerformReturnsTheReceipt() throws {
    let queue = WriteQueue<Int, Int>(name: "test") { works in works.map { .success($0 * 2) } }
    #expect(try queue.perform(21) == 42)
    #expect(queue.statistics.batches == 1)
    queue.close()
  }

  @Test func asynchronousPerformReturnsTheReceipt() async throws {
    let queue = WriteQueue<Int, Int>(name: "test") { works in works.map { .success($0 * 2) } }
    let receipt = try await queue.perform(21)
    #expect(receipt == 42)
    queue.close()
  }
}
