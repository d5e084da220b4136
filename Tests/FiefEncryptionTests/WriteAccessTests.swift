import Fief
import FiefEncryption
import Foundation
import LMDB
import Testing

/// Attacks on the files of an encrypted store without its key, as the article *Encrypting* lists them.
@Suite(.timeLimit(.minutes(30))) struct WriteAccessTests {
  let scratch: Scratch
  let vault: Vault

  init() throws {
    scratch = try Scratch()
    vault = Vault(parent: scratch.path, encryption: .test(1))
  }

  private var file: URL { URL(fileURLWithPath: scratch.path + "/vault/data.mdb") }

  /// Saves ten objects and closes the store.
  private func fill(_ vault: Vault, _ text: String = "text") throws {
    try vault.write { transaction in
      for id in 0..<10 { try transaction.add(Secret(id, text)) }
    }
    vault.close()
  }

  /// Changes a tree of the closed store without its key.
  private func attack(_ tree: String, _ body: (WritableTransaction, Database) throws -> Void) throws {
    let environment = try LMDB.Environment.open(
      directory: scratch.path + "/vault",
      options: EnvironmentOptions()
    )
    defer { environment.close() }
    let database = try #require(try environment.openDatabase(named: tree))
    try environment.write { try body($0, database) }
  }

  private func tree(beginningWith prefix: String) throws -> String {
    let environment = try LMDB.Environment.open(
      directory: scratch.path + "/vault",
      options: EnvironmentOptions()
    )
    defer { environment.close() }
    return try #require(try environment.read { try $0.databaseNames() }.first { $0.hasPrefix(prefix) })
  }

  private func keys(_ transaction: WritableTransaction, _ tree: Database) throws -> [[UInt8]] {
    let cursor = try transaction.cursor(tree)
    var keys: [[UInt8]] = []
    while try cursor.next() { keys.append(Array(cursor.key)) }
    return keys
  }

  private func delete(_ key: [UInt8], _ transaction: WritableTransaction, _ tree: Database) throws {
    let wasThere = try key.withUnsafeBytes { try transaction.delete(tree, $0) }
    #expect(wasThere)
  }

  private func put(
    _ value: [UInt8],
    _ key: [UInt8],
    _ transaction: WritableTransaction,
    _ tree: Database
  ) throws {
    try key.withUnsafeBytes { key in
      try value.withUnsafeBytes { try transaction.put(tree, key, $0) }
    }
  }

  @Test("check() finds index entries that were deleted or renamed", arguments: [false, true])
  func indexEntries(areRenamed: Bool) throws {
    try fill(vault)
    let whole = try Data(contentsOf: file)
    try attack(try tree(beginningWith: "index:")) { transaction, index in
      let keys = try keys(transaction, index)
      #expect(keys.count == 10)
      for key in keys { try delete(key, transaction, index) }
      guard areRenamed else { return }
      for var key in keys {
        // The last byte of the rank, which is before the object key of the same length.
        key[key.count / 2 - 1] ^= 0x40
        try put([], key, transaction, index)
      }
    }
    let problems = try vault.check().problems
    #expect(problems.count { $0.contains("the index of rank has no entry for the object") } == 10)
    vault.close()
    try whole.write(to: file)
    #expect(try vault.check().problems == [])
    #expect(try vault.texts().count == 10)
  }

  @Test("check() finds a record that was removed while its index entry stayed")
  func record() throws {
    try fill(vault)
    try attack("type:1.Secret") { transaction, records in
      try delete(try #require(try keys(transaction, records).first), transaction, records)
    }
    let problems = try vault.check().problems
    #expect(problems.contains { $0.contains("has 10 entries, and the records say 9") })
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
    for (removesHeader, format) in [(true, UInt8(7)), (false, 6), (true, 6)] {
      try attack("fief:catalogue") { transaction, tree in
        if removesHeader { try delete(header, transaction, tree) }
        var bytes = try #require(
          try catalogue.withUnsafeBytes { key in try transaction.get(tree, key).map { Array($0) } }
        )
        bytes[0] = format
        try put(bytes, catalogue, transaction, tree)
      }
      let isClear = removesHeader && format == 6
      #expect(code { try vault.open() } == (isClear ? .notEncrypted : .damagedStore))
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
