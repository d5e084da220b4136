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
