import Dispatch
import Fief
import Foundation
import Testing

@testable import FiefCore

/// Handlers, and what closes a store.
@Suite(.timeLimit(.minutes(20)))
struct CompletionClosingTests {
  /// A repository whose store in memory lives as long as it does.
  private final class OwnerRepository: DatabaseConfigurable, @unchecked Sendable {
    // SAFETY: it has no state.
    var realmMemoryType: RealmMemoryType { .inMemory(identifier: nil) }
    var schemaName: String? { "owned" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [WriteBook.self, WriteAuthor.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [WriteCover.self] }
    var migrationBlock: MigrationBlock? { nil }
  }

  /// Another thread may have the outcome of the last batch, and be about to hand it out.
  @Test func closingAQueueWaitsUntilAllOutcomesAreHandedOut() async throws {
    let gate = Gate()
    let isAnswered = Lock(false)
    let queue = WriteQueue<Int, Int>(name: "test", makeThread: { _, _ in false }) { $0.map { .success($0) } }
    // The caller's own thread reports the failure where the system has no thread.
    let leaving = Task {
      try await onThread {
        try queue.leave(1) { _ in
          gate.pass()
          isAnswered.withLock { $0 = true }
        }
      }
    }
    try await gate.waitForArrival()
    let isClosed = Lock(false)
    let closing = Task {
      try await onThread {
        queue.close()
        isClosed.withLock { $0 = true }
        return isAnswered.withLock { $0 }
      }
    }
    try await until { queue.endWaiterCount == 1 || isClosed.withLock { $0 } }
    gate.open()
    #expect(try await closing.value)
    try await leaving.value
  }

  @Test(arguments: TypedPlace.inClear) func whatIsLeftIsSavedAndAnsweredWhenCloseReturns(_ kind: TypedPlace)
    async throws
  {
    let directory = try TemporaryDirectory()
    for round in 0..<10 {
      let repository = kind == .memory ? WriteRepository.inMemory() : .onDisk(directory)
      let calls = Lock(0)
      // Others write too, so that batches are committed on several threads.
      let others = (0..<3).map { thread in
        Task {
          try await onThread {
            for number in 0..<5 { try? repository.saveNow([WriteBook("\(round) \(thread) \(number)")], .all) }
          }
        }
      }
      for number in 0..<20 {
        repository.save(entity: WriteBook("\(round) left \(number)"), update: true) { outcome in
          if (try? outcome.get()) == true { calls.withLock { $0 += 1 } }
        }
      }
      let called = try await onThread {
        repository.close()
        return calls.withLock { $0 }
      }
      #expect(called == 20)
      for other in others { try await other.value }
      repository.close()
    }
    if kind == .disk {
      let repository = WriteRepository.onDisk(directory)
      #expect(repository.isbns.filter { $0.contains("left") }.count == 200)
      repository.closeChecked()
    }
  }

  /// The writes of a store whose repository is gone may use the store that is being opened.
  @Test func openingAStoreDoesNotWaitForWritesThatWaitForIt() async throws {
    let other = WriteRepository.inMemory()
    let seen = Lock<[String]>([])
    func abandon() throws {
      let owner = OwnerRepository()
      let store = owner.store()
      let queue = try #require(store.openedCore).queue()
      queue.pause()
      store.writeAsync({ _ in
        let count = try other.count(WriteBook.self)
        seen.withLock { $0.append("write \(count)") }
      }) { _ in
        let count = (try? other.count(WriteBook.self)) ?? -1
        seen.withLock { $0.append("handler \(count)") }
      }
    }
    try abandon()
    let error = try await onThread { other.store().openingError }
    #expect(error == nil)
    try await until { seen.withLock { $0.count } == 2 }
    #expect(seen.withLock { $0 } == ["write 0", "handler 0"])
    other.closeChecked()
  }

  private struct Tenant: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "books" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [WriteBook.self, WriteAuthor.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [WriteCover.self] }
    var migrationBlock: MigrationBlock? { nil }
  }

  /// Handlers are called on other threads, later, and find what their callers find.
  @Test func aHandlerIsInTheManagerOfItsCall() async throws {
    let directory = try TemporaryDirectory()
    let managers = ["one", "two"].map { StoreManager(directory: directory[$0], repositories: [Tenant()]) }
    let seen = Lock<[String]>([])
    for (number, manager) in managers.enumerated() {
      manager.use {
        for book in 0...number {
          Tenant().save(entity: WriteBook("\(number) \(book)"), update: true) { outcome in
            let saved = (try? outcome.get()) == true
            let count = (try? Tenant().count(WriteBook.self)) ?? -1
            // A call of the manager itself, in a handler.
            let path = manager.store(for: Tenant()).directory ?? ""
            seen.withLock {
              $0.append(
                "\(number) \(saved) \(count > 0) \(path == directory[["one", "two"][number]] + "/books")"
              )
            }
          }
        }
      }
    }
    try await until { seen.withLock { $0.count } == 3 }
    #expect(seen.withLock { $0.sorted() } == ["0 true true true", "1 true true true", "1 true true true"])
    for manager in managers { manager.close() }
  }

  /// This holds also where the store could not be opened, and from inside of an opening: a migration's block,
  /// for example.
  @Test func aHandlerOfAFailedOpeningIsInTheManagerOfItsCall() async throws {
    let directory = try TemporaryDirectory()
    let managers = ["one", "two"].map { StoreManager(directory: directory[$0], repositories: [Tenant()]) }
    for name in ["one", "two"] { try Data().write(to: URL(fileURLWithPath: directory[name])) }
    let seen = Lock<[FiefError.Code?]>([])
    for manager in managers {
      manager.use {
        Tenant().save(entity: WriteBook("1"), update: true) { _ in
          seen.withLock { $0.append(Tenant().store().openingError?.code) }
        }
      }
    }
    try await until { seen.withLock { $0.count } == 2 }
    #expect(seen.withLock { $0.allSatisfy { $0 != nil && $0 != .ambiguousRepository } })
  }
}
