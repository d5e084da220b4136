import ChildProcesses
import Fief
import Foundation
import PetStoreKit
import Testing

/// The program `petstore-migrate` itself, on the example's stores of version 1.
@Suite("The example's runner") struct RunnerProgramTests {
  private func run(_ arguments: String..., in directory: String) throws -> ChildProcess.Outcome {
    try ChildProcess.run(ChildProcess.built("petstore-migrate"), arguments, directory: directory)
  }

  @Test(
    "An answer that could not be written is no success",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))
  )
  func lostAnswer() throws {
    let fixture = try fixture()
    for command in ["status", "plan", "schema"] {
      let outcome = try ChildProcess.run(
        ChildProcess.built("petstore-migrate"),
        [command],
        directory: fixture.directory,
        output: .file("/dev/full")
      )
      #expect(outcome.status == 1, "\(command)")
      #expect(outcome.errors.contains("output could not be written"), "\(command)")
    }
  }

  /// A directory with `petstore-data`, as version 1 of the example has left it.
  private func fixture() throws -> RunnerFixture {
    let fixture = try RunnerFixture()
    let stores = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/Stores")
    let data = fixture.path("petstore-data")
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: data,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
    for name in Self.stores {
      let store = data + "/" + name
      try manager.copyItem(atPath: stores.appending(path: "\(name)/version-1").path, toPath: store)
      try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: store)
      for file in try manager.contentsOfDirectory(atPath: store) {
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store + "/" + file)
      }
    }
    return fixture
  }

  private static let stores = ["auth", "pets", "payments", "catalogue"]

  /// The values in a document about each store on disk.
  private func values<Value>(_ key: String, _ outcome: ChildProcess.Outcome, as type: Value.Type) throws
    -> [String: Value]
  {
    let result = RunnerResult(outcome: .done, output: outcome.output, errors: outcome.errors)
    return try result.stores().compactMapValues { $0[key] as? Value }
  }

  @Test("The whole story: status, plan, migrate, verify, rollback, status")
  func story() throws {
    let fixture = try fixture()
    let directory = fixture.directory
    let status = try run("status", in: directory)
    #expect(status.status == 0, "\(status.errors)")
    for name in Self.stores {
      let isClear = ["auth", "payments"].contains(name)
      let suffix = isClear ? ", unencrypted" : ""
      #expect(status.output.contains(try Regex("(?m)^\(name) .*needs a migration\(suffix)$")))
    }
    #expect(status.output.contains(try Regex("(?m)^ads .*in memory$")))
    let before = try values("objects", try run("status", "--json", in: directory), as: Int.self)
    #expect(before.count == 4 && before.values.allSatisfy { $0 > 5 })

    let plan = try run("plan", "--rehearse", in: directory)
    #expect(plan.status == 0, "\(plan.output)\(plan.errors)")
    #expect(plan.output.contains("breeds of their own"))
    #expect(plan.output.components(separatedBy: "The migrated copy is intact.").count == 5)

    let refused = try run("migrate", in: directory)
    #expect(refused.status == 4)
    let inClear = try run("migrate", "--yes", "--only", "auth", in: directory)
    #expect(inClear.status == 4)
    #expect(
      inClear.errors.replacing(/\s+/, with: " ").contains("petstore-migrate migrate --encrypt --only auth")
    )
    let migrated = try run("migrate", "--yes", "--encrypt", in: directory)
    #expect(migrated.status == 0, "\(migrated.output)\(migrated.errors)")
    #expect(migrated.output.contains("4 stores migrated."))
    #expect(migrated.errors.contains("pets: migrating from version 1 to"))
    #expect(!(migrated.output + migrated.errors).contains("\u{1B}"))
    #expect(try run("migrate", "--yes", in: directory).status == 3)
    #expect(try run("migrate", "--yes", "--exit-zero", in: directory).status == 0)

    let verified = try run("verify", in: directory)
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    let versions = try values("version", try run("status", "--json", in: directory), as: Int.self)
    #expect(versions == ["auth": 4, "pets": 3, "payments": 5, "catalogue": 5])

    let back = try run("rollback", "--yes", in: directory)
    #expect(back.status == 0, "\(back.output)\(back.errors)")
    let after = try run("status", "--json", in: directory)
    #expect(try values("objects", after, as: Int.self) == before)
    #expect(try values("version", after, as: Int.self).values.allSatisfy { $0 == 1 })
    #expect(try run("verify", "--json", in: directory).status == 0)
  }

  @Test("Statuses of the process", .timeLimit(.minutes(20)))
  func statuses() throws {
    let fixture = try fixture()
    #expect(try run("--help", in: fixture.directory).status == 0)
    #expect(try run(in: fixture.directory).status == 64)
    #expect(try run("migarte", in: fixture.directory).status == 64)
    #expect(
      try run("status", "--only", "nothing", in: fixture.directory).errors.contains("auth, pets, payments")
    )
    try fixture.damage("petstore-data/auth", at: 0, count: 8192)
    #expect(try run("verify", in: fixture.directory).status == 5)
    #expect(try run("verify", "--only", "pets", in: fixture.directory).status == 0)
  }

  @Test(
    "On a terminal there is a bar, and colours unless NO_COLOR is set",
    .enabled(if: RunnerSystem.hasScript)
  )
  func terminal() throws {
    let fixture = try fixture()
    let program = try ChildProcess.built("petstore-migrate")
    try fixture.damage("petstore-data/auth", at: 0, count: 8192)
    func screen(_ command: String) throws -> String {
      try ChildProcess.run("script", ["-qec", command, "/dev/null"], directory: fixture.directory).output
    }
    let coloured = try screen("env -u NO_COLOR TERM=xterm '\(program)' status")
    #expect(coloured.contains("\u{1B}[31mauth"))
    let plain = try screen("NO_COLOR=1 TERM=xterm '\(program)' migrate --yes --only catalogue")
    #expect(plain.contains("\r\u{1B}[2Kcatalogue: making a backup"))
    #expect(!plain.contains("\u{1B}[3") && !plain.contains("\u{1B}[1m"))
    #expect(plain.contains("migrated"))
  }

  @Test("bash completes the program's commands and stores")
  func completion() throws {
    let fixture = try RunnerFixture()
    let script = try run("completion", "bash", in: fixture.directory).output
    let drive = """
      \(script)
      COMP_WORDS=(petstore-migrate migrate --only p); COMP_CWORD=3
      _petstore_migrate
      echo "${COMPREPLY[@]}"
      COMP_WORDS=(petstore-migrate r); COMP_CWORD=1
      _petstore_migrate
      echo "${COMPREPLY[@]}"
      """
    let result = try ChildProcess.run("bash", ["--norc", "-c", drive], directory: fixture.directory)
    #expect(result.status == 0)
    #expect(result.output == "pets payments\nrollback restore\n", "\(result.errors)")
    #expect(
      try run("completion", "zsh", in: fixture.directory).output.hasPrefix("#compdef petstore-migrate\n")
    )
  }
}
