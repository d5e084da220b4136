import Fief
import FiefCommands
import FiefEncryption
import Foundation
import Testing

@Suite("The runner and encrypted stores") struct RunnerEncryptionTests {
  /// A store in clear, and an encrypted one.
  private func fixture(_ encryption: (RunnerFixture) throws -> StoreEncryption) throws -> RunnerFixture {
    let fixture = try RunnerFixture()
    try fixture.fill("clear")
    let secret = RunnerRepository(
      "secret",
      in: fixture.directory,
      version: 1,
      encryption: try encryption(fixture)
    )
    try secret.fill(hounds: 20)
    return fixture
  }

  /// Repositories of version 2 that name no key.
  private func repositories(_ fixture: RunnerFixture) -> [RunnerRepository] {
    ["clear", "secret"].map { fixture.repository($0, version: 2) }
  }

  @Test("With a key file it migrates, verifies, backs up and rolls back")
  func keyFile() throws {
    let fixture = try fixture { fixture in
      try StoreEncryption.makeKeyFile(at: fixture.path("key"))
      return .keyFile(fixture.path("key"))
    }
    let stores = repositories(fixture)
    func run(_ arguments: String...) -> RunnerResult {
      fixture.run(stores, arguments + ["--yes", "--key-file", fixture.path("key")])
    }
    #expect(run("plan", "--rehearse").outcome == .done)
    let migrated = run("migrate")
    #expect(migrated.outcome == .done, "\(migrated.text)")
    #expect(run("verify").outcome == .done)
    #expect(run("compact").outcome == .done)
    for name in ["clear", "secret"] {
      let backup = try #require(fixture.backups(name).first)
      let file = URL(filePath: fixture.path(".backups", name, backup, "data.mdb"))
      let isClear = try Data(contentsOf: file).range(of: Data("Nick 7".utf8)) != nil
      #expect(isClear == (name == "clear"))
    }
    let rolled = run("rollback")
    #expect(rolled.outcome == .done, "\(rolled.text)")
    let old = RunnerRepository(
      "secret",
      in: fixture.directory,
      version: 1,
      encryption: .keyFile(fixture.path("key"))
    )
    #expect(try old.contents() == RunnerRepository.expected("secret", hounds: 20, version: 1))
  }

  @Test(
    "Without the key, and with another one, the encrypted store is refused and as it was, and the other is done"
  )
  func refusals() throws {
    let fixture = try fixture { _ in .passphrase("correct horse") }
    let without = fixture.run(repositories(fixture), "migrate", "--yes", "--only", "secret")
    #expect(without.outcome == .refused && without.text.contains("encrypted"), "\(without.text)")
    let wrong = fixture.run(
      repositories(fixture),
      "migrate",
      "--yes",
      "--json",
      "--key-env",
      "PHRASE",
      environment: ["PHRASE": "wrong"]
    )
    let stores = try wrong.stores()
    #expect(stores["clear"]?["outcome"] as? String == "done", "\(wrong.text)")
    #expect(stores["secret"]?["outcome"] as? String == "refused")
    #expect(fixture.backups("secret").isEmpty)
    let old = RunnerRepository(
      "secret",
      in: fixture.directory,
      version: 1,
      encryption: .passphrase("correct horse")
    )
    #expect(try old.contents() == RunnerRepository.expected("secret", hounds: 20, version: 1))
    let unset = fixture.run(repositories(fixture), "status", "--key-env", "PHRASE")
    #expect(unset.outcome == .usage)
    let both = fixture.run(
      repositories(fixture),
      "status",
      "--key-env",
      "PHRASE",
      "--key-file",
      "key",
      environment: ["PHRASE": "correct horse"]
    )
    #expect(both.outcome == .usage)
  }

  @Test("The passphrase is in a variable, or is typed; it is asked for the encrypted store only")
  func passphrases() throws {
    for isTyped in [false, true] {
      let fixture = try fixture { _ in .passphrase("correct horse") }
      let result =
        isTyped
        ? fixture.run(repositories(fixture), "migrate", "--yes", passphrase: "correct horse")
        : fixture.run(
          repositories(fixture),
          "migrate",
          "--yes",
          "--key-env",
          "PHRASE",
          environment: ["PHRASE": "correct horse"]
        )
      #expect(result.outcome == .done, "\(result.text)")
      let questions = result.errors.ranges(of: "is encrypted. Passphrase: ").count
      #expect(questions == (isTyped ? 1 : 0))
      #expect(result.errors.contains("The store secret is encrypted") == isTyped)
      #expect(!result.text.contains("correct horse"))
    }
  }

