import Fief
import FiefTesting
import Foundation
import Testing

@Suite struct StoreFixtureTests {
  @Test(arguments: StoreKind.allCases) func isAStoreOfTheRepositoryInAFreshPlace(_ kind: StoreKind) throws {
    let first = try StoreFixture(ShopRepository(), kind)
    let second = try StoreFixture(ShopRepository(), kind)
    try first.write { try $0.add(ShopDog(1, "Lulu")) }
    try expectCount(of: first, ShopDog.self, 1)
    try expectCount(of: second, ShopDog.self, 0)
    let overview = try first.overview()
    #expect(overview.name == "shop" && overview.schemaVersion == 3)
    #expect(first.store().directory != second.store().directory)
  }

  @Test(arguments: StoreKind.allCases) func keepsItsContentsOverClosing(_ kind: StoreKind) throws {
    let shop = try StoreFixture(ShopRepository(), kind)
    try shop.write { try $0.add(ShopDog(1, "Lulu")) }
    shop.close()
    try expectContents(of: shop, ShopDog.self, \.name, equal: ["Lulu"])
    try shop.compact()
    try expectContents(of: shop, ShopDog.self, \.name, equal: ["Lulu"])
    try shop.deleteStore()
    try expectCount(of: shop, ShopDog.self, 0)
  }

  @Test func aStoreInMemoryIsGoneWhenItIsClosed() throws {
    let visits = try StoreFixture(VisitRepository())
    try visits.write { try $0.add(ShopVisit("a")) }
    try expectCount(of: visits, ShopVisit.self, 1)
    visits.close()
    try expectCount(of: visits, ShopVisit.self, 0)
  }

  @Test(arguments: StoreKind.allCases) func isRemovedWhenItIsReleased(_ kind: StoreKind) throws {
    var shop: StoreFixture? = try StoreFixture(ShopRepository(), kind)
    let store = try #require(shop?.store())
    let directory = try #require(store.directory)
    #expect(FileManager.default.fileExists(atPath: directory))
    shop = nil
    #expect(!FileManager.default.fileExists(atPath: directory))
    let root = URL(fileURLWithPath: directory).deletingLastPathComponent().deletingLastPathComponent().path
    #expect(!FileManager.default.fileExists(atPath: root))
    #expect(throws: FiefError.self) { try store.read { try $0.count(ShopDog.self) } }
  }

  @Test func afterItsEndItIsClosed() throws {
    let shop = try StoreFixture(ShopRepository())
    let directory = try #require(shop.directory)
    shop.end()
    shop.end()
    let error = #expect(throws: FiefError.self) { try shop.count(ShopDog.self) }
    #expect(error?.code == .storeClosed)
    // The attempt has not created the directories of the sandbox again.
    #expect(!FileManager.default.fileExists(atPath: directory))
    let root = URL(fileURLWithPath: directory).deletingLastPathComponent().path
    #expect(!FileManager.default.fileExists(atPath: root))
  }

  @Test func redirectsRepositoriesThatAreMadeElsewhere() async throws {
    let shop = try StoreFixture(ShopRepository())
    let visits = try StoreFixture(VisitRepository())
    try await visits.redirect {
      try await shop.redirect {
        try Shop().add(1, "Lulu")
        try await Shop().addLater(2, "Rex")
        try await withThrowingTaskGroup(of: Void.self) { group in
          for id in 3..<20 { group.addTask { try await Shop().addLater(id, "Dog") } }
          try await group.waitForAll()
        }
      }
    }
    try expectCount(of: shop, ShopDog.self, 19)
    try expectContents(of: visits, ShopVisit.self, \.page, equal: ["dog 1"])
  }

  @Test func redirectsOnTheThreadOfTheWriteQueueToo() async throws {
    try await withFreshStores {
      try await VisitRepository().write { try $0.add(ShopVisit("before")) }
      let visits = try await ShopRepository().write { transaction in
        try transaction.add(ShopDog(1, "Lulu"))
        return try VisitRepository().count(ShopVisit.self)
      }
      #expect(visits == 1)
    }
  }

  @Test func unnamedStoresInMemoryAreOneInAFixture() throws {
    let unnamed = TestRepository(memoryType: .inMemory(identifier: nil), objectTypes: [ShopVisit.self])
    let fixture = try StoreFixture(unnamed)
    try fixture.redirect { try unnamed.write { try $0.add(ShopVisit("a")) } }
    try expectCount(of: fixture, ShopVisit.self, 1)
  }

  @Test func isSeededFromObjectsAndJSON() throws {
    let person = "[{\"id\": \"jane\", \"dogs\": [{\"id\": 2, \"name\": \"Rex\", \"chip\": {\"number\": 7}}]}]"
    let shop = try StoreFixture(
      ShopRepository(),
      seed: .objects([ShopDog(1, "Lulu")]),
      .json(ShopPerson.self, person),
      .writing { try $0.add(ShopDog(3, "Bo")) }
    )
    try expectContents(of: shop, ShopDog.self, \.name, equal: ["Lulu", "Rex", "Bo"])
    #expect(shop.object(ofType: ShopPerson.self, forPrimaryKey: "jane")?.dogs.first?.chip?.number == 7)
  }

  @Test func isSeededFromAFile() throws {
    let path = NSTemporaryDirectory() + "/fief seed \(UUID()).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("[{\"id\": 1, \"name\": \"Lulu\"}, {\"id\": 2, \"name\": \"Rex\"}]".utf8)
      .write(to: URL(fileURLWithPath: path))
    let shop = try StoreFixture(ShopRepository(), seed: .jsonFile(ShopDog.self, at: path))
    try expectContents(of: shop, ShopDog.self, \.name, equal: ["Lulu", "Rex"])
    let error = #expect(throws: FiefError.self) {
      _ = try StoreFixture(ShopRepository(), seed: .jsonFile(ShopDog.self, at: "no such file.json"))
    }
    #expect(error?.code == .inputOutput)
    #expect(error?.path?.hasSuffix("FiefTestingTests/no such file.json") == true)
  }

  @Test func saysWhyItCannotBeOpened() throws {
    let error = #expect(throws: FiefError.self) {
      _ = try StoreFixture(TestRepository("a/b", objectTypes: [ShopVisit.self]))
    }
    #expect(error?.code == .invalidStoreName)
  }

  @Test func failsTheTestForADamagedStore() throws {
    try withKnownIssue {
      let shop = try StoreFixture(ShopRepository(), .onDisk)
      try shop.write { transaction in
        for id in 0..<2000 { try transaction.add(ShopDog(id, "Dog number \(id)")) }
      }
      let directory = try #require(shop.store().directory)
      shop.close()
      try damage(directory + "/data.mdb")
      shop.end()
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("The store is damaged: shop") }
    }
  }

  /// Turns a letter of each name into another one, where no structure of the file is.
  private func damage(_ path: String) throws {
    let url = URL(fileURLWithPath: path)
    var bytes = [UInt8](try Data(contentsOf: url))
    let pattern = Array("Dog number 1".utf8)
    var index = 0
    while index + pattern.count < bytes.count {
      if bytes[index] == pattern[0], bytes[index..<(index + pattern.count)].elementsEqual(pattern) {
        bytes[index + 1] = UInt8(ascii: "i")
      }
      index += 1
    }
    try Data(bytes).write(to: url)
  }
}
