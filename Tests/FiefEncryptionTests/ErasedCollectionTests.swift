import Fief
import FiefEncryption
import FiefStress
import Foundation
import LMDB
import TestEffort
import Testing

final class Folder: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var words: MutableSet<String>
  @Persisted var bytes: MutableSet<Data>
  @Persisted var any: MutableSet<AnyRealmValue>
  @Persisted var optional: MutableSet<Int?>
  @Persisted var map: Map<String, String>
  @Persisted var linked: Map<String, Folder?>
  @Persisted var chosen: MutableSet<Folder>
}

final class EarlierBox: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var number = 0
  @Persisted var words: MutableSet<String>
  @Persisted var map: Map<String, String>
  override class func className() -> String { "Box" }
}

final class LaterBox: Object {
  @Persisted var id = 0
  @Persisted(primaryKey: true) var number = 0
  @Persisted var words: MutableSet<String>
  @Persisted var map: Map<String, String>
  override class func className() -> String { "Box" }
}

/// Large sets and maps of encrypted stores: their elements and keys are tokens in the tree, and they behave
/// as in a store in clear.
@Suite(.timeLimit(.minutes(30))) struct ErasedCollectionTests {
  private let scratch: Scratch
  private let marker = "MARK-0123456789-"
  private var long: String { String(repeating: "\(marker) long ", count: 40) }

  init() throws { scratch = try Scratch() }

  private func clinic(_ encryption: StoreEncryption? = .test(1), name: String = "clinic") -> Clinic {
    var clinic = Clinic(parent: scratch.path, name: name, types: [Folder.self])
    clinic.encryption = encryption
    return clinic
  }

  /// A folder with some hundreds of elements in each collection, more than a record has.
  private func fill(_ clinic: Clinic, _ count: Int = 600) throws {
    try clinic.write { transaction in
      let others = (100..<150).map { Folder(value: ["id": $0]) }
      let chosen = (10_000..<12_000).map { Folder(value: ["id": $0]) }
      for id in 1...2 {
        let folder = Folder(value: ["id": id])
        for number in 0..<count {
          folder.words.insert("\(marker)\(number)")
          folder.bytes.insert(Data("\(marker)\(number)".utf8))
          folder.any.insert(.string("\(marker)\(number)"))
          folder.optional.insert(number == 7 ? nil : number << 40)
          folder.map["\(marker) key \(number)"] = "\(marker) value \(number)"
          folder.linked["\(marker) key \(number)"] = number % 5 == 0 ? .some(nil) : others[number % 50]
        }
        folder.words.insert(long)
        folder.words.insert(long + "er")
        folder.words.insert("")
        folder.map[long] = long
        folder.map[long + "er"] = ""
        folder.map[""] = "nothing"
        folder.chosen.insert(objectsIn: chosen)
        try transaction.add(folder)
      }
    }
  }

  private struct Contents: Equatable {
    var words: Set<String>, bytes: Set<Data>, any: Set<AnyRealmValue>, optional: Set<Int?>
    var keys: [String], values: [String], linked: [String], chosen: Set<Int>
  }

  private func contents(_ clinic: Clinic, _ id: Int = 1) throws -> Contents {
    try clinic.read { snapshot in
      let folder = try #require(try snapshot.object(ofType: Folder.self, forPrimaryKey: id))
      return Contents(
        words: Set(folder.words),
        bytes: Set(folder.bytes),
        any: Set(folder.any),
        optional: Set(folder.optional),
        keys: folder.map.keys,
        values: folder.map.map(\.value),
        linked: folder.linked.map { "\($0.key): \($0.value?.id ?? -1)" },
        chosen: Set(folder.chosen.map(\.id))
      )
    }
  }

  /// The entries of the tree of large collections as they are in the file.
  private func entries(_ name: String = "clinic") throws -> [[UInt8]: [UInt8]] {
    let environment = try LMDB.Environment.open(
      directory: scratch.path + "/" + name,
      options: EnvironmentOptions()
    )
    defer { environment.close() }
    let tree = try #require(try environment.openDatabase(named: "fief:collections"))
    return try environment.read { transaction in
      var found: [[UInt8]: [UInt8]] = [:]
      let cursor = try transaction.cursor(tree)
      while try cursor.next() { found[Array(cursor.key)] = Array(cursor.value) }
      return found
    }
  }

  @Test(
    "a marker in large sets and in the keys of large maps is in no file, free pages included"
  )
  func markers() throws {
    let clinic = clinic()
    try fill(clinic)
    #expect(try scratch.files(with: marker) == [])
    try clinic.write { transaction in
      let folder = try #require(try transaction.object(ofType: Folder.self, forPrimaryKey: 1))
      for number in 0..<200 {
        folder.words.remove("\(marker)\(number)")
        folder.words.insert("\(marker) new \(number)")
        folder.map["\(marker) key \(number)"] = nil
        folder.map["\(marker) new \(number)"] = "\(marker) \(number)"
      }
    }
    try clinic.write { try $0.delete(ofType: Folder.self, forPrimaryKeys: [2]) }
    #expect(try clinic.check().problems == [])
    try clinic.backup(to: scratch.path + "/backup")
    #expect(try scratch.files(with: marker) == [])
    try clinic.compact()
    clinic.close()
    #expect(try scratch.files(with: marker) == [])
    // The same in clear is found.
    let other = self.clinic(nil, name: "other")
    try fill(other)
    other.close()
    #expect(try scratch.files(with: marker) == ["other/data.mdb"])
    // These are in sets only, and in keys of maps only.
    for text in ["\(marker)599", "\(marker) key 599"] {
      #expect(try scratch.files(with: text) == ["other/data.mdb"])
    }
  }

  @Test(
    "sets have the same elements, and maps the same order, as in a store in clear"
  )
  func same() throws {
    let (hidden, clear) = (clinic(), clinic(nil, name: "clear"))
    for clinic in [hidden, clear] { try fill(clinic) }
    let expected = try contents(clear)
    #expect(expected.keys == expected.keys.sorted() && expected.keys.count == 603)
    #expect(try contents(hidden) == expected)
    for clinic in [hidden, clear] {
      try clinic.read { snapshot in
        let folder = try #require(try snapshot.object(ofType: Folder.self, forPrimaryKey: 1))
        #expect(
          folder.words.contains(long) && folder.words.contains("") && !folder.words.contains(long + "e")
        )
        #expect(folder.words.contains("\(marker)599") && !folder.words.contains("\(marker)600"))
        #expect(folder.map[long + "er"] == "" && folder.map[""] == "nothing" && folder.map[marker] == nil)
        #expect(folder.optional.contains(nil) && folder.optional.contains(9 << 40))
      }
      #expect(try clinic.check().problems == [])
    }
  }

  @Test("equal elements of two collections have other tokens in each")
  func contexts() throws {
    let clinic = clinic()
    try fill(clinic)
    clinic.close()
    let names = try entries().keys.filter { $0.count > 14 && $0[14] == 3 }.map { Array($0[15...]) }
    // Two objects with 603 words, 600 bytes, 600 values, 600 numbers, and maps of 603 and 600.
    #expect(names.count == 2 * (603 + 600 + 600 + 600 + 603 + 600))
    #expect(Set(names).count == names.count && names.allSatisfy { $0.count == 16 })
  }

  @Test("they stay the same while a store is encrypted, encrypted once more and decrypted")
  func rewriting() throws {
    let clear = clinic(nil)
    try fill(clear)
    let expected = try contents(clear)
    clear.close()
    let before = try entries()
    #expect(try scratch.files(with: marker) == ["clinic/data.mdb"])

    try clear.encrypt(with: .test(1))
    #expect(try clear.check().problems == [])
    clear.close()
    #expect(try scratch.files(with: marker) == [])
    let first = try entries()
    // Those of the sets of objects only, of which both folders have two thousand.
    let clearKeys = first.keys.filter { $0.count > 14 && $0[14] == 1 }
    #expect(
      clearKeys.count == 4_000 && clearKeys.allSatisfy { before[$0] != nil && $0[..<6] == clearKeys[0][..<6] }
    )
    #expect(try contents(clinic(.test(1))) == expected)

    try clinic(.test(1)).reencrypt(with: .test(2))
    let other = clinic(.test(2))
    #expect(try other.check().problems == [])
    #expect(try contents(other) == expected)
    try other.write { transaction in
      let folder = try #require(try transaction.object(ofType: Folder.self, forPrimaryKey: 1))
      folder.words.remove(long)
      #expect(!folder.words.contains(long))
      folder.words.insert(long)
      folder.map[long] = "other"
      folder.map[long] = long
    }
    other.close()
    let tokens = { (entries: [[UInt8]: [UInt8]]) in Set(entries.keys.filter { $0.count == 31 && $0[14] == 3 })
    }
    #expect(tokens(first).isDisjoint(with: tokens(try entries())))

    try other.decrypt()
    other.close()
    // The version of a collection is another one after each write that changes it.
    let isVersion = { (key: [UInt8]) in key.count == 15 && key[14] == 0 }
    #expect(try entries().filter { !isVersion($0.key) } == before.filter { !isVersion($0.key) })
    #expect(try Set(entries().keys) == Set(before.keys))
    #expect(try contents(clear) == expected)
    #expect(try clear.check().problems == [])
  }

  @Test("maps of objects are queried and gone through from any place")
  func members() throws {
    let (hidden, clear) = (clinic(), clinic(nil, name: "clear"))
    var found: [[[Int]]] = []
    for clinic in [hidden, clear] {
      try fill(clinic)
      found.append(
        try clinic.read { snapshot in
          let folder = try #require(try snapshot.object(ofType: Folder.self, forPrimaryKey: 1))
          let all = folder.linked.results
          return [
            all.map(\.id), all.limit(7).map(\.id), all.offset(333).limit(5).map(\.id),
            all.where { $0.id > 120 }.map(\.id), all.sorted(byKeyPath: "id").map(\.id),
            Array(all.reversed()).map(\.id),
          ]
        }
      )
    }
    #expect(found[0] == found[1])
    #expect(found[0][0].count == 480)
  }

  @Test(
    "random changes agree with a set and a dictionary",
    arguments: TestEffort.first(1, of: [1, 2] as [UInt64])
  )
  func random(seed: UInt64) throws {
    print("seed \(seed)")
    var random = StressRandom(seed: seed)
    let clinic = clinic()
    var words: Set<String> = []
    var map: [String: String] = [:]
    try clinic.saveAndWait(entity: Folder(value: ["id": 1]), update: false)
    func name() -> String {
      let number = Int.random(in: 0..<900, using: &random)
      return number % 9 == 0 ? long + "\(number)" : "\(marker)\(number)"
    }
    for round in 0..<20 {
      try clinic.write { transaction in
        let folder = try #require(try transaction.object(ofType: Folder.self, forPrimaryKey: 1))
        for _ in 0..<100 {
          let name = name()
          // More of the early rounds add, more of the late ones remove.
          if Int.random(in: 0..<20, using: &random) >= round {
            #expect(folder.words.contains(name) != words.insert(name).inserted)
            folder.words.insert(name)
            map[name] = "\(round)"
            folder.map[name] = "\(round)"
          } else {
            #expect(folder.words.contains(name) == (words.remove(name) != nil))
            folder.words.remove(name)
            map[name] = nil
            folder.map[name] = nil
          }
        }
        #expect(folder.words.count == words.count && folder.map.count == map.count)
      }
      let found = try contents(clinic)
      #expect(found.words == words)
      #expect(found.keys == map.keys.sorted() && found.values == found.keys.map { map[$0] })
    }
    #expect(try clinic.check().problems == [])
    clinic.close()
    #expect(try contents(clinic).words == words)
    #expect(try scratch.files(with: marker) == [])
  }

  @Test("elements in an object's record are in order after a migration that gives it another key")
  func rekeying() throws {
    var boxes = Clinic(parent: scratch.path, name: "boxes", types: [EarlierBox.self])
    let all = Set((0..<250).map { "\(marker)\($0)" })
    let kept = all.filter { !$0.hasSuffix("7") && !$0.hasSuffix("3") && !$0.hasSuffix("1") }
    try boxes.write { transaction in
      let box = EarlierBox(value: ["id": 1, "number": 5])
      box.words.insert(objectsIn: all)
      for word in all { box.map[word] = word }
      try transaction.add(box)
    }
    // Large still, and small enough for a record.
    try boxes.write { transaction in
      let box = try #require(try transaction.object(ofType: EarlierBox.self, forPrimaryKey: 1))
      for word in all.subtracting(kept) {
        box.words.remove(word)
        box.map[word] = nil
      }
    }
    #expect(try boxes.check().problems == [])
    boxes.close()
    boxes.types = [LaterBox.self]
    boxes.version = 2
    let box = try #require(boxes.object(ofType: LaterBox.self, forPrimaryKey: 5))
    #expect(Set(box.words) == kept && box.map.keys == kept.sorted())
    #expect(try boxes.check().problems == [])
    boxes.close()
    #expect(try scratch.files(with: marker) == [])
  }

  @Test(
    "an object whose large collections were read is saved after its store got other data keys, or none",
    arguments: [false, true],
    [false, true]
  )
  func expecting(isEncrypted: Bool, isEncryptedThen: Bool) async throws {
    let clinic = clinic(isEncrypted ? .test(1) : nil)
    try fill(clinic)
    try add((0..<9).map { long + "\($0)" }, to: clinic)
    let folder = try #require(clinic.object(ofType: Folder.self, forPrimaryKey: 1))
    #expect(folder.words.count == 612 && folder.words.contains(long) && folder.map.keys.count == 612)
    switch (isEncrypted, isEncryptedThen) {
    case (true, true): try clinic.reencrypt(with: .test(2))
    case (true, false): try clinic.decrypt()
    case (false, true): try clinic.encrypt(with: .test(2))
    case (false, false): try clinic.compact()
    }
    folder.title = "read before"
    try await clinic.save(entity: folder, ifUnchanged: true)
    #expect(clinic.object(ofType: Folder.self, forPrimaryKey: 1)?.title == "read before")
    #expect(try clinic.check().problems == [])
  }

  private func add(_ texts: [String], to clinic: Clinic) throws {
    try clinic.write { transaction in
      let folder = try #require(try transaction.object(ofType: Folder.self, forPrimaryKey: 1))
      folder.words.insert(objectsIn: texts)
      for text in texts { folder.map[text] = text }
    }
  }

  @Test("a store is not decrypted where an element would take the place of another one")
  func alike() throws {
    // Bytes that wyhash multiplies by zero: whatever follows them in their block, the hash is the same.
    let secret = withUnsafeBytes(of: UInt64(0x8bb8_4b93_962e_acc9).littleEndian) { Array($0) }
    let elements = [UInt8(1), 2].map { number in
      Data(
        [UInt8](repeating: 5, count: 432) + secret + [UInt8](repeating: number, count: 8)
          + [UInt8](repeating: 6, count: 48)
      )
    }
    func folder() -> Folder {
      let folder = Folder(value: ["id": 1])
      for number in 0..<600 { folder.bytes.insert(Data("\(marker)\(number)".utf8)) }
      folder.bytes.insert(objectsIn: elements)
      return folder
    }
    // The elements are alike in a store in clear.
    let clear = clinic(nil, name: "clear")
    #expect(code { try clear.saveAndWait(entity: folder(), update: false) } == .invalidValue)

    let clinic = clinic()
    try clinic.saveAndWait(entity: folder(), update: false)
    #expect(code { try clinic.decrypt() } == .invalidValue)
    #expect(try clinic.store().isEncrypted)
    #expect(clinic.object(ofType: Folder.self, forPrimaryKey: 1)?.bytes.count == 602)
    #expect(try clinic.check().problems == [])
    clinic.close()
    #expect(try scratch.files(with: marker) == [])
  }

  private func change(_ clinic: Clinic, _ numbers: Range<Int>, isAdded: Bool) throws {
    try clinic.write { transaction in
      let folder =
        try transaction.object(ofType: Folder.self, forPrimaryKey: 1)
        ?? transaction.create(
          Folder.self,
          value: ["id": 1]
        )
      for number in numbers {
        if isAdded {
          folder.words.insert("\(marker)\(number)")
        } else {
          folder.words.remove("\(marker)\(number)")
        }
      }
    }
  }

  @Test("a set that becomes large, and small again, has the changed elements for its observers")
  func observed() async throws {
    let clinic = clinic()
    try change(clinic, 100..<270, isAdded: true)
    let folder = try #require(clinic.object(ofType: Folder.self, forPrimaryKey: 1))
    let updates = folder.words.changes().makeAsyncIterator()
    _ = try await updates.next()
    for isAdded in [true, false] {
      try change(clinic, 270..<400, isAdded: isAdded)
      guard case .update(_, let deletions, let insertions, let modifications) = try await updates.next()
      else {
        Issue.record("no update where elements are added: \(isAdded)")
        return
      }
      #expect(deletions.count == (isAdded ? 0 : 130) && insertions.count == (isAdded ? 130 : 0))
      #expect(modifications.isEmpty)
    }
  }
}