  @Test("A backup is restored with its key where the store is lost, in clear, or has another key by now")
  func restoring() throws {
    let fixture = try fixture { fixture in
      for name in ["key", "later"] { try StoreEncryption.makeKeyFile(at: fixture.path(name)) }
      return .keyFile(fixture.path("key"))
    }
    func repository(_ key: String?) -> RunnerRepository {
      RunnerRepository(
        "secret",
        in: fixture.directory,
        version: 1,
        encryption: key.map { .keyFile(fixture.path($0)) }
      )
    }
    func run(_ repository: RunnerRepository, _ arguments: String...) -> RunnerResult {
      fixture.run([repository], arguments + ["--yes", "--key-file", fixture.path("key")])
    }
    let expected = RunnerRepository.expected("secret", hounds: 20, version: 1)
    #expect(run(repository(nil), "backup").outcome == .done)
    let backup = fixture.path(".backups", "secret", try #require(fixture.backups("secret").first))
    try FileManager.default.removeItem(atPath: fixture.path("secret", "data.mdb"))
    let lost = run(repository(nil), "restore", backup)
    #expect(lost.outcome == .done, "\(lost.text)")
    #expect(try repository("key").contents() == expected)
    try repository("key").store().changeEncryptionKey(to: .keyFile(fixture.path("later")))
    repository("key").close()
    let former = run(repository("later"), "restore", backup)
    #expect(former.outcome == .done, "\(former.text)")
    #expect(try repository("key").contents() == expected)
    try repository("key").store().decrypt()
    repository("key").close()
    let clear = run(repository(nil), "restore", backup)
    #expect(clear.outcome == .done, "\(clear.text)")
    #expect(try repository("key").contents() == expected)
  }

  private func hasName(_ path: String) throws -> Bool {
    try Data(contentsOf: URL(filePath: path)).range(of: Data("Nick 7".utf8)) != nil
  }

  @Test(
    "A store in clear whose repository names a key is encrypted with --encrypt only",
    arguments: [1 as UInt64, 2]
  )
  func clearStore(version: UInt64) throws {
    let fixture = try RunnerFixture()
    try fixture.fill("clear", "secret")
    let secret = RunnerRepository(
      "secret",
      in: fixture.directory,
      version: version,
      encryption: .passphrase("p")
    )
    let stores = [fixture.repository("clear", version: version), secret]
    let status = fixture.run(stores, "status")
    #expect(status.outcome == .done)
    #expect(status.text.contains(version == 1 ? "up to date, unencrypted" : "needs a migration, unencrypted"))
    #expect(status.text.contains("'keeper migrate --encrypt' encrypts them"), "\(status.text)")
    let plan = fixture.run(stores, "plan", "--rehearse", "--json")
    #expect(plan.outcome == .done, "\(plan.text)")
    #expect(try plan.stores()["secret"]?["needsEncrypting"] as? Bool == true)
    #expect(try plan.stores()["clear"]?["needsEncrypting"] as? Bool != true)

    let refused = fixture.run(stores, "migrate", "--yes", "--only", "secret")
    #expect(refused.outcome == .refused)
    #expect(refused.text.contains("'keeper migrate --encrypt --only secret'"), "\(refused.text)")
    #expect(fixture.backups("secret").isEmpty)
    let former = fixture.repository("secret", version: 1)
    #expect(try former.contents() == RunnerRepository.expected("secret", hounds: 20, version: 1))

    let unconfirmed = fixture.run(stores, "migrate", "--encrypt", answer: "no")
    #expect(unconfirmed.outcome == .refused && unconfirmed.errors.contains("Encrypts secret. A backup"))
    let done = fixture.run(stores, "migrate", "--yes", "--encrypt", "--json")
    #expect(done.outcome == .done, "\(done.text)")
    #expect(try done.stores()["secret"]?["isEncrypted"] as? Bool == true)
    #expect(try done.stores()["clear"]?["outcome"] as? String == (version == 1 ? "nothingToDo" : "done"))
    #expect(try secret.contents() == RunnerRepository.expected("secret", hounds: 20, version: version))
    #expect(try !hasName(fixture.path("secret", "data.mdb")))
    #expect(try hasName(fixture.path("clear", "data.mdb")))
    let backup = try #require(fixture.backups("secret").first)
    #expect(try hasName(fixture.path(".backups", "secret", backup, "data.mdb")))
    #expect(fixture.run(stores, "migrate", "--yes", "--encrypt").outcome == .nothingToDo)

    // The release from before finds its store again.
    let back = fixture.run([secret], "restore", "--yes", backup)
    #expect(back.outcome == .done, "\(back.text)")
    #expect(try former.contents() == RunnerRepository.expected("secret", hounds: 20, version: 1))
  }

  @Test("Stores whose repositories name no key stay in clear, whatever key the command line names")
  func noKey() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("clear")
    let repository = fixture.repository("clear", version: 2)
    let result = fixture.run(
      [repository],
      "migrate",
      "--yes",
      "--encrypt",
      "--key-env",
      "PHRASE",
      environment: ["PHRASE": "p"]
    )
    #expect(result.outcome == .done, "\(result.text)")
    #expect(try repository.contents() == RunnerRepository.expected("clear", hounds: 20, version: 2))
    #expect(fixture.run([repository], "migrate", "--encrypt", "--even-if-in-use").outcome == .usage)
  }

