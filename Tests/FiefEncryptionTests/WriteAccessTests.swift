import Fief
import FiefEncryption
import Foundation
import Testing

/// Attacks on the files of an encrypted store without its key, as the article *Encrypting* lists them.
@Suite(.timeLimit(.minutes(30))) struct WriteAccessTests {
  let scratch: Scratch
  let vault: Vault

  init() throws {
    scratch = try Scratch()
    vault = Vault(parent: scratch.path, encryption: .test(1))
  }

  private var attacker: Attacker { Attacker(directory: scratch.path + "/vault") }
  private var file: URL { attacker.file }

  /// Saves ten objects and closes the store.
  private func fill(_ vault: Vault, _ text: String = "text") throws {
    try vault.write { transaction in
      for id in 0..<10 { try transaction.add(Secret(id, text)) }
    }
    vault.close()
  }

  @Test("check() finds index entries that were renamed")
  func indexEntries() throws {
    try fill(vault)
    let whole = try Data(contentsOf: file)
    try attacker.change(try attacker.tree(beginningWith: "index:")) { transaction, index in
      let keys = try transaction.keys(index)
      #expect(keys.count == 10)
      for key in keys { try transaction.remove(key, index) }
      for var key in keys {
        // The last byte of the rank, which is before the object key of the same length.
        key[key.count / 2 - 1] ^= 0x40
        try transaction.put([], key, index)
      }
    }
    // A query that uses the index omits the objects, without an error.
    #expect(try vault.read { try $0.objects(Secret.self).where { $0.rank == 3 }.fetchCount() } == 0)
    let problems = try vault.check().problems
    #expect(problems.count { $0.contains("the index of rank has no entry for the object") } == 10)
    vault.close()
    try whole.write(to: file)
    #expect(try vault.check().problems == [])
    #expect(try vault.texts().count == 10)
  }

  /// A way of reading the text of an object.
  enum Way: CaseIterable { case object, query, loop, write }

  @Test(
    "an entry that leads to the long record of another object, which was read before",
    arguments: Way.allCases
  )
  func sharedRecord(way: Way) throws {
    let texts = [1: String(repeating: "first", count: 4000), 2: String(repeating: "other", count: 4000)]
    try vault.write { transaction in
      for id in 1...2 { try transaction.add(Secret(id, try #require(texts[id]))) }
    }
    vault.close()
    let whole = try Data(contentsOf: file)
    try attacker.shareLongValues(ofAtLeast: 20_000)
    var vault = vault
    // Otherwise the first write would find pages that are used twice.
    vault.options.verification = .quick
    func text(_ id: Int) throws -> String? {
      switch way {
      case .object: try vault.read { try $0.object(ofType: Secret.self, forPrimaryKey: id)?.text }
      case .query: try vault.read { $0.objects(Secret.self).where { $0.id == id }.first?.text }
      case .loop:
        try vault.read { snapshot in
          for secret in snapshot.objects(Secret.self).where({ $0.id == id }) { return secret.text }
          return nil
        }
      case .write: try vault.write { try $0.object(ofType: Secret.self, forPrimaryKey: id)?.text }
      }
    }
    for _ in 0..<3 {
      // A query decrypts the values of a page, so it may also report the damage beside its object.
      var first: String?
      let error = code { first = try text(1) }
      #expect(error == nil ? first == texts[1] : error == .damagedStore && (way == .query || way == .loop))
      #expect(code { _ = try text(2) } == .damagedStore)
    }
    #expect((try? vault.check().problems)?.isEmpty != true)
    vault.close()
    try whole.write(to: file)
    #expect(try vault.texts() == texts)
    #expect(try vault.check().problems == [])
    vault.close()
  }

  @Test("the main tree of an earlier commit under the newest meta page", arguments: [false, true])
  func earlierMainTree(isLarge: Bool) throws {
    try fill(vault)
    try vault.write { try $0.add(Secret(0, "newest"), update: .all) }
    vault.close()
    let whole = try Data(contentsOf: file)
    var vault = vault
    if isLarge { vault.options.wholeVerificationBytes = 0 }
    // Each commit has its number in its main tree.
    try attacker.bringBackMainTree(renumbers: false)
    #expect(code { try vault.open() } == .damagedStore)
    try whole.write(to: file)
    // The number is not authenticated: a large store opens in the state before, as an old copy of the file would.
    try attacker.bringBackMainTree(renumbers: true)
    #expect(code { try vault.open() } == (isLarge ? nil : .damagedStore))
    // But its pages are in the free list of the newest commit.
    #expect(code { try vault.write { try $0.add(Secret(1, "more"), update: .all) } } == .damagedStore)
    vault.close()
    let report = try? StoreOpening.check(
      directory: scratch.path + "/vault",
      store: "vault",
      encryption: .test(1)
    )
    #expect(report?.problems.isEmpty != true)
    try whole.write(to: file)
    #expect(try vault.texts()[0] == "newest")
    #expect(try vault.check().problems == [])
    vault.close()
  }

  @Test("an old value at its own key is read, and no check finds it")
  func restoredValue() throws {
    try fill(vault)
    let tree = try attacker.tree(beginningWith: "type:")
    var (key, value): ([UInt8], [UInt8]) = ([], [])
    try attacker.change(tree) { transaction, tree in
      key = try #require(try transaction.keys(tree).first)
      value = try transaction.bytes(tree, key)
    }
    try vault.write { try $0.add(Secret(0, "newest"), update: .all) }
    vault.close()
    try attacker.change(tree) { try $0.put(value, key, $1) }
    #expect(try vault.texts()[0] == "text")
    #expect(try vault.check().problems == [])
    vault.close()
  }

  @Test("a store in clear in the place of the encrypted one is refused, and stays as it is")
  func forgedStore() throws {
    try fill(vault)
    try fill(Vault(parent: scratch.path, name: "forged"), "forged")
    let forged = try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/forged/data.mdb"))
    let whole = try Data(contentsOf: file)
    try forged.write(to: file)
    #expect(code { try vault.open() } == .notEncrypted)
    #expect(try Data(contentsOf: file) == forged)
    try whole.write(to: file)
    #expect(try vault.check().problems == [])
    vault.close()
  }

  @Test("a store whose header was removed, or whose format is another one, is refused")
  func downgrade() throws {
    try fill(vault)
    let whole = try Data(contentsOf: file)
    let (header, catalogue) = (Array("encryption".utf8), Array("catalogue".utf8))
    let forged: [(removesHeader: Bool, format: UInt8, code: FiefError.Code)] = [
      (true, 8, .damagedStore), (false, 6, .damagedStore), (true, 6, .notEncrypted),
      (false, 7, .formatTooOld), (true, 7, .notEncrypted),
    ]
    for (removesHeader, format, expected) in forged {
      try attacker.change("fief:catalogue") { transaction, tree in
        if removesHeader { try transaction.remove(header, tree) }
        var bytes = try transaction.bytes(tree, catalogue)
        bytes[0] = format
        try transaction.put(bytes, catalogue, tree)
      }
      #expect(code { try vault.open() } == expected)
      try whole.write(to: file)
    }
    #expect(try vault.check().problems == [])
    #expect(try vault.texts().count == 10)
  }

  @Test("one call encrypts a store in clear; then it only compares the key", arguments: [false, true])
  func call(isOpen: Bool) throws {
    let clear = vault.with(nil)
    try fill(clear)
    #expect(code { try vault.open() } == .notEncrypted)
    #expect(code { try clear.encryptClearStore() } == .invalidKey)
    if isOpen { try clear.open() }
    try vault.encryptClearStore()
    try vault.encryptClearStore()
    #expect(code { try vault.with(.test(2)).encryptClearStore() } == .wrongKey)
    #expect(try vault.store().isEncrypted)
    #expect(try vault.check().problems == [])
    vault.close()
    #expect(code { try clear.open() } == .encrypted)
    #expect(code { try vault.with(.test(2)).encryptClearStore() } == .wrongKey)
    #expect(try vault.texts().count == 10)
  }

  @Test("the call refuses a store for reading only, and changes nothing")
  func readOnly() throws {
    try fill(vault.with(nil))
    var reader = vault
    reader.options.isReadOnly = true
    #expect(code { try reader.encryptClearStore() } == .readOnlyStore)
    #expect(try vault.with(nil).texts().count == 10)
  }
}
