import Dispatch
import Fief
import Foundation
import Testing

@testable import FiefCore

/// A class of no store.
private final class CompletionStranger: Object {
  @Persisted var text = ""
}

/// Methods with a completion handler: they do not wait, and the handler comes later, in order, in its place.
@Suite(.timeLimit(.minutes(20)))
struct CompletionHandlerTests {
  typealias Outcome = Result<Bool, any Error>

  /// The outcomes that handlers got, in the order in which they were called.
  private final class Calls: Sendable {
    private let state = Lock<[(name: String, code: FiefError.Code?)]>([])

    func handler(_ name: String) -> @Sendable (Outcome) -> Void {
      { outcome in
        var code: FiefError.Code?
        if case .failure(let error) = outcome { code = (error as? FiefError)?.code ?? .storage }
        self.state.withLock { $0.append((name, code)) }
      }
    }

    var names: [String] { state.withLock { $0.map(\.name) } }
    var codes: [FiefError.Code?] { state.withLock { $0.map(\.code) } }
    var count: Int { state.withLock { $0.count } }
  }

  private func queue(_ repository: WriteRepository) throws -> WriteQueue<WriteWork, WriteReceipt> {
    try #require(repository.store().openedCore).queue()
  }

  /// Calls the body with a store in memory, and with one on disk.
  nonisolated(nonsending)
    private func forBoth(_ body: nonisolated(nonsending) (WriteRepository) async throws -> Void) async throws
  {
    let memory = WriteRepository.inMemory()
    try await body(memory)
    memory.closeChecked()
    let directory = try TemporaryDirectory()
    let disk = WriteRepository.onDisk(directory)
    try await body(disk)
    disk.closeChecked()
  }

  @Test func nothingIsCalledWhileTheQueueIsPaused() async throws {
    try await forBoth { repository in
      let queue = try queue(repository)
      try repository.saveNow([WriteBook("old"), WriteBook("older")])
      queue.pause()
      let calls = Calls()
      let book = WriteBook("1", title: "before")
      repository.save(entity: book, update: false, completion: calls.handler("save"))
      // A value that is assigned after the call is no part of it.
      book.title = "after"
      repository.save(entities: [WriteBook("2")], completion: calls.handler("save all"))
      repository.save(
        saveClass: WriteBook.self,
        jsonData: Data(#"{"isbn": "3", "title": "json"}"#.utf8),
        update: true,
        completion: calls.handler("json")
      )
      repository.delete(
        ofType: WriteBook.self,
        forPrimaryKeys: ["old"],
        completion: calls.handler("delete by key")
      )
      repository.delete(entity: WriteBook("older"), completion: calls.handler("delete"))
      repository.deleteAll(deleteObjClass: WriteAuthor.self, completion: calls.handler("delete all"))
      repository.writeAsync({ try $0.add(WriteBook("4")) }) {
        calls.handler("write")($0.map { .failure($0) } ?? .success(true))
      }
      #expect(queue.statistics.pending == 7)
      #expect(calls.count == 0 && repository.isbns == ["old", "older"])
      queue.resume()
      try await until { calls.count == 7 }
      #expect(
        calls.names == ["save", "save all", "json", "delete by key", "delete", "delete all", "write"]
      )
      #expect(calls.codes.allSatisfy { $0 == nil })
      #expect(repository.isbns == ["1", "2", "3", "4"])
      #expect(repository.book("1")?.title == "before")
      // The object belongs to the store now, and values that were assigned meanwhile are saved with the next save.
      try repository.saveNow([book], .modified)
      #expect(repository.book("1")?.title == "after")
    }
  }

  @Test func aThousandCallsShareFewCommits() async throws {
    try await forBoth { repository in
      let queue = try queue(repository)
      let calls = Calls()
      let before = queue.statistics.batches
      // However long the calls take, their saves are in line at once.
      queue.pause()
      for number in 0..<1000 {
        let book = WriteBook("\(number)", title: "a title", pages: number)
        repository.save(entity: book, update: false, completion: calls.handler("\(number)"))
      }
      queue.resume()
      try await until { calls.count == 1000 }
      #expect(queue.statistics.batches - before < 100)
      #expect(calls.names == (0..<1000).map { "\($0)" })
      #expect(try repository.count(WriteBook.self) == 1000)
    }
  }

  @Test func failuresComeInTheirTurn() async throws {
    try await forBoth { repository in
      let queue = try queue(repository)
      queue.pause()
      let calls = Calls()
      func save(_ object: Object) {
        repository.save(entity: object, update: false, completion: calls.handler("\(type(of: object))"))
      }
      save(WriteBook("1"))
      save(CompletionStranger())
      save(WriteBook("1"))
      repository.save(
        saveClass: WriteBook.self,
        jsonData: Data("{".utf8),
        update: true,
        completion: calls.handler("json")
      )
      save(WriteBook("2"))
      #expect(calls.count == 0)
      queue.resume()
      try await until { calls.count == 5 }
      #expect(calls.codes == [nil, .unknownType, .duplicatePrimaryKey, .malformedJSON, nil])
      #expect(repository.isbns == ["1", "2"])
    }
  }

  @Test func anObjectWhoseSaveFailedIsNew() async throws {
    try await forBoth { repository in
      try repository.saveNow([WriteBook("1", title: "first")])
      let calls = Calls()
      let book = WriteBook("1", title: "second")
      let cover = WriteCover()
      cover.color = "red"
      book.cover = cover
      repository.save(entity: book, update: false, completion: calls.handler("book"))
      try await until { calls.count == 1 }
      #expect(calls.codes == [.duplicatePrimaryKey])
      book.isbn = "2"
      try repository.saveNow([book])
      #expect(repository.book("2")?.title == "second" && repository.book("2")?.cover?.color == "red")
    }
  }

