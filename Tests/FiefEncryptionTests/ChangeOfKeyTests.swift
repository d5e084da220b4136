import Fief
import FiefEncryption
import Foundation
import Testing

/// Other keys for a store, and an end of its encryption.
@Suite(.timeLimit(.minutes(10))) struct ChangeOfKeyTests {
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

  @Test("opening encrypts a store in clear where it is asked to")
  func encryptionOnOpening() throws {
    try fill(vault.with(nil))
    let before = try vault.with(nil).texts()
    var asking = vault
    asking.options.encryptsClearStore = true
    #expect(try asking.texts() == before)
    #expect(try scratch.files(with: marker) == [])
    #expect(try vault.texts() == before)
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

  @Test("eight openings that make one store at the same time have one key", .timeLimit(.minutes(5)))
  func openingsAtOnce() async throws {
    for round in 0..<10 {
      var vault = vault
      vault.name = "vault \(round)"
      let shared = vault
      await withTaskGroup(of: Void.self) { group in
        for id in 0..<8 {
          group.addTask { _ = try? await shared.save(entity: Secret(id, "\(id)"), update: true) }
        }
      }
      shared.close()
      #expect(try shared.texts().count == 8)
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
        group.addTask { try? vault.changeEncryptionKey(to: .test(1)) }
        group.addTask { try? vault.reencrypt(with: .test(1)) }
        group.addTask { try? vault.changeEncryptionKey(to: .test(1)) }
      }
      #expect(try vault.texts() == before)
    }
  }
}
