import Fief
import FiefEncryption
import Foundation
import LMDB
import Testing

/// Values that were changed or moved in the file of an encrypted store: an error for each, and never another value.
@Suite(.timeLimit(.minutes(30))) struct DamagedValueTests {
  let scratch: Scratch
  let vault: Vault
  private let tree = "type:1.Secret"

  init() throws {
    scratch = try Scratch()
    vault = Vault(parent: scratch.path, encryption: .test(1))
    try vault.saveAndWait(entity: Secret.full(1, "first"), update: true)
    try vault.saveAndWait(entity: Secret.full(2, "other"), update: true)
    vault.close()
  }

  /// Reads and writes values as they are in the file.
  private func raw<R>(
    _ name: String = "vault",
    tree: String? = nil,
    _ body: (WritableTransaction, Database) throws -> R
  ) throws -> R {
    let environment = try LMDB.Environment.open(
      directory: scratch.path + "/" + name,
      options: EnvironmentOptions()
    )
    defer { environment.close() }
    let database = try #require(try environment.openDatabase(named: tree ?? self.tree))
    return try environment.write { try body($0, database) }
  }

  private func values(_ name: String = "vault") throws -> [(key: [UInt8], value: [UInt8])] {
    try raw(name) { transaction, database in
      let cursor = try transaction.cursor(database)
      var all: [(key: [UInt8], value: [UInt8])] = []
      while try cursor.next() { all.append((Array(cursor.key), Array(cursor.value))) }
      return all
    }
  }

  private func put(_ key: [UInt8], _ value: [UInt8], _ name: String = "vault") throws {
    try raw(name) { transaction, database in
      try key.withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.put(database, key, $0) } }
    }
  }

  /// The errors of reading the first object by its key and in a query, of changing it, and of a check.
  private func codes() throws -> [FiefError.Code?] {
    defer { vault.close() }
    let codes = [
      code { _ = try vault.read { try $0.object(ofType: Secret.self, forPrimaryKey: 1)?.text } },
      code { _ = try vault.objects(Secret.self).where { $0.text == "first" }.fetchCount() },
      code { try vault.write { try $0.object(ofType: Secret.self, forPrimaryKey: 1)?.text = "changed" } },
    ]
    let problems = try? vault.check().problems
    #expect(problems?.isEmpty != true)
    return codes
  }

  @Test("a bit changed in any byte of a value is an error")
  func changedBytes() throws {
    let (key, value) = try values()[0]
    for index in value.indices {
      var changed = value
      changed[index] ^= 1 << UInt8(index % 8)
      try put(key, changed)
      for found in try codes() { #expect(found == .damagedStore || found == .damagedRecord, "byte \(index)") }
    }
    for count in [0, 1, 40, 41, value.count - 1] {
      try put(key, Array(value[..<count]))
      for found in try codes() {
        #expect(found == .damagedStore || found == .damagedRecord, "\(count) bytes")
      }
    }
    try put(key, value)
    #expect(try vault.texts() == [1: "first", 2: "other"])
  }

  @Test("inside of a scope, too, the error of a changed value is an error of the library")
  func changedInsideOfScopes() throws {
    let (key, value) = try values()[0]
    var changed = value
    changed[value.count - 1] ^= 1
    try put(key, changed)
    var scopes = 0
    func expectErrors(_ scope: AccessScope) {
      scopes += 1
      let error = #expect(throws: FiefError.self) {
        try scope.object(ofType: Secret.self, forPrimaryKey: 1)
      }
      #expect(error?.code == .damagedStore && error?.store == "vault" && error?.type == "Secret")
      do { _ = try scope.exists(Secret.self, forPrimaryKey: 1) } catch { #expect(error is FiefError) }
    }
    #expect(code { try vault.read { expectErrors($0) } } == .damagedStore)
    // A write may go on after an error that it has caught.
    #expect(code { try vault.write { expectErrors($0) } } == nil)
    #expect(scopes == 2)
    vault.close()
    try put(key, value)
    #expect(try vault.texts() == [1: "first", 2: "other"])
  }

  @Test("a check names the object of a changed value, and all others are read", arguments: [0, 57, 99])
  func namedObject(id: Int) throws {
    // Several pages.
    try vault.write { for id in 0..<100 { try $0.add(Secret.full(id, "text \(id)"), update: .all) } }
    vault.close()
    let (key, value) = try values()[id]
    var changed = value
    changed[value.count - 1] ^= 1
    try put(key, changed)
    let problems = try vault.check().problems
    #expect(problems.contains { $0.hasPrefix("Secret[\(id)]: damagedStore") }, "\(problems)")
    for other in 0..<100 where other != id {
      #expect(vault.object(ofType: Secret.self, forPrimaryKey: other)?.text == "text \(other)")
    }
    #expect(code { _ = try vault.read { try $0.objects(Secret.self).all() } } == .damagedStore)
    vault.close()
    let store = try DynamicStore(directory: scratch.path + "/vault", encryption: .test(1))
    defer { store.close() }
    var read: [Int?] = []
    var damaged: [ObjectKey] = []
    try store.read { snapshot in
      try snapshot.forEach(ofType: "Secret", onDamage: { key, _ in damaged.append(key) }) { object in
        read.append(try object.value(of: "id") as? Int)
      }
    }
    #expect(read == (0..<100).filter { $0 != id } && damaged.map { "\($0)" } == ["\(id)"])
    let error = #expect(throws: FiefError.self) {
      try store.read { try $0.forEach(ofType: "Secret") { _ in } }
    }
    #expect(error?.code == .damagedStore && error?.type == "Secret" && error?.key == "\(id)")
  }

  @Test("a value of another key, of another store, and one in clear are errors")
  func movedValues() throws {
    let own = try values()
    try put(own[0].key, own[1].value)
    for found in try codes() { #expect(found == .damagedStore) }
    // The same key of the user's, and the same object.
    let second = Vault(parent: scratch.path, name: "second", encryption: .test(1))
    try second.saveAndWait(entity: Secret.full(1, "first"), update: true)
    second.close()
    try put(own[0].key, try values("second")[0].value)
    for found in try codes() { #expect(found == .damagedStore) }
    let clear = Vault(parent: scratch.path, name: "clear")
    try clear.saveAndWait(entity: Secret.full(1, "first"), update: true)
    clear.close()
    try put(own[0].key, try values("clear")[0].value)
    for found in try codes() { #expect(found == .damagedStore) }
    try put(own[0].key, own[0].value)
    #expect(try vault.texts() == [1: "first", 2: "other"])
  }

  @Test("a header that is cut short, or has a bit changed in any byte, opens nothing")
  func changedHeaders() throws {
    let key = Array("encryption".utf8)
    func change(_ body: ([UInt8]) -> [UInt8]) throws -> [UInt8] {
      try raw(tree: "fief:catalogue") { transaction, tree in
        try key.withUnsafeBytes { key in
          let former = Array(try #require(try transaction.get(tree, key)))
          try body(former).withUnsafeBytes { try transaction.put(tree, key, $0) }
          return former
        }
      }
    }
    let header = try change { $0 }
    for index in header.indices {
      _ = try change { _ in
        var changed = header
        changed[index] ^= 1 << UInt8(index % 8)
        return changed
      }
      let found = code { try vault.open() }
      #expect(found == .wrongKey || found == .damagedStore || found == .formatTooNew, "byte \(index)")
    }
    for count in header.indices {
      _ = try change { _ in Array(header[..<count]) }
      #expect(code { try vault.open() } == .damagedStore, "\(count) bytes")
    }
    _ = try change { _ in header }
    #expect(try vault.texts() == [1: "first", 2: "other"])
  }

  @Test("a bit changed in any byte of an element of a large collection is an error")
  func changedElements() throws {
    let clinic = Clinic(parent: scratch.path, types: [Folder.self])
    try clinic.write { transaction in
      let folder = Folder(value: ["id": 1])
      for number in 0..<600 { folder.map["key \(number)"] = "value \(number)" }
      try transaction.add(folder)
    }
    clinic.close()
    func change(_ body: ([UInt8]) -> [UInt8]) throws -> [UInt8] {
      try raw("clinic", tree: "fief:collections") { transaction, tree in
        let cursor = try transaction.cursor(tree)
        // Behind the entry that counts the others.
        for _ in 0..<3 { #expect(try cursor.next()) }
        let (key, former) = (Array(cursor.key), Array(cursor.value))
        try key.withUnsafeBytes { key in
          try body(former).withUnsafeBytes { try transaction.put(tree, key, $0) }
        }
        return former
      }
    }
    let value = try change { $0 }
    for index in value.indices {
      _ = try change { _ in
        var changed = value
        changed[index] ^= 1 << UInt8(index % 8)
        return changed
      }
      let found = code {
        try clinic.read { snapshot in
          let map = try #require(try snapshot.object(ofType: Folder.self, forPrimaryKey: 1)).map
          for entry in map { #expect(entry.value == "value \(entry.key.dropFirst(4))", "byte \(index)") }
        }
      }
      let problems = try? clinic.check().problems
      #expect(problems?.isEmpty != true, "byte \(index)")
      #expect(found == .damagedStore || found == .damagedRecord, "byte \(index)")
      clinic.close()
    }
    _ = try change { _ in value }
    #expect(try clinic.check().problems == [])
    clinic.close()
  }

  @Test("a lost element of a large set is an error of each walk through it", arguments: [true, false])
  func lostElement(isCountLost: Bool) throws {
    let clinic = Clinic(parent: scratch.path, types: [Folder.self])
    try clinic.write { transaction in
      try transaction.add(Folder(value: ["id": 1, "words": (0..<600).map { "word \($0)" }]))
    }
    // With the key: an opening would find that the tree has another number of entries.
    try raw("clinic", tree: "fief:collections") { transaction, tree in
      let cursor = try transaction.cursor(tree)
      // The number of the next collection, the version and the count of this one, its elements.
      for _ in 0..<(isCountLost ? 3 : 4) { #expect(try cursor.next()) }
      try cursor.delete()
    }
    let condition = code { _ = try clinic.objects(Folder.self).filter("ANY words == 'none'").fetchCount() }
    #expect(condition == .damagedRecord)
    let walk = code {
      try clinic.write { transaction in
        let folder = try #require(try transaction.object(ofType: Folder.self, forPrimaryKey: 1))
        #expect(folder.words.filter { $0 == "none" }.isEmpty)
      }
    }
    #expect(walk == .damagedRecord)
    #expect(try clinic.check().problems.isEmpty == false)
    clinic.close()
  }
}
