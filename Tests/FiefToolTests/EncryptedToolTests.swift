import Fief
import FiefEncryption
import Foundation
import LMDB
import Testing

/// Encrypted stores in the tool: with their keys only, and never with a key as an argument.
@Suite("The tool opens encrypted stores") struct EncryptedToolTests {
  final class Cat: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
  }

  struct CatRepository: DatabaseConfigurable {
    let realmMemoryType = RealmMemoryType.inStorage
    let schemaName: String? = "cats"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Cat.self]
    let embeddedObjectTypes: [EmbeddedObject.Type]? = nil
    let directory: String?
    let encryption: StoreEncryption

    var storeOptions: StoreOptions {
      var options = StoreOptions()
      options.encryption = encryption
      return options
    }
  }

  private func fill(_ directory: String, _ encryption: StoreEncryption) throws -> String {
    let repository = CatRepository(directory: directory, encryption: encryption)
    try repository.saveAndWait(entities: (0..<3).map { Cat(value: ["id": $0, "name": "Tom \($0)"]) })
    repository.store().close()
    return directory + "/cats"
  }

  @Test("with a key file it reads, writes, checks and copies")
  func keyFile() throws {
    try ToolStores.withDirectory { directory in
      let key = directory + "/key"
      try StoreEncryption.makeKeyFile(at: key)
      let store = try fill(directory, .keyFile(key))
      #expect(ToolRun("list", store, "Cat", "--key-file", key).output.contains("Tom 2"))
      #expect(
        ToolRun("put", store, "Cat", #"{"id": 7, "name": "Kit"}"#, "--write", "--key-file", key).status
          == .done
      )
      #expect(ToolRun("get", store, "Cat", "7", "--key-file", key).output.contains("Kit"))
      #expect(ToolRun("check", store, "--key-file", key).status == .done)
      #expect(ToolRun("backup", store, directory + "/copy", "--key-file", key).status == .done)
      #expect(ToolRun("compact", store, "--write", "--key-file", key).status == .done)
      #expect(ToolRun("list", directory + "/copy", "Cat", "--key-file", key).output.contains("Kit"))
      let files = try ["cats", "copy"].map {
        try Data(contentsOf: URL(filePath: "\(directory)/\($0)/data.mdb"))
      }
      #expect(files.allSatisfy { $0.range(of: Data("Tom 2".utf8)) == nil })
    }
  }

  @Test("a store that was changed without its key is checked, and exported as far as it can be read")
  func changedWithoutKey() throws {
    try ToolStores.withDirectory { directory in
      let key = directory + "/key"
      try StoreEncryption.makeKeyFile(at: key)
      let store = try fill(directory, .keyFile(key))
      let environment = try LMDB.Environment.open(directory: store, options: EnvironmentOptions())
      let cats = try #require(try environment.openDatabase(named: "type:1.Cat"))
      try environment.write { transaction in
        let cursor = try transaction.cursor(cats)
        if try cursor.last() { try cursor.delete() }
      }
      environment.close()
      #expect(ToolRun("list", store, "Cat", "--key-file", key).status == .damaged)
      #expect(ToolRun("check", store, "--quick", "--key-file", key).status == .damaged)
      let check = ToolRun("check", store, "--key-file", key)
      #expect(check.status == .damaged && check.output.contains("has 2 entries, but had 3"))
      let file = directory + "/cats.jsonl"
      #expect(
        ToolRun("export", store, "-o", file, "--skip-damaged", "--key-file", key).status == .done
      )
      #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8).contains("Tom 1"))
    }
  }

  @Test("a check names the object of a changed value, and an export omits this object only")
  func changedValue() throws {
    try ToolStores.withDirectory { directory in
      let key = directory + "/key"
      try StoreEncryption.makeKeyFile(at: key)
      let store = try fill(directory, .keyFile(key))
      let environment = try LMDB.Environment.open(directory: store, options: EnvironmentOptions())
      let cats = try #require(try environment.openDatabase(named: "type:1.Cat"))
      try environment.write { transaction in
        let cursor = try transaction.cursor(cats)
        #expect(try cursor.next() && cursor.next())
        var value = Array(cursor.value)
        value[30] ^= 1
        try value.withUnsafeBytes { try cursor.put($0) }
      }
      environment.close()
      let check = ToolRun("check", store, "--key-file", key)
      #expect(check.status == .damaged && check.output.contains("  - Cat[1]: damagedStore: "))
      #expect(ToolRun("export", store, "Cat", "--key-file", key).status == .damaged)
      let rest = ToolRun("export", store, "Cat", "--skip-damaged", "--key-file", key)
      #expect(rest.status == .damaged && rest.lines.count == 2)
      #expect(rest.output.contains("Tom 0") && rest.output.contains("Tom 2"))
      #expect(rest.errors.hasPrefix("skipped Cat 1: "))
      #expect(ToolRun("get", store, "Cat", "2", "--key-file", key).output.contains("Tom 2"))
    }
  }

  final class Lynx: Object {
    @Persisted(primaryKey: true, secret: true) var chip = ""
    @Persisted(indexed: true, secret: true) var name = ""
    @Persisted var friend: Lynx?
  }

  struct LynxRepository: DatabaseConfigurable {
    let realmMemoryType = RealmMemoryType.inStorage
    let schemaName: String? = "lynxes"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Lynx.self]
    let embeddedObjectTypes: [EmbeddedObject.Type]? = nil
    let directory: String?
    let keyFile: String

    var storeOptions: StoreOptions {
      var options = StoreOptions()
      options.encryption = .keyFile(keyFile)
      return options
    }
  }

  @Test("secret properties are shown as such; their values go in and out in clear")
  func secretKeys() throws {
    try ToolStores.withDirectory { directory in
      let key = directory + "/key"
      try StoreEncryption.makeKeyFile(at: key)
      let repository = LynxRepository(directory: directory, keyFile: key)
      let one = Lynx(value: ["chip": "CHIP-1", "name": "Tom"])
      try repository.saveAndWait(entity: Lynx(value: ["chip": "CHIP-2", "name": "Kit", "friend": one]))
      repository.store().close()
      let store = directory + "/lynxes"
      let schema = ToolRun("schema", store, "--key-file", key).output
      #expect(schema.contains("primary key, secret") && schema.contains("indexed, secret"))
      #expect(ToolRun("get", store, "Lynx", "CHIP-2", "--key-file", key).output.contains("CHIP-1"))
      let file = directory + "/lynxes.jsonl"
      #expect(ToolRun("export", store, "-o", file, "--key-file", key).status == .done)
      let lines = try String(contentsOf: URL(filePath: file), encoding: .utf8)
      #expect(lines.contains("CHIP-1") && lines.contains("CHIP-2"))
      #expect(ToolRun("delete", store, "Lynx", "CHIP-2", "--write", "--key-file", key).status == .done)
      #expect(
        ToolRun("import", store, "-i", file, "--on-conflict", "replace", "--key-file", key).status == .done
      )
      #expect(ToolRun("check", store, "--key-file", key).status == .done)
      #expect(
        ToolRun("query", store, "Lynx", "friend.chip == 'CHIP-1'", "--key-file", key).output.contains("Kit")
      )
      let data = try Data(contentsOf: URL(filePath: store + "/data.mdb"))
      #expect(data.range(of: Data("CHIP-".utf8)) == nil && data.range(of: Data("Kit".utf8)) == nil)
    }
  }

  @Test("without the key, and with another one, it says so and shows nothing")
  func refusals() throws {
    try ToolStores.withDirectory { directory in
      let (key, other) = (directory + "/key", directory + "/other")
      for path in [key, other] { try StoreEncryption.makeKeyFile(at: path) }
      let store = try fill(directory, .keyFile(key))
      let without = ToolRun("list", store, "Cat")
      #expect(without.status == .refused && without.output == "")
      #expect(without.errors.contains("encrypted") && without.errors.contains("--key-file"))
      let wrong = ToolRun("list", store, "Cat", "--key-file", other)
      #expect(wrong.status == .refused && wrong.errors.contains("different key"))
      #expect(ToolRun("info", store).status == .refused)
      #expect(ToolRun("list", store, "Cat", "--key-env", "FIEF_TEST_NO_SUCH_VARIABLE").status == .usage)
      #expect(ToolRun("list", store, "Cat", "--key-env", "PATH", "--key-file", key).status == .usage)
      let document = try ToolRun("--json", "info", store).json()
      #expect((document["error"] as? [String: Any])?["code"] as? String == "encrypted")
    }
  }

  @Test("at a terminal it asks for the passphrase, once")
  func typed() throws {
    try ToolStores.withDirectory { directory in
      let store = try fill(directory, .passphrase("correct horse"))
      let run = ToolRun(["list", store, "Cat"], passphrase: "correct horse")
      #expect(run.status == .done && run.output.contains("Tom 1"))
      #expect(run.errors == "The store cats is encrypted. Passphrase: ")
      let wrong = ToolRun(["list", store, "Cat"], passphrase: "wrong")
      #expect(wrong.status == .refused && wrong.output == "" && !wrong.errors.contains("wrong\n"))
      #expect(ToolRun(["list", store, "Cat"], passphrase: "").status == .refused)
    }
  }

  @Test("a variable has a passphrase, or a key in hexadecimal digits")
  func variables() throws {
    let environment = [
      "PHRASE": "correct horse", "HEX": "hex:" + String(repeating: "0a", count: 32), "BAD": "hex:0a0",
    ]
    func list(_ store: String, _ name: String) -> ToolRun {
      ToolRun(["list", store, "Cat", "--key-env", name], environment: environment)
    }
    try ToolStores.withDirectory { directory in
      let store = try fill(directory, .passphrase("correct horse"))
      #expect(list(store, "PHRASE").output.contains("Tom 1"))
      #expect(list(store, "HEX").status == .refused)
      #expect(list(store, "BAD").status == .usage)
      #expect(list(store, "NONE").status == .usage)
    }
    try ToolStores.withDirectory { directory in
      let store = try fill(directory, .key(Data(repeating: 10, count: 32)))
      #expect(list(store, "HEX").output.contains("Tom 1"))
      #expect(list(store, "PHRASE").status == .refused)
    }
  }
}
