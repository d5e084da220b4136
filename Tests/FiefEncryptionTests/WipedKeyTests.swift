import Fief
import FiefEncryption
import Foundation
import LMDB
import Testing

/// Keys that note what is called on their ciphers.
private struct NotingKeys: StoreKeys {
  let keys: any StoreKeys
  let calls: Calls

  /// The calls of each cipher, in the order in which the ciphers were made.
  final class Calls: Sendable {
    private let calls = Lock<[[String]]>([])
    var all: [[String]] { calls.withLock { $0 } }

    func begin() -> Int {
      calls.withLock { calls in
        calls.append([])
        return calls.count - 1
      }
    }

    func note(_ call: String, _ cipher: Int) { calls.withLock { $0[cipher].append(call) } }
  }

  func makeCipher(ofStore store: String) throws -> (header: [UInt8], cipher: any StoreCipher) {
    let made = try keys.makeCipher(ofStore: store)
    return (made.header, NotingCipher(made.cipher, calls))
  }

  func unlock(_ header: [UInt8], ofStore store: String) throws -> any StoreCipher {
    NotingCipher(try keys.unlock(header, ofStore: store), calls)
  }
}

private final class NotingCipher: StoreCipher {
  private let cipher: any StoreCipher
  private let calls: NotingKeys.Calls
  private let number: Int

  init(_ cipher: any StoreCipher, _ calls: NotingKeys.Calls) {
    self.cipher = cipher
    self.calls = calls
    number = calls.begin()
  }

  var overhead: Int { cipher.overhead }

  func seal(
    _ value: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  ) { cipher.seal(value, for: context, into: sealed) }

  func open(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into value: UnsafeMutableRawBufferPointer
  ) -> Bool { cipher.open(sealed, for: context, into: value) }

  func token(
    of bytes: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into token: UnsafeMutableRawBufferPointer
  ) { cipher.token(of: bytes, for: context, into: token) }

  func sealKey(
    _ key: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  ) { cipher.sealKey(key, for: context, into: sealed) }

  func openKey(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into key: UnsafeMutableRawBufferPointer
  ) -> Bool { cipher.openKey(sealed, for: context, into: key) }

  func header(for keys: any StoreKeys, ofStore store: String) throws -> [UInt8] {
    try cipher.header(for: (keys as? NotingKeys)?.keys ?? keys, ofStore: store)
  }

  func renewed(for keys: any StoreKeys, ofStore store: String) throws -> (
    header: [UInt8], cipher: any StoreCipher
  ) {
    let made = try cipher.renewed(for: (keys as? NotingKeys)?.keys ?? keys, ofStore: store)
    return (made.header, NotingCipher(made.cipher, calls))
  }

  func wipeValueKeys() {
    calls.note("values", number)
    cipher.wipeValueKeys()
  }

  func wipe() {
    calls.note("all", number)
    cipher.wipe()
  }
}

