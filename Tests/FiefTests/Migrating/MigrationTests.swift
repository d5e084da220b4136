import Fief
import Foundation
import Testing

/// The classes of a store at several versions; the names in the store are those without the enumeration.
private enum Version1 {
  final class Pet: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var weight: Int32 = 0
    @Persisted var owner: Keeper?
    @Persisted var nick: String?
  }
  final class Keeper: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var fullName = ""
  }
}

private enum Version2 {
  final class Pet: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var weight = 0
    @Persisted var owner: Keeper?
    @Persisted var nick = "none"
    @Persisted var born = Date(timeIntervalSince1970: 86_400)
    @Persisted var toys: List<String>
  }
  final class Keeper: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var firstName = ""
    @Persisted var lastName = ""
  }
  final class Clinic: Object {
    @Persisted var city = "Ulm"
  }
}

private enum Version3 {
  final class Pet: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var callName = ""
    @Persisted var weight = 0
    @Persisted var nick = "none"
  }
}

private struct Failure: Error {}

private struct Repository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "migrating" }
  var schemaVersion: UInt64?
  var objectTypes: [Object.Type]?
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock?
  var directory: String?
  var storeOptions = StoreOptions()

  static func first(_ directory: String) -> Repository {
    Repository(
      schemaVersion: 1,
      objectTypes: [Version1.Pet.self, Version1.Keeper.self],
      migrationBlock: nil,
      directory: directory
    )
  }

  static func second(_ directory: String, _ block: MigrationBlock? = nil) -> Repository {
    Repository(
      schemaVersion: 2,
      objectTypes: [Version2.Pet.self, Version2.Keeper.self, Version2.Clinic.self],
      migrationBlock: block,
      directory: directory
    )
  }
}

@Suite("Migrations")
struct MigrationTests {
  /// A store at version 1 with pets 1 to `count`, each owned by keeper 1.
  private func withOldStore(count: Int = 50, _ body: (String) throws -> Void) throws {
    let directory = NSTemporaryDirectory() + "fief-migration-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let repository = Repository.first(directory)
    let keeper = Version1.Keeper()
    keeper.id = 1
    keeper.fullName = "Ada Lovelace"
    let pets = (1...count).map { id in
      let pet = Version1.Pet()
      pet.id = id
      pet.name = "Pet \(id)"
      pet.weight = Int32(id * 10)
      pet.nick = id.isMultiple(of: 2) ? "N\(id)" : nil
      pet.owner = keeper
      return pet
    }
    try repository.store().write { try $0.add(pets, update: .all) }
    #expect(try repository.check().problems == [])
    repository.close()
    try body(directory)
  }

