import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article *Testing*: each test here is one that an application has.
@Suite struct TestingArticleTests {
  final class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var isAdopted = false
  }

  struct KennelRepository: DatabaseConfigurable {
    let schemaName: String? = "kennel"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Dog.self]
  }

  // Documentation: begin code
  /// The code under test makes its own repository.
  struct Kennel {
    var message = ""

    mutating func adopt(_ id: Int) async {
      do {
        try await KennelRepository().write { transaction in
          try transaction.object(ofType: Dog.self, forPrimaryKey: id)?.isAdopted = true
        }
        message = "Welcome home."
      } catch {
        message = "Try again later."
      }
    }
  }
  // Documentation: end code

  // Documentation: begin suite
  @Suite(.freshStores) struct KennelTests {
    @Test func adopts() async throws {
      try await KennelRepository().save(
        entity: Dog(value: ["id": 1, "name": "Rex"] as [String: Any]),
        update: true
      )
      var kennel = Kennel()
      await kennel.adopt(1)
      #expect(kennel.message == "Welcome home.")
      try expectContents(of: KennelRepository(), Dog.self, \.isAdopted, equal: [true])
    }

    @Test func saysThatItFailed() async throws {
      let repository = KennelRepository()
      try repository.open()
      try repository.writes.failNext(with: FiefError(.storeFull, "The disk is full."))
      var kennel = Kennel()
      await kennel.adopt(1)
      #expect(kennel.message == "Try again later.")
    }
  }
  // Documentation: end suite

  // Documentation: begin seed
  static let twoDogs = StoreSeed.json(Dog.self, #"[{"id": 1, "name": "Rex"}, {"id": 2, "name": "Lulu"}]"#)

  @Test(.freshStores(seeding: KennelRepository(), with: twoDogs)) func beginsWithTwoDogs() throws {
    try expectCount(of: KennelRepository(), Dog.self, 2)
  }
  // Documentation: end seed

  // Documentation: begin fixture
  @Test(arguments: StoreKind.allCases) func countsDogs(_ kind: StoreKind) throws {
    let kennel = try StoreFixture(KennelRepository(), kind, seed: Self.twoDogs)
    try kennel.write { try $0.delete(ofType: Dog.self, forPrimaryKeys: [1]) }
    kennel.close()  // What was written is there when the store is opened again.
    try expectContents(of: kennel, Dog.self, \.name, equal: ["Lulu"])
  }
  // Documentation: end fixture

  // Documentation: begin events
  @Test(.freshStores) func aMisspelledQueryFindsNothing() {
    let events = withExpectedEvents {
      #expect(KennelRepository().store().objects(Dog.self).filter("nmae = 'Rex'").isEmpty)
    }
    #expect(events.first?.failure?.code == .unknownProperty)
  }
  // Documentation: end events

  // Documentation: begin migration
  @Test func anOldStoreIsMigrated() throws {
    let old = try StoreFixture(KennelRepository(), .onDisk, seed: Self.twoDogs)
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("kennel-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try old.backup(to: directory + "/kennel")

    let new = TestRepository(
      "kennel",
      in: directory,
      version: 2,
      objectTypes: [Dog.self],
      migration: { migration, _ in
        migration.enumerateObjects(ofType: "Dog") { _, new in new?["isAdopted"] = true }
      }
    )
    try expectContents(of: new, Dog.self, \.isAdopted, equal: [true, true])
    new.close()
  }
  // Documentation: end migration

  @Test func theArticleShowsIt() throws { try ArticleCode.expectSame("Testing", as: #filePath) }
}
