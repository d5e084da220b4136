import Fief
import FiefTesting
import Foundation
import Testing

@Suite(.freshStores) struct StoreManagerTests {
  private struct Books: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "books" }
    var schemaVersion: UInt64? { 4 }
    var objectTypes: [Object.Type]? { [PlaceBook.self, PlaceAuthor.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  private struct Authors: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inMemory(identifier: "authors") }
    var schemaName: String? { "authors" }
    var schemaVersion: UInt64? { nil }
    var objectTypes: [Object.Type]? { [PlaceBook.self, PlaceAuthor.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
    var migrationBlock: MigrationBlock? { nil }
  }

  private struct Broken: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "broken" }
    var schemaVersion: UInt64? { nil }
    var objectTypes: [Object.Type]? { [PlaceBook.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
    var migrationBlock: MigrationBlock? { nil }
  }

  @Test func opensAndClosesAllStoresTogether() throws {
    let manager = StoreManager(repositories: [Books(), Authors()])
    try manager.openAll()
    #expect(manager.openingErrors().isEmpty)
    let stores = manager.repositories.map { $0.store() }
    try Books().write { try $0.add(PlaceBook("1")) }
    let core = try Books().store().core()
    manager.close()
    // A call that began before the store was closed.
    #expect(throws: FiefError.self) { try core.overview(of: nil) }
    for store in stores { #expect(throws: FiefError.self) { try store.read { _ in } } }
    try manager.openAll()
    try expectCount(of: Books(), PlaceBook.self, 1)
    manager.close()
    manager.close()
  }

  @Test func aStoreThatCannotBeOpenedKeepsNoOtherFromOpening() throws {
    let manager = StoreManager(repositories: [Books(), Broken(), Authors()])
    let error = #expect(throws: FiefError.self) { try manager.openAll() }
    #expect(error?.code == .invalidSchema && error?.store == "broken")
    #expect(manager.openingErrors().mapValues(\.code) == ["broken": .invalidSchema])
    #expect(Books().store().openingError == nil && Authors().store().openingError == nil)
    #expect(throws: FiefError.self) { try manager.overview() }
  }

  @Test func theOverviewSaysWhatEachStoreHolds() throws {
    let manager = StoreManager(repositories: [Books(), Authors()])
    try Books().write { transaction in
      for index in 0..<1000 { try transaction.add(PlaceBook("\(index)", "Title \(index)")) }
      try transaction.add(PlaceAuthor("Austen"))
    }
    #expect(throws: FiefError.self) { try Books().write { try $0.add(PlaceBook("1")) } }
    let overviews = try manager.overview()
    #expect(overviews.map(\.name) == ["books", "authors"])
    let books = try #require(overviews.first)
    #expect(books.schemaVersion == 4 && !books.isInMemory && overviews[1].isInMemory)
    #expect(books.types.map(\.name) == ["PlaceAuthor", "PlaceBook"])
    #expect(books.types.map(\.count) == [1, 1000] && books.count == 1001)
    #expect(overviews[1].count == 0 && overviews[1].schemaVersion == 0)
    let bytes = books.types.reduce(0) { $0 + $1.bytes }
    #expect(bytes > 1000 * 20 && bytes <= books.fileSize)
    let attributes = try FileManager.default.attributesOfItem(atPath: books.directory + "/data.mdb")
    #expect(attributes[.size] as? Int == books.fileSize)
    #expect(books.metrics.commits == 1 && books.metrics.failures == 1)
  }
}

/// The directories of a manager's stores: without fresh stores, since these are in places of their own.
@Suite struct StoreManagerDirectoryTests {
  private final class Shelf: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "shelf" }
    var schemaVersion: UInt64? { nil }
    var objectTypes: [Object.Type]? { [PlaceBook.self, PlaceAuthor.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
    var migrationBlock: MigrationBlock? { nil }
  }

  @Test func repositoriesOfTheTypesFindTheManagersDirectory() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    let manager = StoreManager(directory: root + "/one", repositories: [Shelf()])
    try manager.openAll()
    #expect(try manager.overview().map(\.directory) == [root + "/one/shelf"])
    #expect(Shelf().store() === manager.repositories[0].store())
    // A manager's own repositories stay in its directory when another one is made.
    let other = StoreManager(directory: root + "/two", repositories: [Shelf()])
    try other.openAll()
    #expect(manager.repositories[0].store().directory == root + "/one/shelf")
    #expect(other.repositories[0].store().directory == root + "/two/shelf")
    let mode =
      try FileManager.default.attributesOfItem(atPath: root + "/one/shelf")[.posixPermissions] as? Int
    #expect(mode == 0o700)
    manager.close()
    other.close()
  }
}
