import Fief
import FiefEncryption
import Foundation
import LMDB
import Testing

/// The authenticated record of each commit of an encrypted store: what it finds, and what keeps it right.
@Suite(.timeLimit(.minutes(30))) struct CommitRecordTests {
  let scratch: Scratch
  let vault: Vault

  init() throws {
    scratch = try Scratch()
    vault = Vault(parent: scratch.path, encryption: .test(1))
  }

  private var attacker: Attacker { Attacker(directory: scratch.path + "/vault") }

  private func fill(_ ids: Range<Int> = 0..<10) throws {
    try vault.write { transaction in
      for id in ids { try transaction.add(Secret(id, "text")) }
    }
    vault.close()
  }

  /// A change of the files without the key.
  enum Attack: CaseIterable {
    case indexEntry, recordWithIndexEntry, content, addedTree, removedTree, catalogue, formerKey, record,
      earlierRecord

    /// What the error says.
    var text: String {
      switch self {
      case .indexEntry: "has 9 entries, but had 10"
      case .recordWithIndexEntry: "the tree 'type:1.Secret' has 9 entries, but had 10 after the last commit"
      case .content: "the tree 'type:1.Secret' has 0 entries, but had 10 after the last commit"
      case .addedTree, .removedTree: "trees, but had"
      case .catalogue, .formerKey: "the catalogue or the name of a tree was changed"
      case .record: "the record of the last commit is missing"
      case .earlierRecord: "the tree 'type:1.Secret' has 10 entries, but had 5 after the last commit"
      }
    }

    /// The type that the error names.
    var type: String? {
      switch self {
      case .indexEntry, .recordWithIndexEntry, .content, .earlierRecord: "Secret"
      default: nil
      }
    }
  }

  private static let seal = Array("fief\0seal".utf8)
  private static let catalogue = Array("catalogue".utf8)
  private static let header = Array("encryption".utf8)

  /// Makes a store of ten objects, and attacks it.
  private func perform(_ attack: Attack) throws {
    var earlier: [UInt8] = []
    try fill(0..<5)
    if attack == .earlierRecord {
      try attacker.changeUnnamed { earlier = try $0.bytes($1, Self.seal) }
    }
    if attack == .formerKey {
      try attacker.change("fief:catalogue") { earlier = try $0.bytes($1, Self.header) }
      try vault.changeEncryptionKey(to: .test(2))
      try vault.changeEncryptionKey(to: .test(1))
    }
    try fill(5..<10)
    let attacker = attacker
    switch attack {
    case .indexEntry: try removeFirst("index:")
    case .recordWithIndexEntry:
      try removeFirst("type:")
      try removeFirst("index:")
    case .content:
      for prefix in ["type:", "index:"] {
        try attacker.change(try attacker.tree(beginningWith: prefix)) { try $0.removeAll($1) }
      }
    case .addedTree: try attacker.make("type:9.Other")
    case .removedTree:
      try attacker.change(try attacker.tree(beginningWith: "index:")) { try $0.drop($1) }
    case .catalogue:
      try attacker.change("fief:catalogue") { transaction, tree in
        var bytes = try transaction.bytes(tree, Self.catalogue)
        // The number of the next type, with the checksum that belongs to it.
        bytes[28] += 1
        let hash = bytes.dropLast(4).withUnsafeBytes { StableHash.hash($0) }
        let checksum = UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
        bytes.replaceSubrange(
          (bytes.count - 4)...,
          with: withUnsafeBytes(of: checksum.littleEndian) { Array($0) }
        )
        try transaction.put(bytes, Self.catalogue, tree)
      }
    case .formerKey: try attacker.change("fief:catalogue") { try $0.put(earlier, Self.header, $1) }
    case .record: try attacker.changeUnnamed { try $0.remove(Self.seal, $1) }
    case .earlierRecord: try attacker.changeUnnamed { try $0.put(earlier, Self.seal, $1) }
    }
  }

  private func removeFirst(_ prefix: String) throws {
    try attacker.change(try attacker.tree(beginningWith: prefix)) { transaction, tree in
      try transaction.remove(try #require(try transaction.keys(tree).first), tree)
    }
  }

  @Test("an opening finds what was changed without the key", arguments: Attack.allCases)
  func openings(attack: Attack) throws {
    try perform(attack)
    for isReadOnly in [false, true] {
      var vault = vault
      vault.options.isReadOnly = isReadOnly
      let error = #expect(throws: FiefError.self) { try vault.open() }
      #expect(error?.code == .damagedStore && error?.store == "vault" && error?.type == attack.type)
      #expect(error?.message == "The store was changed without its key; restore a backup.")
      #expect(error?.details.contains { $0.contains(attack.text) } == true, "\(error?.details ?? [])")
    }
    #expect(
      code { _ = try DynamicStore(directory: scratch.path + "/vault", encryption: .test(1)) } == .damagedStore
    )
    #expect(code { try vault.with(.test(3)).open() } == .wrongKey)
  }

  @Test("a check of the files lists what was changed without the key", arguments: Attack.allCases)
  func checks(attack: Attack) throws {
    try perform(attack)
    func check() throws -> IntegrityReport {
      try StoreOpening.check(directory: scratch.path + "/vault", store: "vault", encryption: .test(1))
    }
    // The trees of the catalogue are needed for a list.
    if attack == .removedTree {
      #expect(code { _ = try check() } == .damagedStore)
      return
    }
    let report = try check()
    #expect(report.problems.contains { $0.contains(attack.text) }, "\(report.problems)")
  }

  @Test("a write finds what another process has changed without the key while the store is open")
  func openStore() throws {
    try fill()
    let vault = vault
    defer { vault.close() }
    try vault.saveAndWait(entity: Secret(10, "text"), update: false)
    let (lines, end) = try CrashChild("encrypted-attack", scratch.path).finish()
    #expect(lines == ["end 1"] && end == .exited(0))
    #expect(code { try vault.saveAndWait(entity: Secret(11, "text"), update: false) } == .damagedStore)
    #expect(try vault.check().problems.contains { $0.contains("has 10 entries, but had 11") })
  }

  @Test("whatever is done with a store keeps its record right", arguments: [false, true])
  func operations(isInMemory: Bool) throws {
    var vault = vault
    vault.isInMemory = isInMemory
    func expectWhole(_ count: Int) throws {
      #expect(try vault.check().problems == [])
      if !isInMemory { vault.close() }
      #expect(try vault.count(Secret.self) == count)
      #expect(try vault.check().problems == [])
    }
    try vault.write { for id in 0..<50 { try $0.add(Secret.full(id, "text \(id)")) } }
    try expectWhole(50)
    // The first large collection makes a tree.
    try vault.write { transaction in
      let secret = try #require(try transaction.object(ofType: Secret.self, forPrimaryKey: 7))
      for number in 0..<2000 { secret.texts.append("\(number)") }
    }
    try expectWhole(50)
    // What throws leaves nothing.
    #expect(code { try vault.write { try $0.add(Secret(3, "twice")) } } == .duplicatePrimaryKey)
    try vault.write { try $0.delete(ofType: Secret.self, forPrimaryKeys: Array(0..<10)) }
    try expectWhole(40)
    if !isInMemory {
      try vault.compact()
      try expectWhole(40)
    }
    try vault.write { try $0.deleteAll(Secret.self) }
    try vault.saveAndWait(entity: Secret(1, "text"), update: false)
    try expectWhole(1)
    vault.close()
  }

  @Test("changes of the key, copies and seeds keep the record right")
  func keys() throws {
    var vault = vault
    try fill()
    try vault.changeEncryptionKey(to: .test(2))
    vault.encryption = .test(2)
    func expectWhole(_ vault: Vault) throws {
      #expect(try vault.check().problems == [])
      try vault.saveAndWait(entity: Secret(100, "text"), update: true)
      vault.close()
      #expect(try vault.texts().count == 11)
      #expect(try vault.check().problems == [])
      vault.close()
    }
    try expectWhole(vault)
    try vault.reencrypt(with: .test(3))
    vault.encryption = .test(3)
    try expectWhole(vault)
    try vault.backup(to: scratch.path + "/copies/same")
    try vault.backup(to: scratch.path + "/copies/other", encryptedWith: .test(4))
    try expectWhole(Vault(parent: scratch.path + "/copies", name: "same", encryption: .test(3)))
    try expectWhole(Vault(parent: scratch.path + "/copies", name: "other", encryption: .test(4)))
    try vault.decrypt()
    vault.encryption = nil
    try expectWhole(vault)
    try vault.with(.test(5)).encryptClearStore()
    vault.encryption = .test(5)
    try expectWhole(vault)
    var seeded = Vault(parent: scratch.path, name: "seeded", encryption: .test(5))
    seeded.options.seedFile = attacker.file.path
    try expectWhole(seeded)
  }
}
