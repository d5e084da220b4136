import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// The effect of the options on a store that does not exist yet, or that needs a migration.
@Suite struct OpeningOptionTests {
  private let directory: TemporaryDirectory
  /// The directory of a closed store at version 1, with two makers and an item.
  private var seed: String { directory["seed/changes"] }

  init() throws {
    directory = try TemporaryDirectory()
    let repository = ChangeRepository(directory: directory["seed"])
    try repository.write { transaction in
      for id in ["a", "b"] { try transaction.create(ChangeBefore.Maker.self, value: ["id": id]) }
      try transaction.create(ChangeBefore.Item.self, value: ["id": 3, "wide": 4])
    }
    repository.closeChecked()
  }

  private func before(_ change: (inout StoreOptions) -> Void) -> ChangeRepository {
    var repository = ChangeRepository(directory: directory["own"])
    change(&repository.storeOptions)
    return repository
  }

  private func after(_ change: (inout StoreOptions) -> Void) -> ChangeRepository {
    var repository = ChangeRepository.after(directory["own"])
    change(&repository.storeOptions)
    return repository
  }

  private var ownFiles: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory["own"])) ?? []
  }

  // MARK: The version

  @Test func theVersionIsReadWithoutClassesFromAClosedOrOpenStore() throws {
    #expect(try Store.schemaVersion(at: seed) == 1)
    let repository = ChangeRepository.after(directory["seed"])
    defer { repository.closeChecked() }
    #expect(try repository.count(ChangeAfter.Maker.self) == 2)
    #expect(try Store.schemaVersion(at: seed + "/") == 2)
    #expect(try Store.schemaVersion(at: seed) == 2)
    try repository.write { transaction in
      #expect(try Store.schemaVersion(at: seed) == 2)
      try transaction.create(ChangeAfter.Maker.self, value: ["id": "c"])
    }
  }

  @Test func whatIsNoStoreHasNoVersion() throws {
    func code(_ path: String) -> FiefError.Code? {
      do {
        _ = try Store.schemaVersion(at: path)
        return nil
      } catch let error as FiefError {
        #expect(error.path != nil)
        return error.code
      } catch { return nil }
    }
    #expect(code(directory["nowhere"]) == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: directory["nowhere"]))
    try FileManager.default.createDirectory(atPath: directory["empty"], withIntermediateDirectories: true)
    #expect(code(directory["empty"]) == .cannotOpen)
    let environment = try LMDB.Environment.open(directory: directory["other"], options: EnvironmentOptions())
    _ = try environment.openDatabases(["other"], create: true)
    environment.close()
    #expect(code(directory["other"]) == .damagedStore)
    try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: seed + "/data.mdb"))
    #expect(code(seed) == .damagedStore)
  }

  // MARK: Seeds

  @Test(arguments: ["", "/data.mdb"])
  func aNewStoreBeginsAsACopyOfTheSeedAndIsMigrated(suffix: String) throws {
    let original = try Data(contentsOf: URL(fileURLWithPath: seed + "/data.mdb"))
    let repository = after { $0.seedFile = seed + suffix }
    #expect(try repository.count(ChangeAfter.Maker.self) == 2)
    #expect(repository.object(ofType: ChangeAfter.Item.self, forPrimaryKey: 3)?.wide == 4)
    try repository.write { try $0.deleteAll(ChangeAfter.Maker.self) }
    repository.closeChecked()
    // The store exists now, so that the seed is not used again.
    #expect(try repository.count(ChangeAfter.Maker.self) == 0)
    repository.closeChecked()
    #expect(ownFiles == ["changes"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: seed + "/data.mdb")) == original)
    let files = try FileManager.default.contentsOfDirectory(atPath: directory["own/changes"]).sorted()
    #expect(files == ["data.mdb", "lock.mdb", "store.manifest"])
  }

  @Test func aSeedInUseIsCopiedAsItWasLastCommitted() throws {
    let source = ChangeRepository(directory: directory["seed"])
    defer { source.closeChecked() }
    try source.write { transaction in
      try transaction.create(ChangeBefore.Maker.self, value: ["id": "c"])
      let copy = before { $0.seedFile = seed }
      defer { copy.closeChecked() }
      #expect(try copy.count(ChangeBefore.Maker.self) == 2)
    }
  }

  @Test func aStoreInMemoryBeginsAsACopyToo() throws {
    struct Memory: DatabaseConfigurable {
      var storeOptions = StoreOptions()
      let realmMemoryType = RealmMemoryType.inMemory(identifier: UUID().uuidString)
      var schemaName: String? { "changes" }
      var schemaVersion: UInt64? { 1 }
      var objectTypes: [Object.Type]? { ChangeBefore.types }
      var embeddedObjectTypes: [EmbeddedObject.Type]? { ChangeBefore.parts }
      var migrationBlock: MigrationBlock? { nil }
    }
    var memory = Memory()
    memory.storeOptions.seedFile = seed
    #expect(try memory.count(ChangeBefore.Maker.self) == 2)
    memory.closeChecked()
  }

  @Test func aSeedThatCannotBeCopiedLeavesNoStore() throws {
    #expect(before { $0.seedFile = directory["nowhere"] }.store().openingError?.code == .cannotOpen)
    try Data("not a store".utf8).write(to: URL(fileURLWithPath: directory["text"]))
    let foreign = before { $0.seedFile = directory["text"] }
    #expect(foreign.store().openingError?.code == .damagedStore)
    #expect(foreign.store().openingError?.path == directory["text"])
    // The last page is lost, which the catalogue does not show.
    let data = seed + "/data.mdb"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: data))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: directory["half"]))
    #expect(before { $0.seedFile = directory["half"] }.store().openingError?.code == .damagedStore)
    let environment = try LMDB.Environment.open(directory: directory["other"], options: EnvironmentOptions())
    _ = try environment.openDatabases(["other"], create: true)
    environment.close()
    #expect(before { $0.seedFile = directory["other"] }.store().openingError?.code == .damagedStore)
    // No process writes to it, and no call waits for that.
    #expect(mkfifo(directory["pipe"], 0o600) == 0)
    #expect(before { $0.seedFile = directory["pipe"] }.store().openingError?.code == .damagedStore)
    #expect(ownFiles == ["changes"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory["own/changes"]) == [])
    let right = before { $0.seedFile = seed }
    #expect(try right.count(ChangeBefore.Maker.self) == 2)
    right.closeChecked()
  }

  // MARK: Deleting and reading only

  @Test(arguments: [1, 2, 3] as [UInt64])
  func aStoreThatWouldBeMigratedIsDeletedWhereTheOptionsSaySo(version: UInt64) throws {
    func repository(_ isDeleting: Bool) -> ChangeRepository {
      var repository = ChangeRepository.after(directory["seed"])
      repository.schemaVersion = version
      repository.storeOptions.deletesIfMigrationNeeded = isDeleting
      return repository
    }
    let deleting = repository(true)
    #expect(try deleting.count(ChangeAfter.Maker.self) == 0)
    try deleting.write { try $0.create(ChangeAfter.Maker.self, value: ["id": "new"]) }
    deleting.closeChecked()
    // The same version and schema: nothing is deleted.
    #expect(try deleting.count(ChangeAfter.Maker.self) == 1)
    deleting.closeChecked()
    #expect(try Store.schemaVersion(at: seed) == version)
  }

  @Test func aLowerVersionIsDeletedToo() throws {
    var repository = ChangeRepository(directory: directory["seed"])
    repository.schemaVersion = 0
    repository.storeOptions.deletesIfMigrationNeeded = true
    #expect(try repository.count(ChangeBefore.Maker.self) == 0)
    repository.closeChecked()
  }

  @Test func aDeletedStoreBeginsAsItsSeedAgain() throws {
    let old = before { $0.seedFile = seed }
    try old.write { try $0.deleteAll() }
    old.closeChecked()
    let new = after {
      $0.seedFile = seed
      $0.deletesIfMigrationNeeded = true
    }
    #expect(try new.count(ChangeAfter.Maker.self) == 2)
    new.closeChecked()
  }

  @Test func aStoreForReadingOnlyIsNeitherMigratedNorDeletedNorMade() throws {
    let original = try Data(contentsOf: URL(fileURLWithPath: seed + "/data.mdb"))
    for isDeleting in [false, true] {
      var reading = ChangeRepository.after(directory["seed"])
      reading.storeOptions.isReadOnly = true
      reading.storeOptions.deletesIfMigrationNeeded = isDeleting
      let error = try #require(reading.store().openingError)
      #expect(error.code == .migrationRequired && error.details.count > 2, "\(error)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: seed + "/data.mdb")) == original)
    }
    let missing = before {
      $0.isReadOnly = true
      $0.seedFile = seed
    }
    #expect(missing.store().openingError?.code == .cannotOpen)
    #expect(ownFiles == [])
    var right = ChangeRepository(directory: directory["seed"])
    right.storeOptions.isReadOnly = true
    #expect(try right.count(ChangeBefore.Maker.self) == 2)
    right.closeChecked()
  }
}
