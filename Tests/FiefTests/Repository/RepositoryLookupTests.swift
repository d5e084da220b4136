import Fief
import Foundation
import Testing

/// The store that a repository finds at each call, when the process has others open that look much like it.
@Suite struct RepositoryLookupTests {
  private struct Shelf: DatabaseConfigurable {
    var directory: String?
    var schemaName: String? = "shelf"
    var schemaVersion: UInt64? = 1
    var realmMemoryType = RealmMemoryType.inStorage
    var objectTypes: [Object.Type]? { [PlaceBook.self, PlaceAuthor.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  private final class Library: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "library" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [PlaceBook.self, PlaceAuthor.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  private func withDirectories(_ body: (String, String) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    }
    try body("\(root)/a", "\(root)/b")
  }

  private func titles(_ repository: some DatabaseConfigurable) -> String? {
    repository.object(ofType: PlaceBook.self, forPrimaryKey: "1")?.title
  }

  private func put(_ title: String, in repository: some DatabaseConfigurable) throws {
    try repository.write { try $0.add(PlaceBook("1", title), update: .all) }
  }

  @Test func directoryNameAndMemoryTellRepositoriesOfOneTypeApart() throws {
    try withDirectories { first, second in
      let shelves = [
        Shelf(directory: first), Shelf(directory: second), Shelf(directory: first, schemaName: "other"),
        Shelf(directory: first, realmMemoryType: .inMemory(identifier: first)),
        Shelf(directory: first, realmMemoryType: .inMemory(identifier: second)),
      ]
      for (index, shelf) in shelves.enumerated() { try put("\(index)", in: shelf) }
      for _ in 0..<3 {
        #expect(shelves.map { titles($0) } == ["0", "1", "2", "3", "4"])
      }
      #expect(Shelf(directory: second).store() === shelves[1].store())
      for shelf in shelves {
        #expect(try shelf.check().problems.isEmpty)
        shelf.close()
      }
    }
  }

  @Test func aClosedStoreIsOpenedAgain() throws {
    try withDirectories { directory, _ in
      let shelf = Shelf(directory: directory)
      try put("kept", in: shelf)
      let before = shelf.store()
      shelf.close()
      #expect(before.object(ofType: PlaceBook.self, forPrimaryKey: "1") == nil)
      #expect(titles(shelf) == "kept")
      #expect(shelf.store() !== before)
      try shelf.deleteStore()
      #expect(titles(shelf) == nil)
      shelf.close()
    }
  }

  @Test func anotherVersionIsRefusedThoughTheStoreIsKnown() throws {
    try withDirectories { directory, _ in
      let shelf = Shelf(directory: directory)
      try put("kept", in: shelf)
      #expect(titles(shelf) == "kept")
      let later = Shelf(directory: directory, schemaVersion: 2)
      #expect(later.store().openingError?.code == .migrationRequired)
      #expect(titles(shelf) == "kept")
      shelf.close()
    }
  }

  @Test func objectsOfOneTypeKeepTheDirectoriesOfTheirManagers() throws {
    try withDirectories { first, second in
      let one = Library()
      let two = Library()
      let manager = StoreManager(directory: first, repositories: [one])
      try put("one", in: one)
      #expect(titles(Library()) == "one")
      let other = StoreManager(directory: second, repositories: [two])
      try put("two", in: two)
      for _ in 0..<3 {
        #expect(titles(one) == "one" && titles(two) == "two")
        // One that is in neither of them is used in neither of them.
        #expect(Library().store().openingError?.code == .ambiguousRepository)
      }
      withExtendedLifetime((manager, other)) {}
      one.close()
      two.close()
    }
  }
}
