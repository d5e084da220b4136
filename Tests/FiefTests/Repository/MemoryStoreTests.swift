import Fief
import FiefTesting
import Foundation
import Testing

/// Stores in memory: without a fixture, since what is tested is when they begin and end.
@Suite struct MemoryStoreTests {
  private let identifier = "\(UUID())"

  private func repository(
    _ identifier: String?,
    _ name: String = "memory",
    version: UInt64? = 1,
    types: [Object.Type] = [PlaceBook.self, PlaceAuthor.self],
    migration: MigrationBlock? = nil
  ) -> TestRepository {
    TestRepository(
      name,
      memoryType: .inMemory(identifier: identifier),
      version: version,
      objectTypes: types,
      migration: migration
    )
  }

  @Test func theSameIdentifierIsTheSameStoreUntilItIsClosed() throws {
    let first = repository(identifier)
    defer { first.close() }
    try first.write { try $0.add(PlaceBook("1", "Emma")) }
    let second = repository(identifier)
    #expect(second.store() === first.store())
    try expectContents(of: second, PlaceBook.self, \.title, equal: ["Emma"])
    let directory = try #require(first.store().directory)
    second.close()
    #expect(!FileManager.default.fileExists(atPath: directory))
    try expectCount(of: first, PlaceBook.self, 0)
  }

  @Test func otherIdentifiersAndOtherNamesAreOtherStores() throws {
    let repositories = [
      repository(identifier), repository(identifier + "b"), repository(identifier, "other"),
    ]
    defer { repositories.forEach { $0.close() } }
    for (index, repository) in repositories.enumerated() {
      try expectCount(of: repository, PlaceBook.self, 0)
      try repository.write { try $0.add(PlaceBook("\(index)")) }
    }
    for (index, repository) in repositories.enumerated() {
      try expectContents(of: repository, PlaceBook.self, \.isbn, equal: ["\(index)"])
    }
  }

  private class Nameless: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inMemory(identifier: nil) }
    var schemaName: String? { "nameless" }
    var schemaVersion: UInt64? { nil }
    var objectTypes: [Object.Type]? { [PlaceBook.self, PlaceAuthor.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
    var migrationBlock: MigrationBlock? { nil }
  }

  @Test func withoutAnIdentifierEachRepositoryHasAStoreOfItsOwn() throws {
    let first = Nameless()
    let second = Nameless()
    try first.write { try $0.add(PlaceBook("1")) }
    try expectCount(of: second, PlaceBook.self, 0)
    // Alive between calls, not only during them.
    try expectCount(of: first, PlaceBook.self, 1)
    first.close()
    second.close()
  }

  @Test func withoutAnIdentifierTheStoreEndsWithItsRepository() throws {
    var first: Nameless? = Nameless()
    try first?.write { try $0.add(PlaceBook("1")) }
    let directory = try #require(first?.store().directory)
    #expect(FileManager.default.fileExists(atPath: directory))
    first = nil
    // Another repository may get the same address: it must not see the old store.
    let others = (0..<16).map { _ in Nameless() }
    for other in others { try expectCount(of: other, PlaceBook.self, 0) }
    #expect(!FileManager.default.fileExists(atPath: directory))
    others.forEach { $0.close() }
  }

  @Test func aStoreLivesOnWhileItsResultsAreHeld() throws {
    let books = repository(identifier)
    defer { books.close() }
    let results = try #require(books.queryAll(returningClass: PlaceBook.self))
    for index in 0..<100 { try books.write { try $0.add(PlaceBook("\(index)")) } }
    #expect(results.count == 100)
  }

  @Test func theSchemaIsEnforced() throws {
    let books = repository(identifier)
    defer { books.close() }
    let foreign = #expect(throws: FiefError.self) { try books.count(ShelfThing.self) }
    #expect(foreign?.code == .unknownType && foreign?.type == "ShelfThing")
    let failure = #expect(throws: FiefError.self) { try books.saveAndWait(entity: ShelfThing()) }
    #expect(failure?.code == .unknownType)
    #expect(try books.check().problems == [])
  }

  private final class ShelfThing: Object {
    @Persisted var label = ""
  }

  @Test func invalidSchemasAreRefused() {
    let broken = repository(identifier, types: [PlaceBook.self])
    let error = broken.store().openingError
    #expect(error?.code == .invalidSchema)
    #expect(error?.details.contains { $0.contains("PlaceAuthor") } == true)
  }
}
