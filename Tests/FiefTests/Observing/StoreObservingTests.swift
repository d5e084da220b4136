import Fief
import FiefStress
import Foundation
import Testing

@testable import FiefCore

/// The change sets of commits: exactly what each inserted, modified and deleted.
struct StoreObservingTests {
  private struct Refused: Error {}

  private let repository = WriteRepository.inMemory()

  /// The reported changes of the books and the authors while `body` runs.
  private func changes(_ body: () throws -> Void) throws -> [ChangeSet] {
    let seen = Lock<[ChangeSet]>([])
    let token = try repository.observe { changes in seen.withLock { $0.append(changes) } }
    try body()
    try repository.store().waitUntilDelivered()
    token.invalidate()
    return seen.withLock { $0 }
  }

  private func names(_ keys: Set<ObjectKey>) -> Set<String> { Set(keys.map(\.description)) }

  @Test func eachCommitIsReportedOnce() throws {
    defer { repository.closeChecked() }
    let inserted = try changes { try repository.saveNow([WriteBook("1"), WriteBook("2")]) }
    #expect(inserted.count == 1)
    #expect(names(inserted[0][WriteBook.self].inserted) == ["1", "2"])
    #expect(inserted[0][WriteBook.self].modified.isEmpty && inserted[0][WriteBook.self].deleted.isEmpty)
    #expect(inserted[0][WriteAuthor.self] == ChangeSet.TypeChanges())
    let modified = try changes { try repository.saveNow([WriteBook("1", title: "x"), WriteBook("3")], .all) }
    #expect(modified.count == 1)
    #expect(names(modified[0][WriteBook.self].modified) == ["1"])
    #expect(names(modified[0][WriteBook.self].inserted) == ["3"])
    let deleted = try changes { try repository.deleteNow([WriteBook("3")]) }
    #expect(deleted.map { names($0[WriteBook.self].deleted) } == [["3"]])
    let none = try changes {
      #expect(
        code(failure { try repository.saveNow([WriteBook("9"), WriteBook("1")]) }) == .duplicatePrimaryKey
      )
      #expect(throws: Refused.self) {
        try repository.write { transaction in
          try transaction.add(WriteBook("8"))
          throw Refused()
        }
      }
      try repository.write { _ in }
      try repository.write { try $0.delete(try $0.create(WriteBook.self, value: ["isbn": "7"])) }
    }
    #expect(none.isEmpty, "\(none)")
    try repository.saveNow([WriteBook("4")])
    #expect(inserted.count == 1)
  }

  @Test func severalChangesOfOneObjectAreOne() throws {
    defer { repository.closeChecked() }
    try repository.saveNow([WriteBook("1"), WriteBook("2"), WriteBook("3")])
    let changes = try changes {
      try repository.write { transaction in
        let one = try #require(try transaction.object(ofType: WriteBook.self, forPrimaryKey: "1"))
        one.title = "a"
        _ = try transaction.count(WriteBook.self)
        one.title = "b"
        // Replaced: gone and there again.
        try transaction.delete(
          try #require(try transaction.object(ofType: WriteBook.self, forPrimaryKey: "2"))
        )
        try transaction.create(WriteBook.self, value: ["isbn": "2"])
        // Changed, then gone.
        let three = try #require(try transaction.object(ofType: WriteBook.self, forPrimaryKey: "3"))
        three.pages = 3
        _ = try transaction.count(WriteBook.self)
        try transaction.delete(three)
        let four = try transaction.create(WriteBook.self, value: ["isbn": "4"])
        four.pages = 4
      }
    }
    #expect(changes.count == 1)
    let books = changes[0][WriteBook.self]
    #expect(
      names(books.modified) == ["1", "2"] && names(books.deleted) == ["3"] && names(books.inserted) == ["4"]
    )
  }

  @Test func clearedLinksAreModifications() throws {
    defer { repository.closeChecked() }
    let author = WriteAuthor("Ann")
    author.books.append(objectsIn: [WriteBook("1"), WriteBook("2")])
    let book = WriteBook("3")
    book.author = author
    try repository.saveNow([book])
    let one = try changes { try repository.deleteNow([WriteBook("1")]) }
    #expect(one.count == 1 && one[0][WriteAuthor.self].modified.count == 1)
    #expect(names(one[0][WriteBook.self].deleted) == ["1"] && one[0][WriteBook.self].modified.isEmpty)
    let all = try changes { try repository.deleteAllAndWait(deleteObjClass: WriteAuthor.self) }
    #expect(all.count == 1 && all[0][WriteAuthor.self].deleted.count == 1)
    #expect(names(all[0][WriteBook.self].modified) == ["3"])
  }

  @Test func theChangeSetsOfManyWritersAddUpToTheContents() async throws {
    defer { repository.closeChecked() }
    let state = Lock<(keys: Set<ObjectKey>, wrong: [String])>(([], []))
    let token = try repository.observe { changes in
      let books = changes[WriteBook.self]
      state.withLock { state in
        if !state.keys.isDisjoint(with: books.inserted) { state.wrong.append("inserted twice") }
        if !state.keys.isSuperset(of: books.modified) {
          state.wrong.append("modified before it was inserted")
        }
        if !state.keys.isSuperset(of: books.deleted) { state.wrong.append("deleted before it was inserted") }
        state.keys.formUnion(books.inserted)
        state.keys.subtract(books.deleted)
      }
    }
    let repository = repository
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<16 {
        group.addTask {
          var random = StressRandom(seed: UInt64(task))
          for number in 0..<60 {
            let book = WriteBook("\(random.next(80))", title: "\(number)")
            if random.next(3) == 0 {
              _ = try? await repository.delete(entity: book)
            } else {
              _ = try? await repository.save(entity: book, update: random.next(2) == 0)
            }
          }
        }
      }
    }
    try repository.store().waitUntilDelivered()
    token.invalidate()
    let (keys, wrong) = state.withLock { $0 }
    #expect(wrong == [])
    #expect(names(keys) == Set(repository.isbns))
  }

  /// This holds also where both have changed the same object before the observer comes to it.
  @Test func ownChangesDoNotHideThoseOfOthers() throws {
    defer { repository.closeChecked() }
    try repository.saveNow((1...4).map { WriteBook("\($0)") })
    let seen = Lock<[ChangeSet]>([])
    let queue = DispatchQueue(label: "listener")
    let token = try repository.observe(on: queue) { changes in seen.withLock { $0.append(changes) } }
    func change(_ isbn: String, silent: [NotificationToken]) throws {
      try repository.write(withoutNotifying: silent) { (transaction: WriteTransaction) in
        try #require(try transaction.object(ofType: WriteBook.self, forPrimaryKey: isbn)).pages += 1
      }
    }
    queue.suspend()
    try change("1", silent: [])
    try change("2", silent: [])
    try change("2", silent: [token])
    try change("3", silent: [token])
    try change("3", silent: [])
    try change("4", silent: [token])
    queue.resume()
    try repository.store().waitUntilDelivered()
    #expect(
      seen.withLock { $0 }.reduce(into: Set()) { $0.formUnion(names($1[WriteBook.self].modified)) } == [
        "1", "2", "3",
      ]
    )
    withExtendedLifetime(token) {}
  }

  @Test func aTokenThatIsGoneHearsNothing() throws {
    defer { repository.closeChecked() }
    let count = Lock(0)
    var token: NotificationToken? = try repository.observe { _ in count.withLock { $0 += 1 } }
    try repository.saveNow([WriteBook("1")])
    try repository.store().waitUntilDelivered()
    #expect(count.withLock { $0 } == 1 && token != nil)
    token = nil
    try repository.saveNow([WriteBook("2")])
    try repository.store().waitUntilDelivered()
    #expect(count.withLock { $0 } == 1)
  }
}
