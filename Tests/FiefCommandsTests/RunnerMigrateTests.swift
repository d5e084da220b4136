import Fief
import FiefCommands
import FiefConsole
import FiefMaintenance
import Foundation
import Testing

@Suite("The runner's migrations") struct RunnerMigrateTests {
  @Test("A store is backed up and migrated; a second run has nothing to do")
  func migrate() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", "b", hounds: 30)
    let repositories = [fixture.repository("a", version: 2), fixture.repository("b", version: 2)]
    let result = fixture.run(repositories, "migrate", "--yes")
    #expect(result.outcome == .done)
    #expect(
      result.lines == [
        "store from to objects time backup result",
        "a 1 2 31 TIME STAMP-v1 migrated", "b 1 2 31 TIME STAMP-v1 migrated",
        "2 stores migrated. 'keeper rollback' undoes it.",
      ]
    )
    #expect(result.errors.contains("a: making a backup\na: migrating from version 1 to 2\n"))
    for repository in repositories {
      #expect(
        try repository.contents() == RunnerRepository.expected(repository.storeName, hounds: 30, version: 2)
      )
      let backup = try #require(fixture.backups(repository.storeName).first)
      #expect(backup.hasSuffix("-v1"))
      let old = RunnerRepository(backup, in: fixture.path(".backups", repository.storeName), version: 1)
      #expect(try old.contents() == RunnerRepository.expected(repository.storeName, hounds: 30, version: 1))
    }
    let again = fixture.run(repositories, "migrate", "--yes")
    #expect(again.outcome == .nothingToDo)
    #expect(again.lines.last == "Every store is up to date: there was nothing to do.")
    #expect(fixture.run(repositories, "migrate", "--yes", "--exit-zero").outcome == .done)
    #expect(fixture.backups("a").count == 1)
  }

  @Test("A store that fails is as it was, and the others are done")
  func independent() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", "b", "c")
    let repositories = [
      fixture.repository("a", version: 2), fixture.repository("b", version: 2, isBroken: true),
      fixture.repository("c", version: 2),
    ]
    let result = fixture.run(repositories, "migrate", "--yes", "--json")
    #expect(result.outcome == .failed)
    let stores = try result.stores()
    #expect(stores["a"]?["outcome"] as? String == "done")
    #expect(stores["b"]?["outcome"] as? String == "failed")
    #expect(stores["c"]?["outcome"] as? String == "done")
    let error = try #require(stores["b"]?["error"] as? [String: Any])
    #expect(error["code"] as? String == "migrationFailed")
    #expect(error["consequence"] as? String == "The store is unchanged, at version 1.")
    #expect(try repositories[0].contents() == RunnerRepository.expected("a", hounds: 20, version: 2))
    #expect(
      try fixture.repository("b", version: 1).contents()
        == RunnerRepository.expected("b", hounds: 20, version: 1)
    )
    #expect(try repositories[2].contents() == RunnerRepository.expected("c", hounds: 20, version: 2))
    // Nothing was changed, so there is nothing to go back to.
    #expect(fixture.backups("b").isEmpty)
  }

  @Test("Nothing happens without a yes")
  func confirmation() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let repository = fixture.repository("a", version: 2)
    let nobody = fixture.run([repository], "migrate")
    #expect(nobody.outcome == .refused)
    #expect(nobody.text.contains("Use --yes to continue without a question."))
    for answer in ["n", "", "yikes", "no"] {
      let no = fixture.run([repository], "migrate", answer: answer)
      #expect(no.outcome == .refused)
      #expect(no.errors == "Migrate 1 store (a 1 to 2)? A backup of each is made first. [y/N] ")
      #expect(no.text.contains("Not confirmed: nothing was changed."))
    }
    #expect(try fixture.names() == ["a"])
    #expect(fixture.run([repository], "migrate", answer: "Yes").outcome == .done)
  }

  @Test(
    "A store that a process has open is refused, unless that is wanted",
    .enabled(if: RunnerSystem.isLinux)
  )
  func inUse() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let repository = fixture.repository("a", version: 2)
    let lock = try RunnerForeignLock(fixture.path("a"))
    let refused = fixture.run([repository], "migrate", "--yes")
    #expect(refused.outcome == .refused)
    #expect(refused.text.contains("Another process has the store open."))
    #expect(fixture.backups("a").isEmpty)
    #expect(fixture.run([repository], "migrate", "--yes", "--even-if-in-use").outcome == .done)
    withExtendedLifetime(lock) {}
    #expect(try repository.contents() == RunnerRepository.expected("a", hounds: 20, version: 2))
  }

  @Test("Newer, differing and damaged stores are left alone")
  func untouchable() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("newer", "odd", "broken", "old")
    #expect(
      fixture.run([fixture.repository("newer", version: 2)], "migrate", "-y", "--no-backup").outcome == .done
    )
    try fixture.damage("broken", at: 4096 * 3, count: 4096 * 4)
    let result = fixture.run(
      [
        fixture.repository("newer", version: 1), RunnerOddRepository(in: fixture.directory),
        fixture.repository("broken", version: 2), fixture.repository("old", version: 2),
        fixture.repository("absent", version: 2),
      ],
      "migrate",
      "--yes",
      "--json"
    )
    #expect(result.outcome == .damaged)
    let outcomes = try result.stores().mapValues { $0["outcome"] as? String }
    #expect(
      outcomes == [
        "newer": "refused", "odd": "refused", "broken": "damaged", "old": "done", "absent": "nothingToDo",
      ]
    )
    #expect(try fixture.names() == [".backups", "broken", "newer", "odd", "old"])
    #expect(try fixture.repository("newer", version: 2).contents().count == 21)
  }

  @Test("Backups are kept as configured, and failures do not push them out")
  func keeping() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let old = fixture.repository("a", version: 1)
    for _ in 0..<4 { #expect(fixture.run([old], "backup", "--keep", "3").outcome == .done) }
    let kept = fixture.backups("a")
    #expect(kept.count == 3)
    for _ in 0..<5 {
      let result = fixture.run(
        [fixture.repository("a", version: 2, isBroken: true)],
        "migrate",
        "-y",
        "--keep=1"
      )
      #expect(result.outcome == .failed)
    }
    #expect(fixture.backups("a") == kept)
    #expect(
      fixture.run([fixture.repository("a", version: 2)], "migrate", "-y", "--keep", "2").outcome == .done
    )
    #expect(fixture.backups("a").count == 2 && fixture.backups("a").first == kept.last)
  }

  @Test("Another directory for the stores and for the backups")
  func directories() throws {
    let fixture = try RunnerFixture()
    let other = try RunnerFixture()
    try fixture.fill("a")
    let repository = RunnerRepository("a", in: other.directory, version: 2)
    let backups = other.path("elsewhere")
    let result = fixture.run(
      [repository],
      "migrate",
      "-y",
      "--directory",
      fixture.directory,
      "--backups",
      backups
    )
    #expect(result.outcome == .done)
    #expect(try other.names() == ["elsewhere"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: backups + "/a").count == 1)
    #expect(try fixture.repository("a", version: 2).contents().count == 21)
    let back = fixture.run(
      [repository],
      "rollback",
      "-y",
      "--directory",
      fixture.directory,
      "--backups",
      backups
    )
    #expect(back.outcome == .done)
    #expect(
      try fixture.repository("a", version: 1).contents()
        == RunnerRepository.expected("a", hounds: 20, version: 1)
    )
  }

  @Test("No room for a backup refuses the migration", .enabled(if: RunnerSmallDisk.isPossible))
  func noRoom() throws {
    let disk = try #require(RunnerSmallDisk(kilobytes: 8192))
    let fixture = try RunnerFixture(in: disk.path)
    try fixture.fill("a", hounds: 6000)
    let free = try #require(FreeSpace.bytes(at: disk.path))
    let ballast = fixture.path("ballast")
    try Data(count: free - (200 << 10)).write(to: URL(fileURLWithPath: ballast))
    let repository = fixture.repository("a", version: 2)
    let result = fixture.run([repository], "migrate", "--yes")
    #expect(result.outcome == .refused)
    #expect(result.text.contains("The disk does not have enough space for a backup. Nothing was changed."))
    #expect(fixture.backups("a").isEmpty)
    #expect(fixture.run([repository], "backup").outcome == .refused)
    let tight = fixture.run([repository], "plan")
    #expect(tight.outcome == .done && tight.text.contains("This may not be enough."))
    // A migration without enough space fails, and the store is as it was.
    let full = fixture.run([repository], "migrate", "--yes", "--no-backup")
    #expect(full.outcome == .failed)
    #expect(full.text.contains("Free space on the disk"))
    #expect(
      try fixture.repository("a", version: 1).contents()
        == RunnerRepository.expected("a", hounds: 6000, version: 1)
    )
    // A removed file would keep its space while a process that is being started has it open.
    #expect(truncate(ballast, 0) == 0)
    #expect(fixture.run([repository], "migrate", "--yes").outcome == .done)
    #expect(try repository.contents() == RunnerRepository.expected("a", hounds: 6000, version: 2))
  }

  @Test(
    "A disk that can only be read is looked at, and said to be one",
    .enabled(if: RunnerSmallDisk.isPossible)
  )
  func readOnlyDisk() throws {
    let disk = try #require(RunnerSmallDisk(kilobytes: 4096))
    let fixture = try RunnerFixture(in: disk.path)
    try fixture.fill("a", hounds: 5)
    #expect(disk.makeReadOnly())
    let repository = fixture.repository("a", version: 2)
    for command in ["status", "plan", "verify", "schema", "diff"] {
      #expect(fixture.run([repository], command).outcome == .done)
    }
    for command in ["migrate", "backup", "compact"] {
      let result = fixture.run([repository], command, "--yes")
      #expect(result.outcome == .refused)
      #expect(result.text.contains("Mount its disk for writing"), "\(result.text)")
    }
  }

  @Test("A backup asks for the room of a backup only", .enabled(if: RunnerSmallDisk.isPossible))
  func roomForBackup() throws {
    let disk = try #require(RunnerSmallDisk(kilobytes: 900))
    let fixture = try RunnerFixture(in: disk.path)
    try fixture.fill("a", hounds: 5)
    let repository = fixture.repository("a", version: 2)
    #expect(fixture.run([repository], "backup").outcome == .done)
    #expect(fixture.run([repository], "migrate", "--yes").text.contains("does not have enough space"))
  }
}

/// A small file system in memory, for the tests of full disks and of disks that can only be read.
final class RunnerSmallDisk {
  let path: String

  static let isPossible = RunnerSmallDisk(kilobytes: 1024) != nil

  init?(kilobytes: Int) {
    #if os(Linux)
      let name = "fief-small-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
      path = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(name).path
      guard mkdir(path, 0o700) == 0 else { return nil }
      guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k,mode=700") == 0 else {
        rmdir(path)
        return nil
      }
    #else
      return nil
    #endif
  }

  /// Makes the disk read-only.
  func makeReadOnly() -> Bool {
    #if os(Linux)
      mount(nil, path, nil, UInt(MS_REMOUNT) | UInt(MS_RDONLY), nil) == 0
    #else
      false
    #endif
  }

  deinit {
    #if os(Linux)
      umount2(path, 2 /* MNT_DETACH */)
      rmdir(path)
    #endif
  }
}