  @Test func closingCommitsAndCallsWhatWaits() async throws {
    try await forBoth { repository in
      let queue = try queue(repository)
      queue.pause()
      let calls = Calls()
      for number in 0..<100 {
        repository.save(entity: WriteBook("\(number)"), update: false, completion: calls.handler("\(number)"))
      }
      let store = repository.store()
      let isInMemory = repository.directory == nil
      try await onThread {
        repository.close()
        #expect(calls.names == (0..<100).map { "\($0)" } && calls.codes.allSatisfy { $0 == nil })
      }
      store.writeAsync({ try $0.deleteAll() }) {
        calls.handler("closed")($0.map { .failure($0) } ?? .success(true))
      }
      try await until { calls.count == 101 }
      #expect(calls.codes.last == .storeClosed)
      if !isInMemory { #expect(try repository.count(WriteBook.self) == 100) }
    }
  }

  @Test func aHandlerMaySaveAndWaitAndClose() async throws {
    try await forBoth { repository in
      let calls = Calls()
      let done = calls.handler("done")
      repository.save(entity: WriteBook("1"), update: false) { _ in
        repository.save(entity: WriteBook("2"), update: false) { _ in
          done(Result { try repository.saveNow([WriteBook("3")]) }.map { true })
          done(Result { try repository.deleteNow([WriteBook("1")]) }.map { true })
          done(Result { #expect(repository.isbns == ["2", "3"]) }.map { true })
          repository.close()
          done(.success(true))
        }
      }
      try await until { calls.count == 4 }
      #expect(calls.codes.allSatisfy { $0 == nil })
    }
  }

  @Test func aHandlerThatBlocksHoldsUpNobodyElse() async throws {
    try await forBoth { repository in
      let calls = Calls()
      let blocker = DispatchSemaphore(value: 0)
      let entered = DispatchSemaphore(value: 0)
      repository.save(entity: WriteBook("1"), update: false) { _ in
        entered.signal()
        blocker.wait()
      }
      try await onThread { entered.wait() }
      repository.save(entity: WriteBook("2"), update: false, completion: calls.handler("2"))
      try repository.saveNow([WriteBook("3")])
      try await repository.save(entity: WriteBook("4"), update: false)
      #expect(repository.isbns == ["1", "2", "3", "4"] && calls.count == 0)
      blocker.signal()
      try await until { calls.count == 1 }
    }
  }

  @Test func aCallInsideOfAWriteComesAfterIt() async throws {
    try await forBoth { repository in
      let calls = Calls()
      func write() throws {
        try repository.write { transaction in
          try transaction.add(WriteBook("1"))
          repository.save(entity: WriteBook("2"), update: false, completion: calls.handler("2"))
        }
      }
      try write()
      try await until { calls.count == 1 }
      #expect(calls.codes == [nil] && repository.isbns == ["1", "2"])
    }
  }

  @Test func objectsWithoutAKeyDoNotWaitForAPausedQueue() async throws {
    try await forBoth { repository in
      let queue = try queue(repository)
      queue.pause()
      let calls = Calls()
      let author = WriteAuthor("0")
      for number in 0..<100 {
        // One object is saved again and again, and others come between.
        author.name = "\(number)"
        repository.save(entity: author, update: true, completion: calls.handler("\(number)"))
        let other = WriteAuthor("other")
        repository.save(entities: [other], update: true, completion: calls.handler("\(number)"))
      }
      #expect(calls.count == 0 && repository.authors == [])
      queue.resume()
      try await until { calls.count == 200 }
      #expect(calls.codes.allSatisfy { $0 == nil })
      #expect(repository.authors == ["99"] + Array(repeating: "other", count: 100))
    }
  }

  @Test func beyondTheLimitTheHandlerGetsTheError() async throws {
    var repository = WriteRepository.inMemory()
    repository.storeOptions.maximumWaitingBytes = 10 * 512
    defer { repository.closeChecked() }
    let queue = try queue(repository)
    queue.pause()
    let calls = Calls()
    for number in 0..<12 {
      repository.save(entity: WriteBook("\(number)"), update: false, completion: calls.handler("\(number)"))
    }
    queue.resume()
    try await until { calls.count == 12 }
    #expect(calls.names == (0..<12).map { "\($0)" })
    #expect(calls.codes == Array(repeating: nil, count: 10) + [.writeQueueFull, .writeQueueFull])
    #expect(try repository.count(WriteBook.self) == 10)
  }

  @Test func aStoreThatCannotBeOpenedSaysSo() async throws {
    var repository = WriteRepository.inMemory()
    repository.schemaName = "a/b"
    let calls = Calls()
    repository.save(entity: WriteBook("1"), update: false, completion: calls.handler("1"))
    try await until { calls.count == 1 }
    #expect(calls.codes == [.invalidStoreName])
    var reader = WriteRepository.onDisk(try TemporaryDirectory())
    try reader.saveNow([WriteBook("1")])
    reader.close()
    reader.storeOptions.isReadOnly = true
    reader.delete(entity: WriteBook("1"), completion: calls.handler("2"))
    try await until { calls.count == 2 }
    #expect(calls.codes.last == .readOnlyStore)
    reader.close()
  }
}
