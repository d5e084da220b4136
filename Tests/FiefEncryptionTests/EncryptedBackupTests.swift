import Fief
import FiefEncryption
import Foundation
import LMDB
import Testing

/// Backups with a key of their own, and in clear.
@Suite(.timeLimit(.minutes(30))) struct EncryptedBackupTests {
  private let scratch: Scratch
  private let marker = "MARK-0123456789-"

  init() throws { scratch = try Scratch() }

  private func vault(_ key: UInt8?, name: String = "vault") -> Vault {
    Vault(parent: scratch.path, name: name, encryption: key.map { .test($0) })
  }

  private func fill(_ vault: Vault) throws {
    try vault.write { for id in 0..<300 { try $0.add(Secret.full(id, "\(marker)\(id)")) } }
  }

  /// The key of the store, and that of its copy; nil is in clear.
  static let keys: [(UInt8?, UInt8?)] = [(nil, 2), (1, 2), (1, 1), (1, nil), (nil, nil)]

  @Test("a copy has the key that was asked for, and all that the store has", arguments: keys)
  func copies(_ own: UInt8?, _ other: UInt8?) throws {
    let vault = vault(own)
    try fill(vault)
    let place = scratch.path + "/copies/today"
    try vault.backup(to: place, encryptedWith: other.map { .test($0) })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place).sorted() == ["data.mdb", "store.manifest"]
    )
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/copies") == ["today"])
    // The store goes on as it was.
    try vault.saveAndWait(entity: Secret(1000, "later"), update: true)
    #expect(try vault.store().isEncrypted == (own != nil))
    var expected = try vault.texts()
    expected[1000] = nil
    let copy = Vault(
      parent: scratch.path + "/copies",
      name: "today",
      encryption: other.map { .test($0) }
    )
    #expect(try copy.texts() == expected)
    #expect(try copy.check().problems == [])
    copy.close()
    let inClear = try scratch.files(with: marker).sorted()
    #expect(inClear.contains("copies/today/data.mdb") == (other == nil))
    #expect(inClear.contains("vault/data.mdb") == (own == nil))
  }

  @Test(
    "a copy with the same key has another data key: what opens the values of one does not open the other's"
  )
  func dataKeys() throws {
    let vault = vault(1)
    try fill(vault)
    try vault.backup(to: scratch.path + "/copy", encryptedWith: .test(1))
    try vault.backup(to: scratch.path + "/same")
    vault.close()
    let ciphers = try ["vault", "copy", "same"].map { name in
      try StoreEncryption.test(1).keys.unlock(try header(of: name), ofStore: name)
    }
    #expect(opens(ciphers[0], what: ciphers[0]))
    #expect(opens(ciphers[0], what: ciphers[2]))
    #expect(!opens(ciphers[0], what: ciphers[1]))
    #expect(!opens(ciphers[1], what: ciphers[0]))
  }

  private func header(of store: String) throws -> [UInt8] {
    let environment = try LMDB.Environment.open(
      directory: scratch.path + "/" + store,
      options: EnvironmentOptions()
    )
    defer { environment.close() }
    return try environment.read { transaction in
      let tree = try #require(try transaction.database(named: "fief:catalogue"))
      return try Array("encryption".utf8).withUnsafeBytes { key in
        Array(try #require(try transaction.get(tree, key)))
      }
    }
  }

  private func opens(_ cipher: any StoreCipher, what other: any StoreCipher) -> Bool {
    var sealed = [UInt8](repeating: 0, count: other.overhead)
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    sealed.withUnsafeMutableBytes { other.seal(nothing, for: nothing, into: $0) }
    return sealed.withUnsafeBytes {
      cipher.open($0, for: nothing, into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }
  }

  @Test("secret keys are found in a copy with another key, and no copy in clear is made")
  func secrets() throws {
    let clinic = Clinic(parent: scratch.path)
    try clinic.write { for id in 0..<100 { try $0.add(Patient("n\(id)", "\(marker)\(id % 10)")) } }
    #expect(
      code { try clinic.backup(to: scratch.path + "/clear", encryptedWith: nil) } == .encryptionRequired
    )
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["clinic"])
    try clinic.backup(to: scratch.path + "/copy", encryptedWith: .test(2))
    let copy = Clinic(parent: scratch.path, name: "copy", encryption: .test(2))
    #expect(copy.object(ofType: Patient.self, forPrimaryKey: "n7")?.name == "\(marker)7")
    #expect(try copy.objects(Patient.self).where { $0.name == "\(marker)7" }.fetchCount() == 10)
    #expect(try copy.check().problems == [])
    copy.close()
    clinic.close()
    #expect(try scratch.files(with: marker) == [])
  }

  @Test("what cannot be done leaves nothing, and the store as it was")
  func misuse() throws {
    let vault = vault(1)
    try fill(vault)
    let place = scratch.path + "/copy"
    #expect(code { try vault.backup(to: place, encryptedWith: .key(Data(count: 7))) } == .invalidKey)
    #expect(code { try vault.backup(to: place, encryptedWith: .keyFile("/nowhere")) } == .invalidKey)
    try vault.write { _ in
      #expect(code { try vault.backup(to: place, encryptedWith: .test(2)) } == .nestedWrite)
    }
    #expect(!FileManager.default.fileExists(atPath: place))
    try vault.read { _ in try vault.backup(to: place, encryptedWith: .test(2)) }
    #expect(code { try vault.backup(to: place, encryptedWith: .test(2)) } == .cannotOpen)
    vault.close()
    var reader = vault
    reader.options.isReadOnly = true
    #expect(code { try reader.backup(to: place + "2", encryptedWith: .test(2)) } == .readOnlyStore)
    reader.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["copy", "vault"])
    #expect(try vault.texts().count == 300)
  }
}
