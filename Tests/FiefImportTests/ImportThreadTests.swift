import Fief
import FiefImport
import FiefTesting
import Foundation
import Testing

/// The threads of asynchronous imports. Two of these tests at once would each wait for all threads.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ImportThreadTests {
  /// Without threads of their own, so many imports would use up the threads on which tasks run.
  @Test(arguments: StoreKind.allCases) func importsThatWaitHoldUpNoTask(_ kind: StoreKind) async throws {
    let library = try StoreFixture(LibraryRepository(), kind)
    let end = DispatchSemaphore(value: 0)
    let (waiting, most) = (Lock(0), Lock(0))
    let options = ImportOptions(progress: { _ in
      let count = waiting.withLock { count in
        count += 1
        return count
      }
      most.withLock { $0 = max($0, count) }
      end.wait()
      end.signal()
      waiting.withLock { $0 -= 1 }
    })
    let imports = try (0..<40).map { number in
      let file = try FeedFile("{\"isbn\": \"\(number)\", \"year\": \(number)}\n").url
      return Task { try await library.importObjects(from: file, of: Book.self, options: options) }
    }
    // An import waits after its only batch.
    while waiting.withLock({ $0 }) < 16 { try await Task.sleep(for: .milliseconds(1)) }
    await Task.detached {}.value
    try await library.save(entity: Writer(value: ["name": "Ursula"]), update: true)
    let cancelled = try #require(imports.last)
    cancelled.cancel()
    end.signal()
    for task in imports.dropLast() { #expect(try await task.value.inserted == 1) }
    do { _ = try await cancelled.value } catch { #expect(error is CancellationError, "\(error)") }
    #expect(most.withLock { $0 } == 16)
    let count = try library.count(Book.self)
    #expect(count == 39 || count == 40)
  }
}
