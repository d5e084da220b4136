import Fief
import FiefEncryption
import Foundation
import Testing

/// Stores that are encrypted: what is on the disk, and what opens them.
@Suite(.timeLimit(.minutes(30))) struct EncryptedStoreTests {
  let scratch: Scratch
  let vault: Vault
  private let marker = "MARK-0123456789-"

  init() throws {
    scratch = try Scratch()
    vault = Vault(parent: scratch.path, encryption: .test(1))
  }

  @Test("no value of an object is on the disk in clear, in no page that was ever written")
  func markers() throws {
    for id in 0..<300 { try vault.saveAndWait(entity: Secret.full(id, "\(marker)\(id)"), update: true) }
    try vault.write { transaction in
      let secret = Secret.full(1000, marker)
      // A large list is in a tree of its own.
      for number in 0..<5000 { secret.texts.append("\(marker)\(number)") }
      secret.bytes = Data(repeating: 7, count: 50_000) + Data(marker.utf8)
      try transaction.add(secret)
    }
    try vault.write { transaction in
      for secret in transaction.objects(Secret.self).where({ $0.rank == 3 }) {
        secret.text = "\(marker)changed"
      }
    }
    try vault.write { try $0.delete(ofType: Secret.self, forPrimaryKeys: Array(0..<100)) }
    #expect(try vault.objects(Secret.self).where { $0.text == "\(marker)changed" }.fetchCount() == 29)
    #expect(vault.object(ofType: Secret.self, forPrimaryKey: 1000)?.texts.count == 5003)
    try vault.backup(to: scratch.path + "/copies/first")
    #expect(try scratch.files(with: marker) == [])
    try vault.compact()
    #expect(try vault.check().problems == [])
    vault.close()
    #expect(try scratch.files(with: marker) == [])
    // The search finds what is there.
    let clear = Vault(parent: scratch.path, name: "clear")
    try clear.saveAndWait(entity: Secret.full(1, marker), update: true)
    clear.close()
    #expect(try scratch.files(with: marker) == ["clear/data.mdb"])
    try clear.deleteStore()
    // A copy is encrypted with the same key.
    let copy = Vault(parent: scratch.path + "/copies", name: "first", encryption: .test(1))
    #expect(try copy.texts().count == 201)
    #expect(code { try copy.with(.test(2)).open() } == .wrongKey)
  }

  @Test("the key of one domain does not open the store of another, under either name")
  func otherDomain() throws {
    let keys: [String: UInt8] = ["auth": 1, "payments": 2]
    let encryption = StoreEncryption.provider { store in Data(repeating: keys[store] ?? 0, count: 32) }
    let stores = keys.keys.map { Vault(parent: scratch.path, name: $0, encryption: encryption) }
    for store in stores {
      try store.saveAndWait(entity: Secret(1, "of \(store.name)"), update: true)
      store.close()
    }
    let (auth, payments) = (scratch.path + "/auth", scratch.path + "/payments")
    try FileManager.default.moveItem(atPath: auth, toPath: scratch.path + "/other")
    try FileManager.default.moveItem(atPath: payments, toPath: auth)
    try FileManager.default.moveItem(atPath: scratch.path + "/other", toPath: payments)
    for store in stores { #expect(code { try store.open() } == .wrongKey) }
    // With its own key a store opens under another name.
    let moved = Vault(parent: scratch.path, name: "auth", encryption: .test(2))
    #expect(try moved.texts() == [1: "of payments"])
  }

  @Test("a sort that does not fit into memory leaves no value in its file", arguments: [true, false])
  func sorts(isEncrypted: Bool) throws {
    let marker = "MARK-SORT-\(isEncrypted)-"
    var small = isEncrypted ? vault : vault.with(nil)
    small.options.maximumSortBytes = 1 << 12
    try small.write { transaction in
      for id in 0..<3000 { try transaction.add(Secret(id, "\((id * 7919) % 3000) \(marker)")) }
    }
    var texts: [String] = []
    var files = 0
    var hits = 0
    try small.read { snapshot in
      for secret in snapshot.objects(Secret.self).sorted(byKeyPath: "text") {
        texts.append(secret.text)
        guard texts.count == 1500 else { continue }
        // The file has no name, but a descriptor of this process.
        for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
          let link = "/proc/self/fd/\(descriptor)"
          let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
          guard let target, target.hasPrefix(FileManager.default.temporaryDirectory.path),
            target.hasSuffix("(deleted)")
          else { continue }
          // Another test of this process may be done with a file of its own.
          guard let content = try? FileHandle(forReadingFrom: URL(fileURLWithPath: link)).readToEnd() else {
            continue
          }
          files += 1
          if content.range(of: Data(marker.utf8)) != nil { hits += 1 }
        }
      }
    }
    #expect(texts == texts.sorted() && texts.count == 3000)
    #expect(files > 0 && (hits == 0) == isEncrypted)
  }

  @Test("a store opens with its own key only, and says why it does not")
  func keys() throws {
    try vault.saveAndWait(entity: Secret(1, "one"), update: true)
    vault.close()
    #expect(code { try vault.with(nil).open() } == .encrypted)
    #expect(code { try vault.with(.test(2)).open() } == .wrongKey)
    #expect(code { try vault.with(.passphrase("one")).open() } == .wrongKey)
    #expect(code { try vault.with(.key(Data(count: 31))).open() } == .invalidKey)
    #expect(code { try vault.with(.key(Data())).open() } == .invalidKey)
    #expect(code { _ = try DynamicStore(directory: scratch.path + "/vault") } == .encrypted)
    #expect(
      code { _ = try DynamicStore(directory: scratch.path + "/vault", encryption: .test(3)) } == .wrongKey
    )
    let dynamic = try DynamicStore(directory: scratch.path + "/vault", encryption: .test(1))
    #expect(try dynamic.read { try $0.count(of: "Secret") } == 1)
    dynamic.close()
    #expect(try vault.texts() == [1: "one"])
    let clear = Vault(parent: scratch.path, name: "clear")
    try clear.saveAndWait(entity: Secret(2, "two"), update: true)
    clear.close()
    #expect(code { try clear.with(.test(1)).open() } == .notEncrypted)
    #expect(try clear.texts() == [2: "two"])
    do {
      try vault.with(nil).open()
      Issue.record("the store is open without its key")
    } catch let error as FiefError {
      #expect(error.store == "vault" && error.message.contains("FiefEncryption"))
    }
    // While it is open, too.
    try vault.open()
    #expect(code { _ = try DynamicStore(directory: scratch.path + "/vault") } == .encrypted)
    vault.close()
  }

  @Test("each kind of key opens what it has encrypted", arguments: 0..<5)
  func kindsOfKeys(kind: Int) throws {
    let path = scratch.path + "/key"
    let encryption: StoreEncryption
    switch kind {
    case 0: encryption = .key(Data((0..<64).map { UInt8($0) }))
    case 1:
      try StoreEncryption.makeKeyFile(at: path)
      encryption = .keyFile(path)
    case 2: encryption = .passphrase("correct horse battery staple")
    case 3:
      encryption = .provider { store in Data(repeating: store == "vault" ? 5 : 6, count: 32) }
    default: encryption = .passphrase("Gru\u{308}n")
    }
    let vault = vault.with(encryption)
    try vault.saveAndWait(entity: Secret(1, "one"), update: true)
    vault.close()
    #expect(try vault.texts() == [1: "one"])
    if kind == 4 { #expect(try vault.with(.passphrase("Gr\u{FC}n")).texts() == [1: "one"]) }
    if kind == 2 { #expect(code { try vault.with(.passphrase("correct horse")).open() } == .wrongKey) }
    #expect(code { try vault.with(.test(9)).open() } == .wrongKey)
  }

  @Test("a migration of an encrypted store leaves no value in clear")
  func migrations() throws {
    for id in 0..<50 { try vault.saveAndWait(entity: Secret.full(id, marker), update: true) }
    vault.close()
    var next = vault
    next.version = 2
    #expect(try next.texts().count == 50)
    #expect(try scratch.files(with: marker) == [])
    let store = try DynamicStore(directory: scratch.path + "/vault", encryption: .test(1))
    #expect(store.schemaVersion == 2 && store.formatVersion == 8)
    store.close()
  }

  @Test("a write to an encrypted store and one in clear leaves no value of the former in the latter")
  func severalStores() throws {
    let clear = Vault(parent: scratch.path, name: "clear")
    let manager = StoreManager(directory: scratch.path, repositories: [vault, clear])
    for id in 0..<20 {
      try manager.write(to: clear, and: vault) { first, second in
        try first.add(Secret(id, "in clear"))
        try second.add(Secret.full(id, marker))
      }
    }
    #expect(try vault.texts().count == 20)
    #expect(try clear.texts().count == 20)
    #expect(try scratch.files(with: marker) == [])
  }

  @Test("a store in memory is encrypted in its files, and takes another key like one on disk")
  func memory() throws {
    var memory = vault
    memory.isInMemory = true
    defer { memory.close() }
    try memory.write { transaction in
      for id in 0..<100 { try transaction.add(Secret.full(id, "\(marker)\(id)")) }
    }
    let store = memory.store()
    #expect(try store.isEncrypted)
    let directory = try #require(store.directory)
    func bytes() throws -> Data { try Data(contentsOf: URL(filePath: directory + "/data.mdb")) }
    #expect(try bytes().range(of: Data(marker.utf8)) == nil)
    try memory.changeEncryptionKey(to: .test(2))
    try memory.reencrypt(with: .test(3))
    #expect(try memory.objects(Secret.self).where { $0.text == "\(marker)7" }.fetchCount() == 1)
    #expect(try bytes().range(of: Data(marker.utf8)) == nil)
    try memory.decrypt()
    #expect(try !store.isEncrypted)
    #expect(try bytes().range(of: Data(marker.utf8)) != nil)
    #expect(try memory.check().problems == [])
  }

  @Test("a record that a write has read stays as it was while it changes others")
  func valuesBesideChanges() throws {
    try vault.write { transaction in
      for id in 0..<500 { try transaction.add(Secret.full(id, "before \(id)")) }
    }
    vault.close()
    try vault.write { transaction in
      let all = Array(transaction.objects(Secret.self).sorted(byKeyPath: "id"))
      for (index, secret) in all.enumerated() {
        let other = all[(index + 1) % all.count]
        other.rank += 1
        #expect(secret.text == "before \(secret.id)" && secret.texts.count == 3)
        secret.link = other
        if index % 10 == 0 { try transaction.add(Secret.full(1000 + index, "added")) }
      }
    }
    #expect(try vault.check().problems == [])
    let texts = try vault.texts()
    #expect(texts.count == 550 && (0..<500).allSatisfy { texts[$0] == "before \($0)" })
  }
}
