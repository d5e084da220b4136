import Fief
import FiefEncryption
import FiefStress
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// Attacks without the key that no opening, no read and no check finds, as the article *Encrypting* lists
/// them, and their limits.
@Suite(.timeLimit(.minutes(30))) struct UndetectedChangeTests {
  private struct StepFailed: Error {}

  let scratch: Scratch
  let vault: Vault

  init() throws {
    scratch = try Scratch()
    vault = Vault(parent: scratch.path, encryption: .test(1))
  }

  private var attacker: Attacker { Attacker(directory: scratch.path + "/vault") }

  /// Saves objects and closes the store.
  private func fill(_ text: String = "text", _ ids: Range<Int> = 0..<10) throws {
    try vault.write { transaction in
      for id in ids { try transaction.add(Secret(id, text), update: .all) }
    }
    vault.close()
  }

  private func expectWhole() throws {
    #expect(try vault.check().problems == [])
    vault.close()
  }

  @Test("a deleted object takes the place of another one")
  func exchangedObjects() throws {
    try fill()
    let trees = try ["type:", "index:"].map { try attacker.tree(beginningWith: $0) }
    let former = try trees.map { try attacker.entries($0) }
    let keys = former[0].keys.sorted { $0.lexicographicallyPrecedes($1) }
    try vault.write { try $0.delete(ofType: Secret.self, forPrimaryKeys: [3]) }
    vault.close()
    for (tree, former) in zip(trees, former) {
      var entries = try attacker.entries(tree)
      #expect(entries.count == 9)
      // The key of an index entry ends with the key of its object.
      entries = entries.filter { !$0.key.ends(with: keys[4]) }
      for (key, value) in former where key.ends(with: keys[3]) { entries[key] = value }
      #expect(entries.count == 9)
      try attacker.replace(tree, by: entries)
    }
    #expect(try vault.texts().keys.sorted() == [0, 1, 2, 3, 5, 6, 7, 8, 9])
    #expect(try vault.read { try $0.objects(Secret.self).where { $0.rank == 3 }.fetchCount() } == 1)
    try expectWhole()
  }

  @Test("the record of another commit with the same numbers and the same schema")
  func equalRecord() throws {
    let name = Array("fief\0seal".utf8)
    try fill()
    var former: [UInt8] = []
    try attacker.changeUnnamed { former = try $0.bytes($1, name) }
    try fill("newest", 0..<1)
    try attacker.changeUnnamed { transaction, tree in
      #expect(try transaction.bytes(tree, name) != former)
      try transaction.put(former, name, tree)
    }
    #expect(try vault.texts()[0] == "newest")
    try expectWhole()
    try fill("later", 1..<2)
    #expect(try vault.texts()[1] == "later")
    try expectWhole()
  }

  @Test("the journal of an unfinished write to several stores deletes everything")
  func journal() throws {
    let joint = StressJoint(
      StressJoint.names.map { name in
        var repository = StressJointRepository(name, directory: scratch.path)
        repository.storeOptions.encryption = .test(7)
        return repository
      }
    )
    defer { joint.close() }
    try joint.fill()
    let failing: @Sendable (String) throws -> Void = { step in
      if step == "commit(1)" || step.hasPrefix("replay") { throw StepFailed() }
    }
    JointSteps.$observer.withValue(failing) {
      #expect(code { try joint.transfer(1) } == .unfinishedWrite)
    }
    let coordinator = try #require(
      try joint.repositories.first { try $0.unfinishedWrites().contains { $0.role == .coordinator } }
    )
    let late = try #require(try joint.repositories.first { try joint.rounds($0) == 0 })
    joint.close()
    let trees = try Attacker(directory: scratch.path + "/" + late.name).trees()
    var changes: [UInt8] = []
    for tree in trees where !tree.hasPrefix("fief:") {
      // The following change concerns this tree: it is emptied.
      changes += [1, UInt8(tree.utf8.count)] + Array(tree.utf8) + [2]
    }
    try Attacker(directory: scratch.path + "/" + coordinator.name).change(Catalogue.treeName) {
      let pieces = try $0.keys($1).filter { $0.starts(with: "joint:r:".utf8) }
      #expect(pieces.count == 1)
      for piece in pieces { try $0.put(JointRows.checked(changes), piece, $1) }
    }
    for repository in joint.repositories {
      #expect(repository.store().openingError == nil)
      #expect(try repository.check().problems == [])
      let count = try repository.read { try $0.objects(StressAccount.self).fetchCount() }
      #expect(count == (repository.name == late.name ? 0 : StressJoint.accounts))
    }
  }

  @Test("former usage and former progress of an import; another value as progress is an error")
  func usageAndProgress() throws {
    var vault = vault
    vault.options.keepsUsage = true
    try vault.saveAndWait(entity: Secret(1, "text"), update: true)
    vault.close()
    let rows = try attacker.entries(Catalogue.treeName)
    let usage = Array("usage".utf8)
    try vault.saveAndWait(entity: Secret(1, "more"), update: true)
    #expect(vault.store().usage(per: .total)?.total.writes == 2)
    vault.close()
    try attacker.change(Catalogue.treeName) { try $0.put(try #require(rows[usage]), usage, $1) }
    #expect(try vault.read { try $0.objects(Secret.self).fetchCount() } == 1)
    #expect(vault.store().usage(per: .total)?.total.writes == 1)
    #expect(try vault.check().problems == [])
    vault.close()

    let id = UUID()
    func withStore<Value>(_ body: (DynamicStore) throws -> Value) throws -> Value {
      let store = try DynamicStore(
        directory: scratch.path + "/vault",
        isReadOnly: false,
        encryption: .test(1)
      )
      defer { store.close() }
      return try body(store)
    }
    func progress() throws -> Int? { try withStore { try $0.read { try $0.importedLine(of: id) } } }
    let key = Array("import:\(id.uuidString)".utf8)
    try withStore { try $0.write { try $0.noteImported(upTo: 5, of: id) } }
    let former = try #require(try attacker.entries(Catalogue.treeName)[key])
    try withStore { try $0.write { try $0.noteImported(upTo: 10, of: id) } }
    #expect(try progress() == 10)
    try attacker.change(Catalogue.treeName) { try $0.put(former, key, $1) }
    #expect(try progress() == 5)
    #expect(try vault.check().problems == [])
    vault.close()
    var changed = former
    changed[former.count - 1] ^= 1
    try attacker.change(Catalogue.treeName) { try $0.put(changed, key, $1) }
    #expect(code { _ = try progress() } == .damagedStore)
  }

  @Test("an old copy of the file; after reencrypt(with:) it opens with the former key only")
  func oldFile() throws {
    try fill("old")
    let old = try Data(contentsOf: attacker.file)
    try fill("new")
    try fill("new", 10..<20)
    try old.write(to: attacker.file)
    #expect(try vault.texts() == Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, "old") }))
    try expectWhole()
    try vault.reencrypt(with: .test(2))
    vault.close()
    #expect(code { try vault.open() } == .wrongKey)
    #expect(try vault.with(.test(2)).texts().count == 10)
    try old.write(to: attacker.file)
    #expect(code { try vault.with(.test(2)).open() } == .wrongKey)
    #expect(try vault.texts().count == 10)
    try expectWhole()
  }

  @Test("a deleted directory: the next opening creates an empty store; a store without its file is an error")
  func deletedDirectory() throws {
    try fill()
    let whole = try Data(contentsOf: attacker.file)
    try FileManager.default.removeItem(at: attacker.file)
    #expect(code { try vault.open() } == .damagedStore)
    try whole.write(to: attacker.file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: attacker.file.path)
    #expect(try vault.texts().count == 10)
    try FileManager.default.removeItem(atPath: attacker.directory)
    #expect(try vault.texts() == [:])
    #expect(try vault.store().isEncrypted)
    try expectWhole()
  }
}

extension [UInt8] {
  fileprivate func ends(with bytes: [UInt8]) -> Bool { suffix(bytes.count).elementsEqual(bytes) }
}