  @Test("properties, types and indexes are added and removed by a higher version alone")
  func additive() throws {
    try withOldStore { (directory: String) throws in
      let repository = Repository.second(directory)
      defer { repository.close() }
      let pet = try #require(
        try repository.read { try $0.object(ofType: Version2.Pet.self, forPrimaryKey: 3) }
      )
      #expect(pet.name == "Pet 3")
      #expect(pet.weight == 30, "an integer is widened")
      #expect(pet.nick == "none", "nil becomes the default where the property is required")
      #expect(pet.born == Date(timeIntervalSince1970: 86_400), "a new property has the class's default")
      #expect(pet.toys.isEmpty)
      #expect(pet.owner?.id == 1)
      #expect(repository.object(ofType: Version2.Pet.self, forPrimaryKey: 4)?.nick == "N4")
      #expect(try repository.count(Version2.Clinic.self) == 0)
      #expect(try repository.check().problems == [])
      pet.toys.append("ball")
      try repository.store().write { try $0.add(pet, update: .all) }
      #expect(
        repository.object(ofType: Version2.Pet.self, forPrimaryKey: 3).map { Array($0.toys) } == ["ball"]
      )
      #expect(try repository.check().problems == [])
    }
  }

  @Test("the block sees old and new objects, creates and deletes")
  func block() throws {
    try withOldStore { (directory: String) throws in
      let repository = Repository.second(directory) { migration, oldVersion in
        guard oldVersion == 1 else { throw Failure() }
        try migration.enumerateObjects(ofType: "Keeper") { old, new in
          let parts = try (old?.value("fullName", as: String.self) ?? "").split(separator: " ").map(
            String.init
          )
          new?["firstName"] = parts.first
          new?["lastName"] = parts.last
        }
        try migration.enumerateObjects(ofType: "Pet") { old, new in
          let id = try old?.value("id", as: Int.self) ?? 0
          if let new, id > 40 { migration.delete(new) }
          new?["toys"] = ["toy of \(id)"]
        }
        migration.create("Clinic", value: ["city": "Bonn"])
        migration.create("Pet", value: ["id": 1000, "name": "New"])
      }
      defer { repository.close() }
      try repository.read { snapshot in
        let keeper = try #require(try snapshot.object(ofType: Version2.Keeper.self, forPrimaryKey: 1))
        #expect(keeper.firstName == "Ada")
        #expect(keeper.lastName == "Lovelace")
        #expect(try snapshot.count(Version2.Pet.self) == 41)
        let pet = try #require(try snapshot.object(ofType: Version2.Pet.self, forPrimaryKey: 7))
        #expect(Array(pet.toys) == ["toy of 7"])
        #expect(try snapshot.object(ofType: Version2.Pet.self, forPrimaryKey: 1000)?.nick == "none")
        #expect(snapshot.objects(Version2.Clinic.self).first?.city == "Bonn")
      }
      #expect(try repository.check().problems == [])
    }
  }

  @Test("a property keeps its values under a new name, and a type is removed")
  func renameAndRemove() throws {
    try withOldStore { (directory: String) throws in
      let repository = Repository(
        schemaVersion: 5,
        objectTypes: [Version3.Pet.self],
        migrationBlock: { (migration: Migration, _: UInt64) throws in
          migration.renameProperty(onType: "Pet", from: "name", to: "callName")
        },
        directory: directory
      )
      defer { repository.close() }
      #expect(repository.object(ofType: Version3.Pet.self, forPrimaryKey: 9)?.callName == "Pet 9")
      #expect(try repository.count(Version3.Pet.self) == 50)
      #expect(try repository.check().problems == [])
      let removed = repository.queryAll(returningClass: Version1.Keeper.self)
      #expect(removed.map { _ in true } == nil)
    }
  }

  @Test("what the block throws leaves the store at the old version, as it was")
  func failingBlock() throws {
    try withOldStore { (directory: String) throws in
      let failing = Repository.second(directory) { migration, _ in
        migration.deleteData(forType: "Pet")
        migration.create("Clinic")
        throw Failure()
      }
      let error = try #require(failing.store().openingError)
      #expect(error.code == .migrationFailed)
      #expect(error.store == "migrating")
      #expect(error.underlying is Failure)
      let old = Repository.first(directory)
      defer { old.close() }
      #expect(try old.count(Version1.Pet.self) == 50)
      #expect(try old.check().problems == [])
    }
  }

  @Test("a wrong assignment in the block is an error that names type, property and key")
  func wrongAssignment() throws {
    try withOldStore { (directory: String) throws in
      let failing = Repository.second(directory) { migration, _ in
        migration.enumerateObjects(ofType: "Pet") { _, new in new?["weight"] = "heavy" }
      }
      let error = try #require(failing.store().openingError)
      #expect(error.code == .invalidValue)
      #expect(error.type == "Pet")
      #expect(error.property == "weight")
      #expect(error.key == "1")
    }
  }

  @Test("the same version with another schema lists every difference")
  func sameVersion() throws {
    try withOldStore { (directory: String) throws in
      var repository = Repository.second(directory)
      repository.schemaVersion = 1
      let error = try #require(repository.store().openingError)
      #expect(error.code == .migrationRequired)
      for part in ["Clinic", "Pet.born", "Pet.toys", "Pet.weight", "Pet.nick", "Pet.name", "Keeper.fullName"]
      {
        #expect(error.details.contains { $0.contains(part) }, "\(part) is missing in \(error.details)")
      }
      // The last one says what a higher version alone drops.
      #expect(error.details.count == 10, "\(error.details)")
      #expect(
        error.details.last?.hasPrefix("a higher version alone drops the values of Keeper.fullName") == true
      )
      repository.storeOptions.deletesIfMigrationNeeded = true
      defer { repository.close() }
      #expect(try repository.count(Version2.Pet.self) == 0)
    }
  }

  @Test("a lower version is refused")
  func lowerVersion() throws {
    try withOldStore { (directory: String) throws in
      var repository = Repository.first(directory)
      repository.schemaVersion = 0
      let error = try #require(repository.store().openingError)
      #expect(error.code == .versionTooLow)
      #expect(error.details.contains { $0.contains("1") })
    }
  }
}