/// Data keys are wiped when the store is closed or gets other ones, though the program still holds objects and handles of it.
@Suite(.timeLimit(.minutes(30))) struct WipedKeyTests {
  private let scratch: Scratch
  private let calls = NotingKeys.Calls()

  init() throws { scratch = try Scratch() }

  private func noting(_ byte: UInt8 = 1) -> StoreEncryption {
    StoreEncryption(NotingKeys(keys: StoreEncryption.test(byte).keys, calls: calls))
  }

  @Test("closing a store wipes its keys, though objects of it are held", arguments: [false, true])
  func closing(isInMemory: Bool) throws {
    var vault = Vault(parent: scratch.path, encryption: noting())
    vault.isInMemory = isInMemory
    try vault.saveAndWait(entity: Secret.full(1, "text"), update: true)
    let held = try #require(vault.object(ofType: Secret.self, forPrimaryKey: 1))
    let handle = vault.store()
    #expect(calls.all == [[]])
    vault.close()
    #expect(calls.all == [["all"]])
    #expect(held.text == "text")
    #expect(code { _ = try handle.objects(Secret.self).fetchCount() } == .storeClosed)
  }

  @Test("the key of a seed is derived once, for the check and for the store", arguments: [false, true])
  func seeding(isInMemory: Bool) throws {
    let source = Vault(parent: scratch.path + "/seeds", encryption: .passphrase("correct horse"))
    try source.saveAndWait(entity: Secret.full(1, "seed"), update: false)
    source.close()
    let keys = NotingKeys(keys: StoreEncryption.passphrase("correct horse").keys, calls: calls)
    var vault = Vault(parent: scratch.path + "/stores", encryption: StoreEncryption(keys))
    vault.isInMemory = isInMemory
    vault.options.seedFile = scratch.path + "/seeds/vault/data.mdb"
    #expect(vault.object(ofType: Secret.self, forPrimaryKey: 1)?.text == "seed")
    #expect(calls.all == [[]])
    try vault.saveAndWait(entity: Secret.full(2, "more"), update: false)
    #expect(try vault.check().problems == [])
    vault.close()
    #expect(calls.all == [["all"]])
    if isInMemory { return }
    // The next opening derives it again.
    #expect(try vault.texts() == [1: "seed", 2: "more"])
    #expect(calls.all == [["all"], ["all"]])
    // A seed that cannot become the store leaves no keys.
    vault.options.seedFile = scratch.path + "/stores/vault/data.mdb"
    vault.parent = scratch.path + "/others"
    vault.encryption = StoreEncryption(NotingKeys(keys: StoreEncryption.test(3).keys, calls: calls))
    #expect(vault.store().openingError?.code == .wrongKey)
    #expect(calls.all.count == 2)
  }

  @Test("each opening and each change of the key asks for the user's key once")
  func derivations() throws {
    let asked = Lock(0)
    func taken() -> Int {
      asked.withLock { count in
        defer { count = 0 }
        return count
      }
    }
    let provider = StoreEncryption.provider { _ in
      asked.withLock { $0 += 1 }
      return Data(repeating: 1, count: 32)
    }
    let vault = Vault(parent: scratch.path, encryption: provider)
    try vault.saveAndWait(entity: Secret(1, "text"), update: true)
    #expect(taken() == 1)
    vault.close()
    #expect(try vault.count(Secret.self) == 1)
    #expect(taken() == 1)
    try vault.changeEncryptionKey(to: provider)
    #expect(taken() == 1)
    try vault.reencrypt(with: provider)
    #expect(taken() == 1)
    try vault.backup(to: scratch.path + "/copies/vault", encryptedWith: provider)
    #expect(taken() == 1)
    try vault.decrypt()
    try vault.encrypt(with: provider)
    #expect(taken() == 1)
    #expect(try vault.check().problems == [])
    vault.close()
  }

  @Test("a store that another handle has open keeps its keys")
  func sharing() throws {
    let vault = Vault(parent: scratch.path, encryption: noting())
    try vault.saveAndWait(entity: Secret(1, "text"), update: true)
    let store = try DynamicStore(directory: scratch.path + "/vault", encryption: .test(1))
    vault.close()
    #expect(calls.all == [[]])
    #expect(try store.read { try $0.count(of: "Secret") } == 1)
    store.close()
    #expect(calls.all == [["all"]])
  }

  @Test("compaction and growth keep the keys; new data keys take the place of the former")
  func replacing() throws {
    let vault = Vault(parent: scratch.path, encryption: noting())
    try vault.write { for id in 0..<3_000 { try $0.add(Secret.full(id, "text \(id)")) } }
    try vault.compact()
    #expect(calls.all == [[]])
    try vault.reencrypt(with: noting(2))
    #expect(calls.all == [["values"], []])
    #expect(vault.object(ofType: Secret.self, forPrimaryKey: 7)?.text == "text 7")
    try vault.decrypt()
    #expect(calls.all == [["values"], ["values"]])
    #expect(vault.object(ofType: Secret.self, forPrimaryKey: 7)?.text == "text 7")
    vault.close()
    #expect(calls.all == [["values", "all"], ["values", "all"]])
  }

  @Test("a store with secret keys finds by them after its values got a new data key")
  func tokens() throws {
    var clinic = Clinic(parent: scratch.path)
    clinic.encryption = noting()
    try clinic.write { for id in 0..<100 { try $0.add(Patient("n\(id)", "name \(id % 10)")) } }
    try clinic.reencrypt(with: noting(2))
    #expect(calls.all == [["values"], []])
    #expect(clinic.object(ofType: Patient.self, forPrimaryKey: "n7")?.name == "name 7")
    #expect(try clinic.objects(Patient.self).where { $0.name == "name 7" }.fetchCount() == 10)
    try clinic.saveAndWait(entity: Patient("n100", "name 7"), update: true)
    clinic.close()
    #expect(calls.all == [["values", "all"], ["all"]])
    clinic.encryption = noting(2)
    #expect(try clinic.objects(Patient.self).where { $0.name == "name 7" }.fetchCount() == 11)
    #expect(try clinic.check().problems == [])
    clinic.close()
  }

  @Test("a failed change of the data keys leaves the store with those it has")
  func failing() throws {
    let vault = Vault(parent: scratch.path, encryption: noting())
    try vault.write { for id in 0..<100 { try $0.add(Secret.full(id, "text \(id)")) } }
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/.temporary-vault/in-the-way",
      withIntermediateDirectories: true
    )
    #expect(throws: FiefError.self) { try vault.reencrypt(with: noting(2)) }
    #expect(calls.all.first == [])
    #expect(try vault.objects(Secret.self).fetchCount() == 100)
    #expect(vault.object(ofType: Secret.self, forPrimaryKey: 7)?.text == "text 7")
    vault.close()
    #expect(calls.all.first == ["all"])
  }
}
