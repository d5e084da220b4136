import Fief
import Foundation
import Testing

@testable import FiefCore

/// Saves with a completion handler that are called inside of a write, of more objects without a key than there are
/// reserved row ids.
@Suite(.timeLimit(.minutes(20)))
struct CompletionInsideOfWriteTests {
  private struct Refused: Error {}

  private let directory: TemporaryDirectory
  private let outcomes = Lock<[FiefError.Code?]>([])

  init() throws { directory = try TemporaryDirectory() }

  private func repository(_ kind: TypedPlace) -> WriteRepository {
    kind == .memory ? .inMemory() : .onDisk(directory)
  }

  private func save(_ author: WriteAuthor, _ repository: WriteRepository) {
    repository.save(entity: author, update: true) { [outcomes] outcome in
      var code: FiefError.Code?
      if case .failure(let error) = outcome { code = (error as? FiefError)?.code ?? .storage }
      outcomes.withLock { $0.append(code) }
    }
  }

  private func all(_ count: Int) async throws -> [FiefError.Code?] {
    try await until { outcomes.withLock { $0.count } == count }
    return outcomes.withLock { $0 }
  }

  @Test(arguments: TypedPlace.inClear) func theyTakeTheirIdsFromTheWrite(_ kind: TypedPlace) async throws {
    let repository = repository(kind)
    func write() throws {
      try repository.write { transaction in
        for number in 0..<150 {
          save(WriteAuthor("left \(number)"), repository)
          try transaction.add(WriteAuthor("added \(number)"))
        }
      }
    }
    try write()
    #expect(try await all(150) == Array(repeating: nil, count: 150))
    try repository.saveNow((0..<100).map { WriteAuthor("later \($0)") })
    #expect(Set(repository.authors).count == 400 && repository.authors.count == 400)
    repository.closeChecked()
  }

  @Test(arguments: TypedPlace.inClear) func theyAreSavedWhereTheWriteIsUndone(_ kind: TypedPlace)
    async throws
  {
    let repository = repository(kind)
    func write() {
      #expect(throws: Refused.self) {
        try repository.write { transaction in
          for number in 0..<150 {
            save(WriteAuthor("left \(number)"), repository)
            try transaction.add(WriteAuthor("added \(number)"))
          }
          throw Refused()
        }
      }
    }
    write()
    #expect(try await all(150) == Array(repeating: nil, count: 150))
    try repository.saveNow((0..<100).map { WriteAuthor("later \($0)") })
    #expect(Set(repository.authors).count == 250 && repository.authors.count == 250)
    repository.closeChecked()
  }

  /// Another process may have reserved the ids of a write that was rolled back.
  @Test func idsThatAreAnothersFailTheSave() async throws {
    let repository = repository(.disk)
    try repository.saveNow((0..<64).map { WriteAuthor("first \($0)") })
    let queue = try #require(repository.store().openedCore).queue()
    // The caller has no isolation: a handler is called on another thread.
    let authors = (0..<10).map { WriteAuthor("left \($0)") }
    func write() {
      #expect(throws: Refused.self) {
        try repository.write { _ in
          for author in authors { save(author, repository) }
          queue.pause()
          throw Refused()
        }
      }
    }
    write()
    let other = try DynamicStore(directory: directory["books"], isReadOnly: false)
    try other.write { _ = try $0.put("WriteAuthor", ["name": "other"]) }
    other.close()
    queue.resume()
    // The other process has taken the first of them.
    #expect(try await all(10) == [.storage] + Array(repeating: nil, count: 9))
    #expect(repository.authors.count == 74 && authors[0]._rowID == 0)
    try repository.saveNow(authors, .all)
    #expect(repository.authors.count == 75 && repository.authors.contains("other"))
    repository.closeChecked()
  }

  /// A second save of an object depends on the same ids as the first.
  @Test func furtherSavesOfTheSameObjectsFailWithTheFirst() async throws {
    let repository = repository(.disk)
    try repository.saveNow((0..<64).map { WriteAuthor("first \($0)") })
    let queue = try #require(repository.store().openedCore).queue()
    let author = WriteAuthor("left")
    func write() {
      #expect(throws: Refused.self) {
        try repository.write { _ in
          save(author, repository)
          save(author, repository)
          queue.pause()
          throw Refused()
        }
      }
      save(author, repository)
    }
    write()
    let other = try DynamicStore(directory: directory["books"], isReadOnly: false)
    try other.write { _ = try $0.put("WriteAuthor", ["name": "other"]) }
    other.close()
    queue.resume()
    #expect(try await all(3) == [.storage, .storage, .storage])
    #expect(repository.authors.count == 65 && repository.authors.contains("other") && author._rowID == 0)
    try repository.saveNow([author], .all)
    #expect(repository.authors.count == 66 && repository.authors.contains("other"))
    repository.closeChecked()
  }

  @Test(arguments: TypedPlace.inClear, [false, true])
  func furtherSavesOfTheSameObjectsAreOneObject(_ kind: TypedPlace, isUndone: Bool) async throws {
    let repository = repository(kind)
    try repository.saveNow((0..<64).map { WriteAuthor("first \($0)") })
    let author = WriteAuthor("left")
    func write() {
      do {
        try repository.write { transaction in
          save(author, repository)
          save(author, repository)
          if isUndone { throw Refused() }
          try transaction.add(WriteAuthor("added"))
        }
      } catch { #expect(isUndone) }
      save(author, repository)
    }
    write()
    #expect(try await all(3) == [nil, nil, nil])
    try repository.saveNow((0..<100).map { WriteAuthor("later \($0)") })
    #expect(repository.authors.count == (isUndone ? 165 : 166))
    #expect(Set(repository.authors).count == repository.authors.count)
    repository.closeChecked()
  }
}
