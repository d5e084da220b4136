import Fief
import Foundation
import Testing

@testable import FiefCore

/// Saves of one object without a primary key that wait at once, some of which are not made.
@MainActor
struct CancelledSaveTests {
  @MainActor
  private final class World {
    let directory: TemporaryDirectory
    let repository: WriteRepository
    let queue: WriteQueue<WriteWork, WriteReceipt>

    init(_ kind: TypedPlace) throws {
      directory = try TemporaryDirectory()
      repository = kind == .memory ? .inMemory() : .onDisk(directory)
      queue = try #require(repository.store().openedCore).queue()
      queue.pause()
    }

    /// Begins a save, and waits until it is in line.
    func save(_ author: WriteAuthor, _ policy: UpdatePolicy = .all) async throws -> Task<Bool, any Error> {
      let before = queue.statistics.pending
      let task = Task { try await repository.save(entity: author, update: policy) }
      while queue.statistics.pending == before { await Task.yield() }
      return task
    }

    func cancel(_ task: Task<Bool, any Error>) async {
      task.cancel()
      await #expect(throws: FiefError.self) { try await task.value }
    }

    func expect(_ names: [String], sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(repository.authors == names, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: TypedPlace.inClear, [UpdatePolicy.all, .error, .modified])
  func theFirstIsCancelled(_ kind: TypedPlace, _ policy: UpdatePolicy) async throws {
    let world = try World(kind)
    defer { world.repository.closeChecked() }
    let author = WriteAuthor("a")
    let first = try await world.save(author, policy)
    author.name = "ab"
    let second = try await world.save(author, policy)
    await world.cancel(first)
    world.queue.resume()
    _ = try await second.value
    world.expect(["ab"])
    author.name = "abc"
    _ = try await world.repository.save(entity: author, update: policy)
    world.expect(["abc"])
  }

  @Test(arguments: TypedPlace.inClear) func theLastIsCancelled(_ kind: TypedPlace) async throws {
    let world = try World(kind)
    defer { world.repository.closeChecked() }
    let author = WriteAuthor("a")
    let first = try await world.save(author)
    author.name = "ab"
    await world.cancel(try await world.save(author))
    world.queue.resume()
    _ = try await first.value
    author.name = "abc"
    _ = try await world.repository.save(entity: author, update: true)
    world.expect(["abc"])
  }

  @Test(arguments: TypedPlace.inClear) func eachKeystrokeCancelsTheLast(_ kind: TypedPlace) async throws {
    let world = try World(kind)
    defer { world.repository.closeChecked() }
    let author = WriteAuthor("")
    let owner = WriteAuthor("owner")
    var last: Task<Bool, any Error>?
    for letter in "abcdefgh" {
      author.name.append(letter)
      let task = try await world.save(author)
      if let last { await world.cancel(last) }
      last = task
      if letter == "d" {
        world.queue.resume()
        _ = try await task.value
        world.queue.pause()
        last = nil
      }
    }
    world.queue.resume()
    _ = try await last?.value
    _ = try await world.repository.save(entities: [owner, author], update: true)
    world.expect(["abcdefgh", "owner"])
  }

  @Test(arguments: TypedPlace.inClear) func whereNoneIsMadeTheIdIsFree(_ kind: TypedPlace) async throws {
    let world = try World(kind)
    defer { world.repository.closeChecked() }
    let author = WriteAuthor("a")
    let first = try await world.save(author)
    let second = try await world.save(author)
    try world.repository.store().failNextWrites(1, with: FiefError(.storage, "Injected."))
    await world.cancel(first)
    world.queue.resume()
    await #expect(throws: FiefError.self) { try await second.value }
    world.expect([])
    #expect(author._rowID == 0)
    // The object replaces no other one in another store.
    let other = WriteRepository.inMemory()
    defer { other.closeChecked() }
    _ = try await other.save(entities: (0..<5).map { WriteAuthor("\($0)") }, update: false)
    _ = try await other.save(entity: author, update: true)
    #expect(other.authors == ["0", "1", "2", "3", "4", "a"])
  }

  @Test(arguments: TypedPlace.inClear)
  func aWriteThatFailsLeavesTheIdToTheSave(_ kind: TypedPlace) async throws {
    let world = try World(kind)
    defer { world.repository.closeChecked() }
    let author = WriteAuthor("a")
    let first = try await world.save(author)
    // The rollback of a scope that has used the object.
    let given = ProvisionalRowIDs()
    given.share(author)
    let undo = UndoLog()
    for object in given.shared { undo.append(.rowIDUse, of: object) }
    undo.undo()
    world.queue.resume()
    _ = try await first.value
    author.name = "ab"
    _ = try await world.repository.save(entity: author, update: true)
    world.expect(["ab"])
  }
}