  @Test("Where the store is migrated and cannot be encrypted, the report says so, and the backup stays")
  func unencrypted() throws {
    struct NoKey: Error {}
    let fixture = try RunnerFixture()
    try fixture.fill("secret")
    let secret = RunnerRepository(
      "secret",
      in: fixture.directory,
      version: 2,
      encryption: .provider { _ in throw NoKey() }
    )
    let result = fixture.run([secret], "migrate", "--yes", "--encrypt")
    #expect(result.outcome == .refused)
    #expect(result.text.contains("The store is now unencrypted, at version 2."), "\(result.text)")
    #expect(fixture.backups("secret").count == 1)
    let clear = fixture.repository("secret", version: 2)
    #expect(try clear.contents() == RunnerRepository.expected("secret", hounds: 20, version: 2))
  }

  @Test(
    "If the store cannot be read after the failure, the report says so, and the backup stays",
    arguments: ["moved", "linked"]
  )
  func unreadable(how: String) throws {
    struct NoKey: Error {}
    let fixture = try RunnerFixture()
    try fixture.fill("secret")
    let data = fixture.path("secret", "data.mdb")
    let other = fixture.path("other.mdb")
    // The provider is called after the migration. A store without a data file counts as missing, and a file with two names is refused.
    let secret = RunnerRepository(
      "secret",
      in: fixture.directory,
      version: 2,
      encryption: .provider { _ in
        if how == "moved" {
          try FileManager.default.moveItem(atPath: data, toPath: other)
        } else {
          try FileManager.default.linkItem(atPath: data, toPath: other)
        }
        throw NoKey()
      }
    )
    let result = fixture.run([secret], "migrate", "--yes", "--encrypt")
    #expect(result.outcome == .refused)
    #expect(result.text.contains("The state of the store is unknown"), "\(result.text)")
    #expect(result.text.contains("The backup was kept."), "\(result.text)")
    #expect(!result.text.contains("unchanged"), "\(result.text)")
    #expect(fixture.backups("secret").count == 1)
    if how == "moved" {
      try FileManager.default.moveItem(atPath: other, toPath: data)
    } else {
      try FileManager.default.removeItem(atPath: other)
    }
    let clear = fixture.repository("secret", version: 2)
    #expect(try clear.contents() == RunnerRepository.expected("secret", hounds: 20, version: 2))
  }

  @Test("A repository's own key is used whatever the command line names")
  func ownKeys() throws {
    let fixture = try fixture { _ in .passphrase("correct horse") }
    let own = RunnerRepository(
      "secret",
      in: fixture.directory,
      version: 2,
      encryption: .passphrase("correct horse")
    )
    let result = fixture.run([own], "migrate", "--yes", "--key-env", "X", environment: ["X": "wrong"])
    #expect(result.outcome == .done, "\(result.text)")
  }
}
