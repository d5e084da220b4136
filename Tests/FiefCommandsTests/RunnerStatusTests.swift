import ChildProcesses
import Fief
import FiefCommands
import FiefConsole
import Foundation
import LMDB
import Testing

@testable import FiefCore

@Suite("The runner's status") struct RunnerStatusTests {
  @Test("--usage says what a store keeps of its usage")
  func usage() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("pets")
    let result = fixture.run([fixture.repository("pets", version: 1)], "status", "--usage")
    #expect(result.outcome == .done && result.text.contains("The store keeps no usage"))
    #expect(!fixture.run([fixture.repository("pets", version: 1)], "status").text.contains("usage"))
  }

  @Test("Usage that is damaged is not none")
  func damagedUsage() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("pets")
    let environment = try LMDB.Environment.open(
      directory: fixture.path("pets"),
      options: EnvironmentOptions()
    )
    try environment.write { transaction in
      let tree = try transaction.openDatabase(named: Catalogue.treeName)
      try Array("usage".utf8).withUnsafeBytes { key in
        try [UInt8](repeating: 7, count: 50).withUnsafeBytes { try transaction.put(tree, key, $0) }
      }
    }
    environment.close()
    let repository = fixture.repository("pets", version: 1)
    let result = fixture.run([repository], "status", "--usage")
    #expect(result.text.contains("The store's usage statistics cannot be read"))
    #expect(!result.text.contains("The store keeps no usage"))
    let store = try #require(try fixture.run([repository], "--json", "status").stores()["pets"])
    #expect(
      store["usage"] is NSNull
        && store["usageError"] as? String == "The usage statistics of the store are damaged."
    )
  }

  @Test("Every state has its words, and nothing is made by looking")
  func states() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("old", "same", "odd", "broken")
    let newer = fixture.repository("newer", version: 1)
    try newer.fill(hounds: 3)
    #expect(
      fixture.run([fixture.repository("newer", version: 2)], "migrate", "--yes", "--no-backup").outcome
        == .done
    )
    try fixture.damage("broken", at: 0, count: 12_000)
    let result = fixture.run(
      [
        fixture.repository("old", version: 2), fixture.repository("same", version: 1), newer,
        RunnerOddRepository(in: fixture.directory), fixture.repository("absent", version: 2),
        RunnerRepository("memory", in: fixture.directory, version: 1, isInMemory: true),
        fixture.repository("broken", version: 1),
      ],
      "status"
    )
    #expect(
      result.lines == [
        "Stores in \(fixture.directory)",
        "store version declared objects size last backup state",
        "old 1 2 21 SIZE none needs a migration",
        "same 1 1 21 SIZE none up to date",
        "newer 2 1 4 SIZE none newer than this program",
        "odd 1 1 21 SIZE none classes changed without a new version",
        "absent - 2 - - none not created yet",
        "memory - 1 - - none in memory",
        "broken - 1 - - none damaged",
        "'keeper plan' shows what a migration would do, 'keeper migrate' runs it.",
      ]
    )
    #expect(result.outcome == .damaged)
    #expect(result.text.contains("newer: The store has a newer schema version than this program supports."))
    #expect(result.text.contains("'keeper rollback --only broken'"))
    #expect(try fixture.names() == ["broken", "newer", "odd", "old", "same"])
  }

  @Test("The document has the same, with numbers")
  func document() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", hounds: 7)
    #expect(fixture.run([fixture.repository("a", version: 1)], "backup").outcome == .done)
    let result = fixture.run(
      [fixture.repository("a", version: 2), fixture.repository("none", version: 2)],
      "--json",
      "status"
    )
    #expect(result.outcome == .done && result.errors.isEmpty)
    let document = try result.document()
    #expect(document["command"] as? String == "status")
    #expect(document["exitStatus"] as? Int == 0)
    let store = try #require(try result.stores()["a"])
    #expect(store["state"] as? String == "outdated")
    #expect(store["version"] as? Int == 1)
    #expect(store["declaredVersion"] as? Int == 2)
    #expect(store["objects"] as? Int == 8)
    #expect(store["directory"] as? String == fixture.path("a"))
    #expect(store["isInUse"] as? Bool == false)
    let backup = try #require(store["lastBackup"] as? [String: Any])
    #expect(backup["name"] as? String == fixture.backups("a").first)
    #expect(try result.stores()["none"]?["state"] as? String == "missing")
  }

  @Test("A process that has a store open is seen", .enabled(if: RunnerSystem.isLinux))
  func inUse() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let repository = fixture.repository("a", version: 2)
    #expect(fixture.run([repository], "status").lines.contains("a 1 2 21 SIZE none needs a migration"))
    let lock = try RunnerForeignLock(fixture.path("a"))
    let used = fixture.run([repository], "status")
    #expect(used.lines.contains("a 1 2 21 SIZE none needs a migration, in use"))
    withExtendedLifetime(lock) {}
  }

  @Test("The process that has a store open is named", .enabled(if: RunnerSystem.hasPython))
  func process() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let program =
      "import fcntl,sys; f=open(sys.argv[1],'r+'); fcntl.lockf(f,fcntl.LOCK_SH,1,0); print('held',flush=True); "
      + "sys.stdin.read()"
    let child = try ChildProcess(
      "python3",
      ["-c", program, fixture.path("a", "lock.mdb")],
      input: .pipe,
      output: .pipe
    )
    #expect(try child.output.line() == "held")
    let repository = fixture.repository("a", version: 2)
    let id = child.id
    #expect(try fixture.run([repository], "status", "--json").stores()["a"]?["process"] as? Int32 == id)
    let refused = fixture.run([repository], "migrate", "--yes")
    #expect(refused.outcome == .refused)
    #expect(refused.text.contains("process \(id)"))
    child.input.close()
    child.wait()
    #expect(fixture.run([repository], "migrate", "--yes").outcome == .done)
  }

  @Test("A store that this process has open is shown, and refused where it would change")
  func openHere() throws {
    let fixture = try RunnerFixture()
    let repository = fixture.repository("a", version: 1)
    try repository.fill(hounds: 3)
    #expect(try repository.count(RunnerVersion1.Hound.self) == 3)
    #expect(
      fixture.run([repository], "status").lines.contains("a 1 1 4 SIZE none up to date, open in this process")
    )
    #expect(fixture.run([repository], "verify").outcome == .done)
    #expect(fixture.run([repository], "backup").outcome == .done)
    for arguments in [["compact"], ["restore", fixture.backups("a")[0], "--yes"]] {
      let result = fixture.run([repository], arguments)
      #expect(result.outcome == .refused)
      #expect(result.text.contains("This process has the store open."))
    }
    #expect(try repository.contents() == RunnerRepository.expected("a", hounds: 3, version: 1))
  }

  @Test("A row stands out on a terminal with colours, and not with NO_COLOR")
  func colours() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    try fixture.damage("a", at: 0, count: 12_000)
    let repository = fixture.repository("a", version: 1)
    let colour = Terminal(isTerminal: true, columns: 100, environment: [:])
    let without = Terminal(isTerminal: true, columns: 100, environment: ["NO_COLOR": "1"])
    #expect(fixture.run([repository], "status", terminal: colour).output.contains("\u{1B}[31m"))
    #expect(!fixture.run([repository], "status", terminal: without).output.contains("\u{1B}"))
    #expect(!fixture.run([repository], "status").output.contains("\u{1B}"))
  }
}

/// The parts of the system that the tests need.
enum RunnerSystem {
  #if os(Linux)
    static let isLinux = true
  #else
    static let isLinux = false
  #endif

  static let hasPython = has("python3")
  static let hasScript = has("script")

  private static func has(_ name: String) -> Bool {
    (try? ChildProcess.run("sh", ["-c", "command -v \(name)"], errors: .null))?.end == .exited(0)
  }
}

/// The store `odd` with the classes of version 2 at version 1.
final class RunnerOddRepository: DatabaseConfigurable, Sendable {
  let directory: String?
  init(in directory: String) { self.directory = directory }
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "odd" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [RunnerVersion2.Kennel.self, RunnerVersion2.Hound.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
}
