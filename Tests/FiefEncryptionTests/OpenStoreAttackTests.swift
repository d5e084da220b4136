import Fief
import FiefEncryption
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// Changes of the files without the key, in place, while a process has the store open.
@Suite(.timeLimit(.minutes(30))) struct OpenStoreAttackTests {
  /// A class without a primary key, so that row ids are reserved.
  final class Line: Object {
    @Persisted var text = ""
  }

  let scratch: Scratch
  let vault: Vault

  init() throws {
    scratch = try Scratch()
    vault = Vault(parent: scratch.path, encryption: .test(1))
  }

  private func save(_ text: String, _ ids: Range<Int>, in vault: Vault) throws {
    try vault.write { transaction in
      for id in ids { try transaction.add(Secret(id, text), update: .all) }
    }
  }

  private func text(_ id: Int, in vault: Vault) throws -> String? {
    try vault.read { try $0.object(ofType: Secret.self, forPrimaryKey: id)?.text }
  }

  @Test("values that the process has decrypted stay correct, others are errors", arguments: [false, true])
  func values(isInMemory: Bool) throws {
    var vault = vault
    vault.isInMemory = isInMemory
    defer { vault.close() }
    try save("text", 0..<10, in: vault)
    let attacker = Attacker(directory: try #require(vault.store().directory))
    let copy = try attacker.copied(to: scratch.path + "/copy")
    let values = try copy.entries(try copy.tree(beginningWith: "type:")).values.map { value in
      var changed = value
      changed[value.count - 1] ^= 1
      return (right: value, changed: changed)
    }
    func scan() throws -> Int {
      try vault.read { try $0.objects(Secret.self).where { $0.text == "text" }.fetchCount() }
    }
    for value in values { try attacker.replaceInPlace(value.right, by: value.changed) }
    for id in 0..<10 { #expect(code { _ = try text(id, in: vault) } == .damagedStore) }
    #expect(code { _ = try scan() } == .damagedStore)
    #expect((try? vault.check().problems)?.isEmpty != true)
    for value in values { try attacker.replaceInPlace(value.changed, by: value.right) }
    #expect(try scan() == 10)
    for value in values { try attacker.replaceInPlace(value.right, by: value.changed) }
    #expect(try scan() == 10)
    for id in 0..<10 { #expect(try text(id, in: vault) == "text") }
    for value in values { try attacker.replaceInPlace(value.changed, by: value.right) }
    #expect(try vault.check().problems == [])
  }

  @Test("a number of entries: the next write of the tree finds it, and so does the next opening")
  func numbers() throws {
    let vault = vault
    defer { vault.close() }
    try save("text", 0..<10, in: vault)
    let attacker = Attacker(directory: scratch.path + "/vault")
    let copy = try attacker.copied(to: scratch.path + "/copy")
    let tree = try copy.tree(beginningWith: "type:")
    var record: [UInt8] = []
    try copy.changeUnnamed { record = try $0.bytes($1, Array(tree.utf8)) }
    // LMDB's record of a tree has the number of its entries after 32 bytes.
    var changed = record
    #expect(record.count == 48 && record[32] == 10)
    changed[32] = 9
    try attacker.replaceInPlace(record, by: changed)
    let error = #expect(throws: FiefError.self) { try save("more", 10..<11, in: vault) }
    #expect(error?.code == .damagedStore)
    #expect(error?.details == ["the tree '\(tree)' was changed after the last commit"])
    vault.close()
    #expect(code { try vault.open() } == .damagedStore)
    try attacker.replaceInPlace(changed, by: record)
    try save("more", 10..<11, in: vault)
    #expect(try vault.check().problems == [])
  }

  @Test("the catalogue: a write that changes another row of it accepts it", arguments: [false, true])
  func catalogue(changesRow: Bool) throws {
    let clinic = Clinic(parent: scratch.path, types: [Line.self])
    defer { clinic.close() }
    func save(_ count: Int) throws {
      try clinic.write { transaction in
        for number in 0..<count { try transaction.add(Line(value: ["text": "line \(number)"])) }
      }
    }
    try save(1)
    let attacker = Attacker(directory: scratch.path + "/clinic")
    let copy = try attacker.copied(to: scratch.path + "/copy")
    let row = try #require(try copy.entries(Catalogue.treeName)[Catalogue.key])
    var catalogue = try row.withUnsafeBytes { try Catalogue.decode($0) }
    catalogue.nextTypeID += 1
    try attacker.replaceInPlace(row, by: catalogue.encoded())
    // A hundred objects need more row ids than were reserved.
    try save(changesRow ? 100 : 1)
    clinic.close()
    #expect(code { try clinic.open() } == (changesRow ? nil : .damagedStore))
    if changesRow { #expect(try clinic.check().problems == []) }
  }

  @Test("an old copy of the file: the next write finds it", arguments: [false, true], [1, 2])
  func oldFile(hasOtherNumbers: Bool, commits: Int) throws {
    let vault = vault
    defer { vault.close() }
    try save("old", 0..<10, in: vault)
    let attacker = Attacker(directory: scratch.path + "/vault")
    let old = try Data(contentsOf: attacker.file)
    for commit in 0..<commits {
      try save("new", hasOtherNumbers ? 10 + commit..<11 + commit : 0..<10, in: vault)
    }
    let new = try Data(contentsOf: attacker.file)
    try attacker.writeInPlace(old)
    let error = #expect(throws: FiefError.self) { try save("newest", 1..<2, in: vault) }
    #expect(error?.code == .damagedStore)
    #expect(error?.message == "The store was changed without its key; restore a backup.")
    try attacker.writeInPlace(new)
    try save("newest", 1..<2, in: vault)
    #expect(try text(0, in: vault) == (hasOtherNumbers ? "old" : "new"))
    #expect(try vault.check().problems == [])
  }

  @Test("an old copy under the name of the file: the process keeps its file, an opening reads the copy")
  func renamedFile() throws {
    let vault = vault
    defer { vault.close() }
    try save("old", 0..<10, in: vault)
    let attacker = Attacker(directory: scratch.path + "/vault")
    let copy = try attacker.copied(to: scratch.path + "/copy")
    try save("new", 0..<10, in: vault)
    #expect(rename(copy.file.path, attacker.file.path) == 0)
    try save("newest", 0..<1, in: vault)
    #expect(try text(0, in: vault) == "newest" && text(1, in: vault) == "new")
    vault.close()
    #expect(try vault.texts() == Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, "old") }))
    #expect(try vault.check().problems == [])
  }
}
