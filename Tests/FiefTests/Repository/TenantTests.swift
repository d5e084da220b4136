import Fief
import FiefTesting
import Foundation
import Synchronization
import Testing

/// Several managers with the same repositories in different directories: one for each tenant.
@Suite(.serialized) struct TenantTests {
  private struct Shelf: DatabaseConfigurable, Sendable {
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "tenant-shelf" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [PlaceBook.self, PlaceAuthor.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  private struct Single: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "single-shelf" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [PlaceBook.self, PlaceAuthor.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  private final class Desk: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "tenant-desk" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [PlaceBook.self, PlaceAuthor.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  private struct Draft: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inMemory(identifier: nil) }
    var schemaName: String? { "tenant-draft" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [PlaceBook.self, PlaceAuthor.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  private func withDirectory<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    return try await body(root)
  }

  private func withRoot(_ body: (String) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    try body(root)
  }

  private func titles(_ repository: some DatabaseConfigurable) throws -> [String] {
    try repository.read { snapshot in snapshot.objects(PlaceBook.self).map(\.title).sorted() }
  }

  private static func put(_ isbn: String, _ title: String, in store: Store) throws {
    try store.write { try $0.add(PlaceBook(isbn, title)) }
  }

  private func close(_ managers: StoreManager...) throws {
    for manager in managers {
      for repository in manager.repositories { #expect(try repository.check().problems.isEmpty) }
      manager.close()
    }
  }

  @Test func eachTenantWritesToItsOwnDirectory() throws {
    try withRoot { root in
      let first = StoreManager(directory: root + "/a", repositories: [Shelf(), Desk()])
      let second = StoreManager(directory: root + "/b", repositories: [Shelf(), Desk()])
      // The first one is used when the second one is there.
      try first.repository(Shelf.self).write { try $0.add(PlaceBook("1", "bound")) }
      try first.store(for: Shelf()).write { try $0.add(PlaceBook("2", "store")) }
      try first.use { try Shelf().write { try $0.add(PlaceBook("3", "used")) } }
      try first.repository(Desk.self).write { try $0.add(PlaceBook("1", "desk")) }
      try first.write(to: [Shelf(), Desk()]) { write in
        try write.transaction(of: Shelf()).add(PlaceBook("5", "together"))
      }
      #expect(try titles(first.repositories[0]) == ["bound", "store", "together", "used"])
      #expect(try titles(second.repositories[0]) == [])
      #expect(try titles(first.repository(Desk.self)) == ["desk"])
      #expect(try titles(second.repository(Desk.self)) == [])
      #expect(
        first.repositories.map { $0.store().directory }
          == ["a/tenant-shelf", "a/tenant-desk"].map { "\(root)/\($0)" }
      )
      #expect(second.store(for: Shelf()).directory == root + "/b/tenant-shelf")
      #expect(try second.overview().map(\.directory) == second.repositories.map { $0.store().directory })
      try close(first, second)
    }
  }

  @Test func aValueThatTwoManagersHaveIsNotUsedInEitherOfThem() throws {
    try withRoot { root in
      let first = StoreManager(directory: root + "/a", repositories: [Shelf()])
      do {
        let second = StoreManager(directory: root + "/b", repositories: [Shelf()])
        let error = #expect(throws: FiefError.self) { try Shelf().write { try $0.add(PlaceBook("1")) } }
        #expect(error?.code == .ambiguousRepository && error?.store == "tenant-shelf")
        #expect(error?.details.contains { $0.contains(root + "/a") && $0.contains(root + "/b") } == true)
        #expect(Shelf().store().openingError?.code == .ambiguousRepository)
        #expect(throws: FiefError.self) { try Shelf().deleteStore() }
        try close(second)
        withExtendedLifetime(second) {}
      }
      // The value belongs to the one manager that is alive again.
      try Shelf().write { try $0.add(PlaceBook("1", "first")) }
      #expect(try titles(first.repositories[0]) == ["first"])
      #expect(Shelf().store() === first.repositories[0].store())
      // A directory in another spelling is the same one.
      let third = StoreManager(directory: root + "/./a/", repositories: [Shelf()])
      #expect(try titles(Shelf()) == ["first"])
      try close(first)
      withExtendedLifetime(third) {}
    }
  }

  @Test func usersOfOneManagerMakeRepositoriesWhereTheyNeedThem() throws {
    try withRoot { root in
      var manager: StoreManager? = StoreManager(directory: root + "/a", repositories: [Single()])
      try Single().write { try $0.add(PlaceBook("1", "kept")) }
      #expect(Single().store().directory == root + "/a/single-shelf")
      manager?.close()
      manager = nil
      // The directory outlives the manager, which may be released after its last use.
      #expect(try titles(Single()) == ["kept"])
      #expect(Single().store().directory == root + "/a/single-shelf")
      Single().close()
      // Until there is another one.
      let other = StoreManager(directory: root + "/b", repositories: [Single()])
      #expect(try titles(Single()) == [])
      #expect(Single().store().directory == root + "/b/single-shelf")
      try close(other)
    }
  }

  @Test func aRepositoryObjectOfOneManagerIsRefusedByAnother() throws {
    try withRoot { root in
      let desk = Desk()
      let first = StoreManager(directory: root + "/a", repositories: [desk, Shelf()])
      let second = StoreManager(directory: root + "/b", repositories: [desk])
      #expect(#expect(throws: FiefError.self) { try second.openAll() }?.code == .foreignRepository)
      #expect(second.openingErrors().mapValues(\.code) == ["tenant-desk": .foreignRepository])
      #expect(second.store(for: desk).openingError?.code == .foreignRepository)
      #expect(throws: FiefError.self) { try second.repository(Desk.self).write { _ in } }
      #expect(second.store(for: try first.repository(Shelf.self)).openingError?.code == .foreignRepository)
      #expect(second.store(for: Shelf()).openingError?.code == .foreignRepository)
      #expect(
        #expect(throws: FiefError.self) { try second.repository(Shelf.self) }?.code == .foreignRepository
      )
      try desk.write { try $0.add(PlaceBook("1", "desk")) }
      #expect(desk.store().directory == root + "/a/tenant-desk")
      #expect(!FileManager.default.fileExists(atPath: root + "/b"))
      try close(first)
      withExtendedLifetime(second) {}
    }
  }

  @Test func aTaskKeepsTheManagerItWasStartedIn() async throws {
    try await withDirectory { root in
      let first = StoreManager(directory: root + "/a", repositories: [Shelf()])
      let second = StoreManager(directory: root + "/b", repositories: [Shelf()])
      try await first.use {
        try await Shelf().save(entity: PlaceBook("1", "a"), update: true)
        let task = Task { try await Shelf().save(entity: PlaceBook("2", "task"), update: true) }
        _ = try await task.value
      }
      await #expect(throws: FiefError.self) {
        try await Shelf().save(entity: PlaceBook("3", "no"), update: true)
      }
      #expect(try titles(first.repositories[0]) == ["a", "task"])
      #expect(try titles(second.repositories[0]) == [])
      try close(first, second)
    }
  }

  @Test func whatIsInMemoryIsWhereItWasWithoutAManager() throws {
    let manager = StoreManager(directory: "/nowhere", repositories: [Draft()])
    try Draft().write { try $0.add(PlaceBook("1", "draft")) }
    #expect(try titles(manager.repository(Draft.self)) == ["draft"])
    #expect(manager.store(for: Draft()) === Draft().store())
    try close(manager)
  }

  @Test func twelveManagersWorkBesideEachOther() async throws {
    try await withDirectory { root in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for tenant in 0..<12 {
          group.addTask {
            let manager = StoreManager(directory: "\(root)/\(tenant)", repositories: [Shelf()])
            try manager.openAll()
            for number in 0..<5 {
              let book = PlaceBook("\(number)", "\(tenant)")
              try await manager.repositories[0].save(entity: book, update: true)
              try await manager.use {
                try await Shelf().save(entity: PlaceBook("used \(number)", "\(tenant)"), update: true)
              }
              try Self.put("store \(number)", "\(tenant)", in: manager.store(for: Shelf()))
            }
            let found = try manager.repository(Shelf.self)
              .read { Array($0.objects(PlaceBook.self).map(\.title)) }
            #expect(found == Array(repeating: "\(tenant)", count: 15))
            #expect(try manager.overview().map(\.directory) == ["\(root)/\(tenant)/tenant-shelf"])
            #expect(try manager.repository(Shelf.self).check().problems.isEmpty)
            manager.close()
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func managersOfTestsInFreshStoresAreTheirOwn() throws {
    try withRoot { root in
      let outside = StoreManager(directory: root + "/a", repositories: [Shelf()])
      try withFreshStores {
        let inside = StoreManager(directory: root + "/b", repositories: [Shelf()])
        try Shelf().write { try $0.add(PlaceBook("1", "fresh")) }
        #expect(try titles(inside.repositories[0]) == ["fresh"])
        #expect(try titles(inside.repository(Shelf.self)) == ["fresh"])
      }
      #expect(!FileManager.default.fileExists(atPath: root))
      withExtendedLifetime(outside) {}
    }
  }
}
