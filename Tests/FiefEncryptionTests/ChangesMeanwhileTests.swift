import Fief
import FiefEncryption
import FiefTesting
import Foundation
import TestEffort
import Testing

/// Changes of the keys while something else goes on with the store: openings that derive a key, sorts, writes to several stores.
@Suite(.timeLimit(.minutes(30))) struct ChangesMeanwhileTests {
  private let scratch: Scratch
  private let vault: Vault

  init() throws {
    scratch = try Scratch()
    vault = Vault(parent: scratch.path, encryption: .test(1))
    try vault.write { for id in 0..<100 { try $0.add(Secret.full(id, "text \(id)")) } }
  }

  /// A change of the keys, and the key afterwards; 0 is none.
  enum Change: CaseIterable {
    case decrypt, reencrypt, reencryptWithSame, change

    var key: UInt8 {
      switch self {
      case .decrypt: 0
      case .reencrypt, .change: 2
      case .reencryptWithSame: 1
      }
    }

    func perform(_ vault: Vault) throws {
      switch self {
      case .decrypt: try vault.decrypt()
      case .reencrypt, .reencryptWithSame: try vault.reencrypt(with: .test(key))
      case .change: try vault.changeEncryptionKey(to: .test(key))
      }
    }
  }

  /// The first key, which takes so long to be had that a change is done meanwhile.
  private func slow(_ change: Change) -> StoreEncryption {
    let isDone = Lock(false)
    let vault = vault
    return .provider { _ in
      let isFirst = isDone.withLock { isDone in
        defer { isDone = true }
        return !isDone
      }
      if isFirst { try change.perform(vault) }
      return Data(repeating: 1, count: 32)
    }
  }

  private func expected(_ change: Change) -> FiefError.Code? {
    switch change {
    case .decrypt: .notEncrypted
    case .reencrypt, .change: .wrongKey
    case .reencryptWithSame: nil
    }
  }

  /// The store goes on as it was left by the change, with what is saved afterwards.
  private func expectWhole(_ change: Change) throws {
    #expect(try vault.objects(Secret.self).fetchCount() == 100)
    try vault.saveAndWait(entity: Secret.full(1000, "later"), update: false)
    #expect(vault.object(ofType: Secret.self, forPrimaryKey: 7)?.text == "text 7")
    #expect(try vault.check().problems == [])
    vault.close()
    let now = vault.with(change.key == 0 ? nil : .test(change.key))
    #expect(try now.texts().count == 101)
    #expect(try now.texts()[1000] == "later")
  }

  @Test("opening a store that is open compares the key that it has at the end", arguments: Change.allCases)
  func openingAgain(change: Change) throws {
    #expect(code { try vault.with(slow(change)).open() } == expected(change))
    try expectWhole(change)
  }

  @Test("a second handle is opened with the key that the store has at the end", arguments: Change.allCases)
  func secondHandle(change: Change) throws {
    var store: DynamicStore?
    let found = code {
      store = try DynamicStore(directory: scratch.path + "/vault", encryption: slow(change))
    }
    #expect(found == expected(change))
    if let store { #expect(try store.count(of: "Secret") == 100) }
    store?.close()
    try expectWhole(change)
  }

  @Test("a sort that does not fit into memory goes on with its file", arguments: Change.allCases)
  func sorting(change: Change) throws {
    vault.close()
    var small = vault
    small.options.maximumSortBytes = 1 << 12
    let count = TestEffort.count(1_500, more: 3_000)
    try small.write { for id in 100..<count { try $0.add(Secret(id, "text \((id * 7919) % 3000)")) } }
    var texts: [String] = []
    for secret in try small.objects(Secret.self).sorted(byKeyPath: "text") {
      texts.append(secret.text)
      if texts.count == 1_000 { try change.perform(small) }
    }
    let isSorted = texts == texts.sorted()
    #expect(texts.count == count && isSorted)
    small.close()
  }

  @Test("backups with a key of their own are made while stores are written together")
  func writesToSeveralStores() throws {
    let clear = Vault(parent: scratch.path, name: "clear")
    try clear.saveAndWait(entity: Secret(0, "first"), update: true)
    let vault = vault
    let manager = StoreManager(directory: scratch.path, repositories: [vault, clear])
    let isDone = Lock(false)
    let written = Lock(0)
    let thread = Thread {
      do {
        while !isDone.withLock({ $0 }) {
          try manager.write(to: clear, and: vault) { first, second in
            let id = 1_000 + written.withLock { $0 }
            try first.add(Secret(id, "together"))
            try second.add(Secret(id, "together"))
          }
          written.withLock { $0 += 1 }
        }
      } catch { Issue.record(error) }
      isDone.withLock { $0 = false }
    }
    thread.start()
    for round in 0..<20 {
      let store = round % 2 == 0 ? vault : clear
      let name = "copy-\(round)"
      try store.backup(to: scratch.path + "/" + name, encryptedWith: .test(3))
      let copy = Vault(parent: scratch.path, name: name, encryption: .test(3))
      #expect(try copy.check().problems == [])
      #expect(try copy.texts().count >= 1)
    }
    while written.withLock({ $0 }) == 0 { Thread.sleep(forTimeInterval: 0.001) }
    isDone.withLock { $0 = true }
    while isDone.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.001) }
    #expect(try vault.texts().count - 100 == clear.texts().count - 1)
  }

  /// How calls ended that were made one after the other while a write went on, and so waited for their turn.
  private func ends(
    of calls: [@Sendable () throws -> Void],
    afterWriteTo vault: Vault
  ) throws -> [FiefError.Code?] {
    let ends = Lock([Int: FiefError.Code?]())
    let group = DispatchGroup()
    try vault.write { _ in
      for (number, call) in calls.enumerated() {
        let thread = Thread {
          let end = code { try call() }
          ends.withLock { $0[number] = .some(end) }
          group.leave()
        }
        group.enter()
        thread.start()
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
    group.wait()
    return ends.withLock { ends in calls.indices.map { ends[$0] ?? .damagedStore } }
  }

  @Test("a change of keys that waits for another one decides by what that has left")
  func changesAtOnce() throws {
    let vault = vault
    let ends = try self.ends(
      of: [{ try vault.decrypt() }, { try vault.reencrypt(with: .test(2)) }],
      afterWriteTo: vault
    )
    #expect(ends[0] == nil)
    #expect(ends[1] == nil || ends[1] == .notEncrypted)
    vault.close()
    let clear = vault.with(nil)
    #expect(try clear.texts().count == 100)

    let both = try self.ends(
      of: [{ try clear.encrypt(with: .test(3)) }, { try clear.encrypt(with: .test(4)) }],
      afterWriteTo: clear
    )
    #expect(both == [nil, .encrypted] || both == [.encrypted, nil])
    vault.close()
    #expect(try vault.with(.test(both[0] == nil ? 3 : 4)).texts().count == 100)
  }

  @Test("inside of a write to another store nothing is copied, which might wait for each other")
  func otherWrite() throws {
    let other = Vault(parent: scratch.path, name: "other", encryption: .test(1))
    try other.write { _ in
      #expect(code { try vault.reencrypt(with: .test(2)) } == .nestedWrite)
      #expect(code { try vault.decrypt() } == .nestedWrite)
      #expect(
        code { try vault.backup(to: scratch.path + "/copy", encryptedWith: .test(2)) } == .nestedWrite
      )
    }
    other.close()
    #expect(try vault.texts().count == 100)
  }

  @Test(
    "a store in clear that is open is refused to those with a key, and encrypted by the call",
    arguments: [false, true]
  )
  func openInClear(isReadOnly: Bool) throws {
    try vault.decrypt()
    vault.close()
    var reader = vault
    reader.options.isReadOnly = isReadOnly
    #expect(code { try reader.open() } == .notEncrypted)
    try vault.with(nil).open()
    #expect(code { try reader.open() } == .notEncrypted)
    #expect(try !vault.with(nil).store().isEncrypted)
    if isReadOnly {
      #expect(code { try reader.encryptClearStore() } == .readOnlyStore)
      vault.close()
    }
    try vault.encryptClearStore()
    #expect(try vault.store().isEncrypted)
    #expect(try vault.objects(Secret.self).fetchCount() == 100)
    #expect(try vault.check().problems == [])
    vault.close()
  }

  @Test("a store of a test that has its key from the fixture is opened again after a change of it")
  func fixtures() throws {
    let repository = Vault(parent: scratch.path, name: "fixture", isInMemory: true)
    let fixture = try StoreFixture(repository, .encrypted)
    try fixture.saveAndWait(entity: Secret(1, "text"), update: true)
    try fixture.store().changeEncryptionKey(to: .test(5))
    try fixture.open()
    try fixture.store().decrypt()
    try fixture.open()
    #expect(fixture.object(ofType: Secret.self, forPrimaryKey: 1)?.text == "text")
  }
}
