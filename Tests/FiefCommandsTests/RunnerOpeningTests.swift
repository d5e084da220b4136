import Fief
import FiefCommands
import Foundation
import Testing

@Suite("The runner and opening") struct RunnerOpeningTests {
  /// A repository of the newest version that leaves migrating to the runner.
  private struct Server: DatabaseConfigurable {
    let fixture: RunnerRepository
    var directory: String? { fixture.directory }
    var schemaName: String? { fixture.schemaName }
    var schemaVersion: UInt64? { fixture.schemaVersion }
    var objectTypes: [Object.Type]? { fixture.objectTypes }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationPlan: MigrationPlan? { fixture.migrationPlan }
    var realmMemoryType: RealmMemoryType { .inStorage }
    var storeOptions: StoreOptions {
      var options = StoreOptions()
      options.migratesOnOpen = false
      return options
    }
  }

  @Test("A server's repository refuses to migrate when it opens; the runner migrates it")
  func server() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let before = try Data(contentsOf: URL(fileURLWithPath: fixture.path("a", "data.mdb")))
    let server = Server(fixture: fixture.repository("a", version: 2))
    let error = try #require(server.store().openingError)
    #expect(error.code == .migrationRequired && error.message.contains("migratesOnOpen"))
    // The plan keeps the nicks, so the error must not ask for a higher version alone.
    #expect(error.details.contains { $0.contains("Hound.nick") })
    #expect(!error.details.contains { $0.contains("a higher version alone") })
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path("a", "data.mdb"))) == before)
    #expect(fixture.run([server], "plan", "--rehearse").outcome == .done)
    #expect(fixture.run([server], "migrate", "--yes").outcome == .done)
    #expect(server.store().openingError == nil)
    server.close()
    #expect(
      try fixture.repository("a", version: 2).contents()
        == RunnerRepository.expected("a", hounds: 20, version: 2)
    )
  }

  @Test("A server's repository makes a store that does not exist")
  func newStore() throws {
    let fixture = try RunnerFixture()
    let server = Server(fixture: fixture.repository("a", version: 2))
    #expect(server.store().openingError == nil)
    #expect(try server.count(RunnerVersion2.Hound.self) == 0)
    server.close()
  }

  @Test("A store that this process has opened, and so migrated, is said to be open")
  func openAndCurrent() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let repository = fixture.repository("a", version: 2)
    #expect(repository.store().openingError == nil)
    let status = fixture.run([repository], "status")
    #expect(status.text.contains("up to date, open in this process"))
    let result = fixture.run([repository], "migrate", "--yes")
    #expect(result.outcome == .nothingToDo)
    #expect(result.text.contains("This process had a open before the runner ran."))
    #expect(fixture.backups("a") == [])
    repository.close()
    #expect(!fixture.run([repository], "migrate", "--yes").text.contains("before the runner ran"))
  }

  @Test(
    "A store that this process has open at the old version is refused before a backup is made",
    arguments: [
      ["--yes"], ["--yes", "--even-if-in-use"],
    ]
  )
  func openAndOutdated(arguments: [String]) throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let old = fixture.repository("a", version: 1)
    #expect(old.store().openingError == nil)
    let new = fixture.repository("a", version: 2)
    #expect(fixture.run([new], "plan").text.contains("This process has the store open: close it"))
    let result = fixture.run([new], ["migrate"] + arguments)
    #expect(result.outcome == .refused)
    #expect(result.text.contains("run the command first, or close() the repository first"))
    #expect(fixture.backups("a") == [])
    old.close()
    #expect(fixture.run([new], ["migrate"] + arguments).outcome == .done)
  }

  // MARK: Rehearsals

  private struct Renaming: DatabaseConfigurable {
    let fixture: RunnerRepository
    let block: MigrationBlock?
    var directory: String? { fixture.directory }
    var schemaName: String? { fixture.schemaName }
    var schemaVersion: UInt64? { 2 }
    var objectTypes: [Object.Type]? { fixture.objectTypes }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { block }
    var realmMemoryType: RealmMemoryType { .inStorage }
  }

  @Test("A rehearsal tells a property that is renamed from one that is lost")
  func renameOrLoss() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let repository = fixture.repository("a", version: 2)
    let renaming = Renaming(fixture: repository) { migration, _ in
      migration.renameProperty(onType: "Hound", from: "nick", to: "title")
    }
    let renamed = fixture.run([renaming], "plan", "--rehearse").text
    #expect(renamed.contains("Hound.nick is now Hound.title: renamed, its values are kept."))
    #expect(!renamed.contains("are lost"))
    let lost = fixture.run([Renaming(fixture: repository, block: nil)], "plan", "--rehearse").text
    #expect(lost.contains("Hound.nick was removed: the values of 20 objects are lost."))
    let copied = fixture.run([repository], "plan", "--rehearse", "--json")
    let rehearsal = try #require(try copied.stores()["a"]?["rehearsal"] as? [String: Any])
    let finding = try #require((rehearsal["findings"] as? [[String: Any]])?.first)
    #expect(finding["isLoss"] as? Bool == true)
    #expect(
      finding["sentence"] as? String
        == "Hound.nick was removed: the values of 20 objects are lost, except for data that the block stored elsewhere."
    )
  }

  @Test("A plan with a block does not say that no object is concerned")
  func unknownExtent() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", hounds: 0)
    let repository = Renaming(fixture: fixture.repository("a", version: 2)) { _, _ in }
    let result = fixture.run([repository], "plan")
    #expect(result.text.contains("A block runs; try a rehearsal ('keeper plan --rehearse')."))
    #expect(!result.text.contains("0 objects"))
    let document = try fixture.run([repository], "plan", "--json").stores()
    #expect(document["a"]?["affectedObjects"] is NSNull)
  }
}
