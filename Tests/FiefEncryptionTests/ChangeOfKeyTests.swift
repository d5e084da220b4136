import Fief
import FiefEncryption
import Foundation
import Testing

@testable import LMDB

final class SealedNote: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted var at: Date?
  override class func lifetime() -> Lifetime? { Lifetime(3_600, since: "at", tier: .sealed) }
}

/// Other keys for a store, and an end of its encryption.
@Suite(.timeLimit(.minutes(30))) struct ChangeOfKeyTests {
  let scratch: Scratch
  let vault: Vault
  private let marker = "MARK-0123456789-"

  init() throws {
    scratch = try Scratch()
    vault = Vault(parent: scratch.path, encryption: .test(1))
  }

  private func fill(_ vault: Vault) throws {
    try vault.write { transaction in
      for id in 0..<200 { try transaction.add(Secret.full(id, "\(marker)\(id)")) }
    }
  }

  @Test("another key wraps the data keys, and the former one opens nothing")
  func change() throws {
    try fill(vault)
    let before = try vault.texts()
    try vault.changeEncryptionKey(to: .passphrase("new"))
    try vault.saveAndWait(entity: Secret(1000, marker), update: true)
    vault.close()
    #expect(code { try vault.open() } == .wrongKey)
    let changed = vault.with(.passphrase("new"))
    #expect(try changed.texts() == before.merging([1000: marker]) { $1 })
    #expect(code { try changed.changeEncryptionKey(to: .key(Data(count: 5))) } == .invalidKey)
    #expect(try changed.texts().count == 201)
    #expect(try scratch.files(with: marker) == [])
  }

  @Test("a store stays open while its values get a new data key")
  func reencryption() throws {
    try fill(vault)
    let before = try vault.texts()
    #expect(try vault.store().isEncrypted)
    try vault.reencrypt(with: .test(2))
    #expect(vault.object(ofType: Secret.self, forPrimaryKey: 3)?.text == "\(marker)3")
    try vault.saveAndWait(entity: Secret(1000, marker), update: true)
    #expect(try vault.check().problems == [])
    vault.close()
    #expect(code { try vault.open() } == .wrongKey)
    #expect(try vault.with(.test(2)).texts() == before.merging([1000: marker]) { $1 })
    #expect(try scratch.files(with: marker) == [])
  }

  @Test("a store in clear is encrypted with all its old pages, and decrypted")
  func encryption() throws {
    let clear = vault.with(nil)
    try fill(clear)
    // Pages that are free by then have had values.
    try clear.write { try $0.delete(ofType: Secret.self, forPrimaryKeys: Array(0..<50)) }
    #expect(try !clear.store().isEncrypted)
    #expect(code { try clear.decrypt() } == .notEncrypted)
    #expect(code { try clear.reencrypt(with: .test(1)) } == .notEncrypted)
    #expect(code { try clear.changeEncryptionKey(to: .test(1)) } == .notEncrypted)
    let before = try clear.texts()
    #expect(try scratch.files(with: marker) == ["vault/data.mdb"])
    try clear.encrypt(with: .test(1))
    #expect(try scratch.files(with: marker) == [])
    #expect(code { try clear.encrypt(with: .test(1)) } == .encrypted)
    try clear.saveAndWait(entity: Secret(1000, marker), update: true)
    #expect(try clear.check().problems == [])
    clear.close()
    #expect(try scratch.files(with: marker) == [])
    #expect(code { try clear.open() } == .encrypted)
    #expect(try vault.texts() == before.merging([1000: marker]) { $1 })
    try vault.decrypt()
    vault.close()
    #expect(code { try vault.open() } == .notEncrypted)
    #expect(try clear.texts() == before.merging([1000: marker]) { $1 })
    let store = try DynamicStore(directory: scratch.path + "/vault")
    #expect(store.formatVersion == 6)
    store.close()
  }

  @Test("a store in clear is refused by an error that names the call, which opens and encrypts it")
  func clearStore() throws {
    try fill(vault.with(nil))
    let before = try vault.with(nil).texts()
    for _ in 0..<2 {
      let error = #expect(throws: FiefError.self) { try vault.open() }
      #expect(error?.code == .notEncrypted)
      #expect(error?.message.contains("encryptClearStore()") == true)
      #expect(error?.store == "vault" && error?.path?.hasSuffix("/vault") == true)
    }
    #expect(try vault.with(nil).texts() == before)
    try vault.encryptClearStore()
    #expect(try vault.texts() == before)
    #expect(try scratch.files(with: marker) == [])
    #expect(code { try vault.with(nil).open() } == .encrypted)
    #expect(try vault.texts() == before)
  }

  @Test("a store with a lost tree is refused, and its file stays as it is", arguments: [false, true])
  func lostTree(isEncrypted: Bool) throws {
    let former = vault.with(isEncrypted ? .test(1) : nil)
    try former.write { transaction in
      let secret = Secret(1, marker)
      secret.texts.append(objectsIn: (0..<2_000).map { "\($0)" })
      try transaction.add(secret)
    }
    former.close()
    let directory = scratch.path + "/vault"
    let file = URL(fileURLWithPath: directory + "/data.mdb")
    let environment = try LMDB.Environment.open(directory: directory, options: EnvironmentOptions())
    let names = try environment.read { try $0.databaseNames() }
    environment.close()
    #expect(names.count > 3)
    let whole = try Data(contentsOf: file)
    for name in names {
      var damaged = whole
      var start = damaged.startIndex
      while let found = damaged.range(of: Data(name.utf8), in: start..<damaged.endIndex) {
        damaged[found.upperBound - 1] ^= 1
        start = found.upperBound
      }
      try damaged.write(to: file)
      let asking = vault
      if isEncrypted {
        #expect(code { try asking.reencrypt(with: .test(2)) } != nil, "\(name)")
        #expect(code { try asking.decrypt() } != nil, "\(name)")
      } else {
        #expect(code { try asking.encryptClearStore() } == .damagedStore, "\(name)")
        #expect(code { try former.encrypt(with: .test(1)) } == .damagedStore, "\(name)")
      }
      asking.close()
      former.close()
      #expect(try Data(contentsOf: file) == damaged, "\(name)")
    }
    try whole.write(to: file)
    #expect(try former.texts() == [1: marker])
  }

  @Test("inside of a write, and for a store to read, nothing is changed")
  func misuse() throws {
    try fill(vault)
    try vault.write { _ in
      #expect(code { try vault.reencrypt(with: .test(2)) } == .nestedWrite)
      #expect(code { try vault.changeEncryptionKey(to: .test(2)) } == .nestedWrite)
    }
    try vault.read { _ in #expect(code { try vault.decrypt() } == .storeInUse) }
    vault.close()
    var reader = vault
    reader.options.isReadOnly = true
    #expect(code { try reader.changeEncryptionKey(to: .test(2)) } == .readOnlyStore)
    reader.close()
    #expect(try vault.texts().count == 200)
  }

  @Test("opening a store that is open compares the key, and other uses go on")
  func openingTwice() throws {
    try fill(vault)
    try vault.open()
    #expect(code { try vault.with(.test(2)).open() } == .wrongKey)
    #expect(code { try vault.with(nil).open() } == .encrypted)
    #expect(code { try vault.with(.key(Data())).open() } == .invalidKey)
    try vault.changeEncryptionKey(to: .test(2))
    #expect(code { try vault.open() } == .wrongKey)
    try vault.with(.test(2)).open()
    #expect(vault.object(ofType: Secret.self, forPrimaryKey: 3)?.text == "\(marker)3")
    try vault.decrypt()
    #expect(code { try vault.open() } == .notEncrypted)
    try vault.with(nil).open()
    vault.close()
  }

  @Test("a store with a class that is to be sealed is not decrypted")
  func sealedTier() throws {
    let clinic = Clinic(parent: scratch.path, types: [SealedNote.self])
    try clinic.saveAndWait(entity: SealedNote(value: ["id": 1, "text": marker]), update: true)
    #expect(code { try clinic.decrypt() } == .encryptionRequired)
    #expect(code { try clinic.backup(to: scratch.path + "/copy", encryptedWith: nil) } == .encryptionRequired)
    #expect(try clinic.store().isEncrypted)
    #expect(clinic.object(ofType: SealedNote.self, forPrimaryKey: 1)?.text == marker)
    clinic.close()
    #expect(try scratch.files(with: marker) == [])
  }

  /// A process that has opened the store before another one made properties secret does not know that their keys need the key of
  /// tokens.
  @Test("a store that another process has migrated since it was opened keeps its keys")
  func migratedMeanwhile() throws {
    let former = Clinic(parent: scratch.path, types: [InClear.Person.self])
    try former.write { transaction in
      for id in 0..<50 {
        try transaction.add(InClear.Person(value: ["number": "n\(id)", "name": "name \(id)"]))
      }
    }
    let copy = scratch.path + "/other"
    try former.backup(to: copy)
    let other = Clinic(parent: scratch.path, name: "other", version: 2, types: [InSecret.Person.self])
    try other.open()
    other.close()
    // What the other process has written.
    try Self.copyTrees(from: copy, to: scratch.path + "/clinic")
    #expect(code { try former.reencrypt(with: .test(2)) } == .schemaChanged)
    #expect(code { try former.decrypt() } == .encryptionRequired)
    #expect(
      code { try former.backup(to: scratch.path + "/copy", encryptedWith: .test(2)) } == .schemaChanged
    )
    former.close()
    let now = Clinic(parent: scratch.path, version: 2, types: [InSecret.Person.self])
    #expect(now.object(ofType: InSecret.Person.self, forPrimaryKey: "n7")?.name == "name 7")
    #expect(try now.objects(InSecret.Person.self).where { $0.name == "name 7" }.fetchCount() == 1)
    let problems = try now.check().problems
    #expect(problems == [])
    try now.reencrypt(with: .test(2))
    #expect(now.object(ofType: InSecret.Person.self, forPrimaryKey: "n7")?.name == "name 7")
    now.close()
  }

  @Test("an opening that finds the store made by another process meanwhile takes the header of that")
  func madeMeanwhile() throws {
    let other = Vault(parent: scratch.path, name: "other", encryption: .test(1))
    try fill(other)
    let texts = try other.texts()
    let (from, to) = (scratch.path + "/other", scratch.path + "/vault")
    let rounds = Lock(0)
    // The key is asked for after the opening has found no store, and again for the header that it then finds.
    let vault = vault.with(
      .provider { _ in
        if rounds.withLock({ rounds in
          defer { rounds += 1 }; return rounds
        }) == 0 {
          try Self.copyTrees(from: from, to: to)
        }
        return Data(repeating: 1, count: 32)
      }
    )
    #expect(try vault.texts() == texts)
    #expect(rounds.withLock { $0 } >= 2)
    try vault.saveAndWait(entity: Secret(1000, "own"), update: true)
    vault.close()
    #expect(try self.vault.texts() == texts.merging([1000: "own"]) { $1 })
  }

  /// Writes everything of a store into the file of another one that is being opened, as another process does that makes it.
  private static func copyTrees(from: String, to: String) throws {
    let source = try LMDB.Environment.open(directory: from, options: EnvironmentOptions())
    defer { source.close() }
    let target = try LMDB.Environment.open(directory: to, options: EnvironmentOptions())
    defer { target.close() }
    var names: [String] = []
    try source.read { names = try $0.databaseNames() }
    _ = try source.openDatabases(names, create: false)
    var former: [String] = []
    try target.read { former = try $0.databaseNames() }
    try target.write { transaction in
      for name in former where !names.contains(name) {
        try transaction.drop(try transaction.openDatabase(named: name))
      }
      try source.read { reader in
        for name in names {
          let tree = try transaction.openDatabase(named: name)
          try transaction.removeAll(tree)
          let cursor = try reader.cursor(try #require(try reader.database(named: name)))
          while try cursor.next() { try transaction.put(asInFile: tree, cursor.key, cursor.value) }
        }
        // A write with the key makes a record of its own.
        guard target.sealing == nil else { return }
        let record = try reader.bytes(
          try source.databases.reserve(handle: Transaction.unnamed),
          CommitSeal.key
        )
        try transaction.put(record, CommitSeal.key, try target.databases.reserve(handle: Transaction.unnamed))
      }
    }
  }

  @Test("a change of the key while others encrypt once more leaves a store with one of the keys")
  func changesAtOnce() async throws {
    try fill(vault)
    let before = try vault.texts()
    for _ in 0..<5 {
      let vault = vault
      try vault.reencrypt(with: .test(1))
      await withTaskGroup(of: Void.self) { group in
        group.addTask { Self.expectDoneOrRefused { try vault.changeEncryptionKey(to: .test(1)) } }
        group.addTask { Self.expectDoneOrRefused { try vault.reencrypt(with: .test(1)) } }
        group.addTask { Self.expectDoneOrRefused { try vault.changeEncryptionKey(to: .test(1)) } }
      }
      #expect(try vault.texts() == before)
    }
  }

  /// A change of the key is refused where the store was encrypted with another data key meanwhile.
  private static func expectDoneOrRefused(_ body: () throws -> Void) {
    let found = code(body)
    #expect(found == nil || found == .conflict || found == .storeInUse, "\(String(describing: found))")
  }
}
