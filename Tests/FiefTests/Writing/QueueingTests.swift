import Fief
import Foundation
import Testing

@testable import FiefCore

/// The works that wait in a store's queue: cancelled, held back, drained.
@Suite(.timeLimit(.minutes(20)))
struct QueueingTests {
  private func queue(_ repository: WriteRepository) throws -> WriteQueue<WriteWork, WriteReceipt> {
    try #require(repository.store().openedCore).queue()
  }

  private func inLine(_ queue: WriteQueue<WriteWork, WriteReceipt>) -> Int {
    queue.statistics.pending + queue.statistics.waitingForRoom
  }

  @Test func aCancelledSaveThatWaitsIsNotMade() async throws {
    let repository = WriteRepository.inMemory()
    defer { repository.close() }
    let queue = try queue(repository)
    queue.pause()
    var tasks: [Task<Bool, any Error>] = []
    for number in 0..<20 {
      tasks.append(Task { try await repository.save(entity: WriteBook("\(number)"), update: false) })
    }
    try await until { inLine(queue) == 20 }
    for number in stride(from: 1, to: 20, by: 2) { tasks[number].cancel() }
    for number in stride(from: 1, to: 20, by: 2) {
      #expect(code(await failure(of: tasks[number])) == .cancelled)
    }
    queue.resume()
    for number in stride(from: 0, to: 20, by: 2) { #expect(try await tasks[number].value) }
    let saved: [String] = stride(from: 0, to: 20, by: 2).map { "\($0)" }
    #expect(Set(repository.isbns) == Set(saved))
    // Cancelled before it began to wait, too.
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await repository.save(entity: WriteBook("late"), update: false)
    }
    late.cancel()
    #expect(code(await failure(of: late)) == .cancelled)
    #expect(repository.book("late") == nil)
  }

  @Test func producersBeyondTheLimitsWaitAndNoneIsLost() async throws {
    var repository = WriteRepository.inMemory()
    repository.storeOptions.maximumPendingWrites = 4
    repository.storeOptions.maximumPendingBytes = 2_000
    defer { repository.close() }
    let queue = try queue(repository)
    queue.pause()
    let stores = repository
    let tasks = (0..<200).map { number in
      Task {
        let title = String(repeating: "t", count: number * 40)
        return try await stores.save(entity: WriteBook("\(number)", title: title), update: false)
      }
    }
    try await until { inLine(queue) == 200 }
    #expect(queue.statistics.pending <= 4)
    queue.resume()
    for task in tasks { #expect(try await task.value) }
    #expect(try repository.count(WriteBook.self) == 200)
    #expect(try repository.check().problems == [])
  }

  @Test func closingDrainsWhatWasStarted() async throws {
    let directory = try TemporaryDirectory()
    let repository = WriteRepository.onDisk(directory)
    defer { repository.close() }
    let store = repository.store()
    let queue = try queue(repository)
    queue.pause()
    let tasks = (0..<100).map { number in
      Task { try await repository.save(entity: WriteBook("\(number)"), update: false) }
    }
    try await until { inLine(queue) == 100 }
    try await onThread { repository.close() }
    for task in tasks { #expect(try await task.value) }
    #expect(code(failure { try store.write { _ in } }) == .storeClosed)
    #expect(store.object(ofType: WriteBook.self, forPrimaryKey: "1") == nil)
    #expect(store.objects(WriteBook.self).count == 0)
    #expect(code(failure { try store.objects(WriteBook.self).all() }) == .storeClosed)
    let saved: [String] = (0..<100).map { "\($0)" }
    #expect(Set(repository.isbns) == Set(saved))
    #expect(try repository.check().problems == [])
  }

  @Test func savesWhileTheStoreIsClosedAgainAndAgain() async throws {
    try await expectExactlyWhatWasReported { repository in
      for _ in 0..<40 {
        try await onThread { repository.close() }
        try await Task.sleep(for: .microseconds(500))
      }
    }
  }

  @Test func savesWhileTheStoreIsCompacted() async throws {
    try await expectExactlyWhatWasReported(isClosed: false) { repository in
      for _ in 0..<15 { try await onThread { try repository.compact() } }
    }
  }

  /// Saves from eight tasks during something that closes the store: each save is made, or is refused
  /// because the store is closed and leaves nothing.
  private func expectExactlyWhatWasReported(
    isClosed: Bool = true,
    during disturb: @escaping @Sendable (WriteRepository) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let repository = WriteRepository.onDisk(directory)
    defer { repository.close() }
    let acknowledged = Lock<Set<String>>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<60 {
            let isbn = "\(task)/\(number)"
            let saving = Task { try await repository.save(entity: WriteBook(isbn), update: false) }
            switch code(await failure(of: saving)) {
            case nil: _ = acknowledged.withLock { $0.insert(isbn) }
            case .storeClosed where isClosed: break
            case let other: Issue.record("\(isbn): \(String(describing: other))")
            }
          }
        }
      }
      group.addTask { try await disturb(repository) }
      try await group.waitForAll()
    }
    let expected = acknowledged.withLock { $0 }
    #expect(!expected.isEmpty)
    #expect(Set(repository.isbns) == expected)
    #expect(try repository.check().problems == [])
  }

  @Test func anObjectOutlivesItsStore() throws {
    let directory = try TemporaryDirectory()
    let repository = WriteRepository.onDisk(directory)
    let author = WriteAuthor("Ann")
    author.books.append(WriteBook("1", title: "One"))
    let book = WriteBook("2", title: "Two")
    book.author = author
    book.cover = WriteCover(value: ["color": "red"])
    try repository.saveNow([book])
    let touched = try #require(repository.book("2"))
    #expect(touched.author?.books.first?.title == "One")
    let untouched = try #require(repository.book("2"))
    let results = try #require(repository.queryAll(returningClass: WriteBook.self))
    let deleted = try #require(repository.book("1"))
    try repository.deleteNow([deleted])
    #expect(deleted.title == "One" && deleted.author == nil)
    deleted.title = "of no consequence"
    #expect(touched.author?.books.count == 1)
    repository.close()
    #expect(touched.title == "Two" && touched.author?.name == "Ann" && touched.cover?.color == "red")
    #expect(untouched.title == "Two" && untouched.author == nil && untouched.cover?.color == "red")
    untouched.cover?.color = "blue"
    untouched.author = WriteAuthor("new")
    #expect(results.count == 0 && results.first == nil && results.last == nil && results[0] == nil)
    #expect(Array(results).isEmpty && results.isEmpty)
    #expect(code(failure { try results.all() }) == .storeClosed)
    // The next use opens the store again.
    #expect(repository.isbns == ["2"] && repository.authors == ["Ann"])
    try repository.deleteStore()
    #expect(touched.title == "Two" && touched.author?.name == "Ann")
    #expect(repository.isbns == [])
    #expect(code(failure { try repository.saveNow([touched], .all) }) == .foreignObject)
    try repository.saveNow([touched.detached()])
    // The copy is deep: what the object had read of its links is copied with it.
    #expect(repository.isbns == ["1", "2"] && repository.authors == ["Ann"])
    repository.close()
  }
}
