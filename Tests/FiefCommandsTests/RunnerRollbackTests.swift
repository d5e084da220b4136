import Fief
import FiefCommands
import Foundation
import Testing

@Suite("The runner's way back") struct RunnerRollbackTests {
  /// A fixture with stores that were migrated from version 1 to 2.
  private func migrated(_ names: String..., hounds: Int = 25) throws -> RunnerFixture {
    let fixture = try RunnerFixture()
    for name in names { try fixture.repository(name, version: 1).fill(hounds: hounds) }
    let result = fixture.run(names.map { fixture.repository($0, version: 2) }, "migrate", "--yes")
    #expect(result.outcome == .done)
    return fixture
  }

  @Test("Exactly the old data is back, and the new one is kept")
  func back() throws {
    let fixture = try migrated("a")
    let repository = fixture.repository("a", version: 2)
    try repository.write { tx in
      let hound = RunnerVersion2.Hound()
      hound.id = 1000
      try tx.add(hound, update: .error)
    }
    repository.close()
    let result = fixture.run([repository], "rollback", "--yes")
    #expect(result.outcome == .done)
    #expect(
      result.lines == [
        "store from to backup former store result",
        "a 2 1 STAMP-v1 kept as STAMP-v2-replaced restored",
        "Start the release of the application that matches these versions: a newer",
        "release migrates again.",
      ]
    )
    let expected = RunnerRepository.expected("a", hounds: 25, version: 1)
    #expect(try fixture.repository("a", version: 1).contents() == expected)
    let replaced = try #require(fixture.backups("a").last)
    #expect(replaced.hasSuffix("-v2-replaced"))
    let kept = RunnerRepository(replaced, in: fixture.path(".backups", "a"), version: 2)
    #expect(try kept.contents().count == 27)
    #expect(try fixture.names() == [".backups", "a"])
    // A second time there is no older version to go back to.
    #expect(fixture.run([repository], "rollback", "--yes").outcome == .nothingToDo)
    // And forward again.
    #expect(fixture.run([repository], "rollback", "--yes", "--to", replaced).outcome == .done)
    #expect(try repository.contents().count == 27)
  }

  @Test("A store without an older backup is left alone; one that was asked for is refused")
  func withoutBackup() throws {
    let fixture = try migrated("a")
    try fixture.fill("b")
    #expect(fixture.run([fixture.repository("b", version: 1)], "backup").outcome == .done)
    let repositories = [fixture.repository("a", version: 2), fixture.repository("b", version: 1)]
    let result = fixture.run(repositories, "rollback", "--yes", "--json")
    #expect(result.outcome == .done)
    #expect(try result.stores()["b"]?["outcome"] as? String == "nothingToDo")
    #expect(fixture.run(repositories, "rollback", "-y", "--only", "b").outcome == .refused)
    #expect(fixture.run(repositories, "rollback", "-y", "--to", "v9").outcome == .refused)
  }

  @Test("The command that checks a damaged store does not advise to run itself")
  func adviceOfTheCheck() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    try fixture.damage("a", at: 8192, count: 8192)
    let repository = fixture.repository("a", version: 1)
    let verify = fixture.run([repository], "verify")
    #expect(verify.outcome == .damaged)
    #expect(verify.text.contains("Keep a copy of the directory as it is"))
    #expect(!verify.text.contains("keeper verify"), "\(verify.text)")
    #expect(fixture.run([repository], "backup").text.contains("keeper verify"))
  }

  @Test("A damaged store gets its newest backup, and is kept as it was")
  func damaged() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let repository = fixture.repository("a", version: 1)
    #expect(fixture.run([repository], "backup").outcome == .done)
    try fixture.damage("a", at: 0, count: 8192)
    let damage = try Data(contentsOf: URL(fileURLWithPath: fixture.path("a", "data.mdb")))
    #expect(fixture.run([repository], "verify").outcome == .damaged)
    #expect(fixture.run([repository], "backup").outcome == .damaged)
    #expect(fixture.run([repository], "rollback", "--yes").outcome == .done)
    #expect(try repository.contents() == RunnerRepository.expected("a", hounds: 20, version: 1))
    let replaced = try #require(fixture.backups("a").last)
    #expect(replaced.hasSuffix("-v0-replaced"))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: fixture.path(".backups", "a", replaced, "data.mdb")))
        == damage
    )
  }

  @Test("A store whose file is gone gets its backup too")
  func lost() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let repository = fixture.repository("a", version: 1)
    #expect(fixture.run([repository], "backup").outcome == .done)
    try FileManager.default.removeItem(atPath: fixture.path("a", "data.mdb"))
    #expect(fixture.run([repository], "status").outcome == .damaged)
    #expect(fixture.run([repository], "rollback", "--yes").outcome == .done)
    #expect(try repository.contents() == RunnerRepository.expected("a", hounds: 20, version: 1))
    try FileManager.default.removeItem(atPath: fixture.path("a"))
    #expect(fixture.run([repository], "restore", fixture.backups("a")[0], "-y").outcome == .done)
    #expect(try repository.contents() == RunnerRepository.expected("a", hounds: 20, version: 1))
    #expect(try fixture.names() == [".backups", "a"])
  }

  @Test("A store that a process has open is refused and as it was", .enabled(if: RunnerSystem.isLinux))
  func inUse() throws {
    let fixture = try migrated("a")
    let repository = fixture.repository("a", version: 2)
    let lock = try RunnerForeignLock(fixture.path("a"))
    let result = fixture.run([repository], "rollback", "--yes")
    #expect(result.outcome == .refused)
    #expect(result.text.contains("Another process has the store open. The store is unchanged."))
    #expect(fixture.run([repository], "compact").outcome == .refused)
    withExtendedLifetime(lock) {}
    #expect(try repository.contents() == RunnerRepository.expected("a", hounds: 25, version: 2))
    #expect(fixture.backups("a").count == 1)
  }

  @Test("A damaged backup is refused, and the store is as it was")
  func damagedBackup() throws {
    let fixture = try migrated("a", hounds: 500)
    let repository = fixture.repository("a", version: 2)
    let backup = ".backups/a/\(fixture.backups("a")[0])"
    // Past the meta pages: the structure of a tree or the checksum of a record.
    try fixture.damage(backup, at: 4096 * 4 + 100, count: 3000)
    let result = fixture.run([repository], "rollback", "--yes")
    #expect(result.outcome == .damaged)
    #expect(try repository.contents() == RunnerRepository.expected("a", hounds: 500, version: 2))
    #expect(try fixture.names() == [".backups", "a"])
  }

  @Test("Any copy can be restored, where it can be told which store is meant")
  func restore() throws {
    let fixture = try migrated("a", "b")
    let repositories = [fixture.repository("a", version: 2), fixture.repository("b", version: 2)]
    let copy = fixture.path("copies")
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    try repositories[0].backup(to: copy + "/b")
    repositories[0].close()
    let named = fixture.run(repositories, "restore", copy + "/b", "--yes")
    #expect(named.outcome == .done)
    #expect(try repositories[1].contents() == RunnerRepository.expected("a", hounds: 25, version: 2))
    try FileManager.default.moveItem(atPath: copy + "/b", toPath: copy + "/x")
    #expect(fixture.run(repositories, "restore", copy + "/x", "--yes").outcome == .usage)
    #expect(fixture.run(repositories, "restore", copy + "/x/data.mdb", "-y", "--only", "a").outcome == .done)
    let backup = try #require(fixture.backups("b").first)
    #expect(fixture.run(repositories, "restore", backup, "-y").outcome == .done)
    #expect(
      try fixture.repository("b", version: 1).contents()
        == RunnerRepository.expected("b", hounds: 25, version: 1)
    )
    for wrong in [fixture.path("a"), fixture.path("nowhere"), "20200101T000000.000Z-v1"] {
      #expect(fixture.run(repositories, "restore", wrong, "-y").outcome == .usage)
    }
    #expect(fixture.run(repositories, "restore", copy, "-y", "--only", "a").outcome == .refused)
    #expect(fixture.run(repositories, "restore", copy + "/x", "--only", "a").outcome == .refused)
  }

  @Test("The backup is named by version or by the beginning of its name")
  func naming() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let old = fixture.repository("a", version: 1)
    for _ in 0..<2 { #expect(fixture.run([old], "backup").outcome == .done) }
    let repository = fixture.repository("a", version: 2)
    #expect(fixture.run([repository], "migrate", "-y").outcome == .done)
    let ambiguous = fixture.run([repository], "rollback", "-y", "--to", "20")
    #expect(ambiguous.outcome == .usage)
    let first = fixture.backups("a")[0]
    let result = fixture.run([repository], "rollback", "-y", "--to", first, "--json")
    #expect(try (result.stores()["a"]?["source"] as? String)?.hasSuffix(first) == true)
    #expect(fixture.run([repository], "migrate", "-y").outcome == .done)
    #expect(fixture.run([repository], "rollback", "-y", "--to", "v1").outcome == .done)
    #expect(try old.contents() == RunnerRepository.expected("a", hounds: 20, version: 1))
  }

  @Test("A copy of another store, and the store itself by another path, are refused")
  func foreign() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", hounds: 3)
    let other = RunnerToyRepository(in: fixture.directory)
    try other.write { tx in try tx.add(RunnerToyRepository.Toy(), update: .error) }
    other.close()
    let repository = fixture.repository("a", version: 1)
    let foreign = fixture.run([repository], "restore", "-y", fixture.path("toys"))
    #expect(foreign.outcome == .usage)
    #expect(foreign.text.contains("is a copy of another store: it has no types of a."))
    let link = fixture.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: fixture.directory)
    let itself = fixture.run([repository], "restore", "-y", link + "/a")
    #expect(itself.outcome == .usage)
    #expect(itself.text.contains("is the store itself, not a copy."))
    #expect(try repository.contents() == RunnerRepository.expected("a", hounds: 3, version: 1))
    #expect(fixture.backups("a").isEmpty)
  }

  @Test("Copies of runs that were killed are removed a day later, others are not")
  func abandoned() throws {
    let fixture = try migrated("a")
    let (alive, dead) = (getpid(), 4_000_000)
    let old = [".partial-\(dead)-1x", ".partial-\(dead)-1x.partial-2y", ".rehearsal-\(dead)-1x.partial-2y"]
    let kept = [".partial-\(alive)-1x", ".restoring-1x"]
    for name in old + kept + [".rehearsal-\(dead)-young"] {
      let path = fixture.path(name)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      if name.hasSuffix("young") { continue }
      let date = Date(timeIntervalSinceNow: -100_000)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }
    #expect(fixture.run([fixture.repository("a", version: 2)], "rollback", "-y").outcome == .done)
    #expect(try fixture.names() == ([".backups", ".rehearsal-\(dead)-young", "a"] + kept).sorted())
  }
}

/// A store with another type than those of the other tests.
final class RunnerToyRepository: DatabaseConfigurable, Sendable {
  final class Toy: Object {
    @Persisted var name: String
  }

  let directory: String?
  init(in directory: String) { self.directory = directory }

  var schemaName: String? { "toys" }
  var realmMemoryType: RealmMemoryType { .inStorage }
  var migrationPlan: MigrationPlan? { nil }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [Toy.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
}
