import Fief
import FiefCommands
import Foundation
import LMDB
import TestEffort
import Testing

@testable import FiefCore

@Suite("The runner's looks into stores") struct RunnerInspectionTests {
  @Test("Verify says what is whole and what is not")
  func verify() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", "b", hounds: 400)
    let repositories = [fixture.repository("a", version: 2), fixture.repository("b", version: 2)]
    let whole = fixture.run(repositories, "verify")
    #expect(whole.outcome == .done)
    #expect(
      whole.lines == [
        "store records entries time result", "a 401 400 TIME intact", "b 401 400 TIME intact",
      ]
    )
    #expect(fixture.run(repositories, "verify", "-q").lines.last?.hasSuffix("structure is intact") == true)
    // A byte of a record, which no structure of LMDB covers.
    let data = try Data(contentsOf: URL(fileURLWithPath: fixture.path("b", "data.mdb")))
    let place = try #require(data.range(of: Data("Nick 7".utf8)))
    try fixture.damage("b", at: place.lowerBound, count: 1)
    #expect(fixture.run(repositories, "verify", "--quick").outcome == .done)
    let found = fixture.run(repositories, "verify", "--json")
    #expect(found.outcome == .damaged)
    #expect(try found.stores()["a"]?["outcome"] as? String == "done")
    #expect(try (found.stores()["b"]?["problems"] as? [String])?.isEmpty == false)
    #expect(fixture.run(repositories, "verify").errors.contains("'keeper rollback --only b'"))
    // A damaged store is neither copied nor migrated.
    #expect(fixture.run(repositories, "migrate", "-y", "--only", "b").outcome == .damaged)
    #expect(fixture.backups("b").isEmpty)
  }

  @Test("The schema is shown as declared and as stored")
  func schema() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let same = fixture.run([fixture.repository("a", version: 1)], "schema")
    #expect(
      same.lines == [
        "a", "version 1, declared and stored:", "Hound", "id: Int *", "name: String", "nick: String",
        "weight: Int32", "Kennel", "name: String *", "hounds: List<Hound>",
      ]
    )
    let both = fixture.run([fixture.repository("a", version: 2)], "schema")
    #expect(both.outcome == .done)
    #expect(both.lines.contains("version 2, declared:") && both.lines.contains("version 1, stored:"))
    #expect(both.lines.contains("name: String +"))
    let document = try fixture.run([fixture.repository("a", version: 2)], "schema", "--json", "--stored")
      .stores()
    #expect(document["a"]?["declared"] is NSNull)
    let stored = try #require(document["a"]?["stored"] as? [String: Any])
    #expect(stored["version"] as? Int == 1)
    #expect(
      (stored["types"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["Hound", "Kennel"]
    )
    #expect(
      !fixture.run([fixture.repository("a", version: 2)], "schema", "--declared").output.contains("stored")
    )
  }

  @Test("Differences are listed in words")
  func diff() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let result = fixture.run([fixture.repository("a", version: 2)], "diff")
    #expect(result.outcome == .done)
    #expect(
      result.lines == [
        "a", "stored version 1, declared version 2", "Hound.title: String? was added",
        "Hound.weight was changed from Int32 to Int", "Hound.nick: String was removed",
        "Hound.name is now indexed",
      ]
    )
    #expect(fixture.run([fixture.repository("a", version: 1)], "diff").outcome == .nothingToDo)
    let document = try fixture.run([fixture.repository("a", version: 2)], "diff", "--json").stores()
    #expect((document["a"]?["changes"] as? [Any])?.count == 4)
  }

  @Test("Compacting gives room back and loses nothing")
  func compact() throws {
    let fixture = try RunnerFixture()
    let repository = fixture.repository("a", version: 1)
    try repository.fill(hounds: 10)
    try repository.write { tx in
      for id in 10..<3000 {
        let hound = RunnerVersion1.Hound()
        hound.id = id
        hound.nick = String(repeating: "n", count: 200)
        try tx.add(hound, update: .error)
      }
    }
    try repository.write { tx in
      for hound in tx.objects(RunnerVersion1.Hound.self) where hound.id >= 10 { try tx.delete(hound) }
    }
    repository.close()
    let result = fixture.run([repository], "compact", "--json")
    #expect(result.outcome == .done)
    let store = try #require(try result.stores()["a"])
    let (before, after) = (store["bytesBefore"] as? Int ?? 0, store["bytesAfter"] as? Int ?? 0)
    #expect(after > 0 && after * 2 < before)
    #expect(try repository.contents() == RunnerRepository.expected("a", hounds: 10, version: 1))
    #expect(try fixture.names() == ["a"])
    #expect(fixture.run([fixture.repository("none", version: 1)], "compact").outcome == .nothingToDo)
  }

  @Test("A store of a newer format is refused with what to do")
  func newerFormat() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    var options = EnvironmentOptions()
    options.durability = .none
    let environment = try LMDB.Environment.open(directory: fixture.path("a"), options: options)
    try environment.write { transaction in
      let tree = try transaction.openDatabase(named: Catalogue.treeName)
      var bytes = try Catalogue.key.withUnsafeBytes { key in
        try transaction.get(tree, key).map { [UInt8]($0) } ?? []
      }
      bytes[0] = 200
      try Catalogue.key.withUnsafeBytes { key in
        try bytes.withUnsafeBytes { try transaction.put(tree, key, $0) }
      }
    }
    environment.close()
    let repository = fixture.repository("a", version: 2)
    for command in ["status", "plan", "verify", "diff"] {
      let result = fixture.run([repository], command)
      #expect(result.outcome == .refused, "\(command)")
      #expect(result.text.contains("newer release of Fief"))
    }
    #expect(fixture.run([repository], "migrate", "--yes").outcome == .refused)
  }

  @Test("A file that is no store is said to be none")
  func foreign() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", "b", "c")
    try Data(repeating: 65, count: 100_000).write(to: URL(fileURLWithPath: fixture.path("a", "data.mdb")))
    try Data().write(to: URL(fileURLWithPath: fixture.path("b", "data.mdb")))
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: fixture.path("c"))
    // Writing has made new files, with other permissions.
    for name in ["a", "b"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600],
        ofItemAtPath: fixture.path(name, "data.mdb")
      )
    }
    let result = fixture.run(["a", "b", "c"].map { fixture.repository($0, version: 1) }, "status")
    #expect(result.outcome == .damaged)
    #expect(result.text.contains("a: The file data.mdb is not a store"))
    #expect(result.text.contains("b: The store is damaged"))
    #expect(result.text.contains("c: The path is not safe for a store (writable by all users)."))
  }

  @Test("A directory that is a file is said to be so")
  func directoryBelowAFile() throws {
    let fixture = try RunnerFixture()
    try Data().write(to: URL(fileURLWithPath: fixture.path("file")))
    let result = fixture.run([RunnerRepository("a", in: fixture.path("file"), version: 1)], "status")
    #expect(result.text.contains("The path is not a directory, or leads through a file."), "\(result.text)")
    #expect(!result.text.contains("chmod"))
  }

  @Test("No damage of a file ends the program", arguments: 0..<UInt64(TestEffort.count(1, more: 4)))
  func fuzz(seed: UInt64) throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", hounds: 60)
    let whole = try Data(contentsOf: URL(fileURLWithPath: fixture.path("a", "data.mdb")))
    var generator = RunnerGenerator(state: seed)
    for _ in 0..<8 {
      try whole.write(to: URL(fileURLWithPath: fixture.path("a", "data.mdb")))
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600],
        ofItemAtPath: fixture.path("a", "data.mdb")
      )
      let count = [1, 8, 300, 5000].randomElement(using: &generator) ?? 1
      try fixture.damage("a", at: Int.random(in: 0..<whole.count - count, using: &generator), count: count)
      for arguments in [["status"], ["plan", "--rehearse"], ["verify"], ["backup"], ["migrate", "-y"]] {
        let result = fixture.run([fixture.repository("a", version: 2)], arguments + ["--json"])
        #expect(result.outcome != .usage, "seed \(seed)")
        #expect(try !result.document().isEmpty, "seed \(seed)")
      }
    }
  }
}

/// Random numbers that a seed repeats.
struct RunnerGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
