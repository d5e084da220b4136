import Fief
import LMDB
import Testing

@testable import FiefCore

@Suite("The order of elements in records")
struct ElementOrderTests {
  @Test("Sets and maps that become small have their elements in order", arguments: TypedPlace.allCases)
  func smallAgain(place: TypedPlace) throws {
    try ShelfStore.with(place) { store in
      // The tree of a large collection has these in the order of their hashes.
      let long = (0..<4).map { String(repeating: "long ", count: 85) + "\($0)" }
      let short = (0..<1_000).map { "word \($0)" }
      try store.write { transaction in
        let shelf = Shelf(value: ["id": 1])
        shelf.words.insert(objectsIn: long + short)
        for key in long + short { shelf.values[key] = 1 }
        try transaction.add(shelf)
      }
      try store.write { transaction in
        let shelf = try #require(try transaction.object(ofType: Shelf.self, forPrimaryKey: 1))
        for word in short { shelf.words.remove(word) }
        for key in short { shelf.values[key] = nil }
      }
      store.reopen()
      #expect(try store.check().problems == [])
      let shelf = try store.shelf(1)
      #expect(Set(shelf.words) == Set(long))
      #expect(shelf.values.keys == long)
    }
  }

  enum Disorder: CaseIterable {
    case setSwapped, setRepeated, mapSwapped, mapRepeated

    /// A text of the record, and the one of its length in its place.
    var change: (old: [UInt8], new: [UInt8]) {
      switch self {
      case .setSwapped: (Array("\u{3}sea\u{3}sun".utf8), Array("\u{3}sun\u{3}sea".utf8))
      case .setRepeated: (Array("\u{3}sea\u{3}sun".utf8), Array("\u{3}sun\u{3}sun".utf8))
      case .mapSwapped: (Array("\u{4}east".utf8), Array("\u{4}west".utf8))
      case .mapRepeated: (Array("\u{4}east".utf8), Array("\u{4}noon".utf8))
      }
    }

    var problem: String {
      switch self {
      case .setSwapped, .setRepeated: "The elements of a set are out of order or contain a duplicate."
      case .mapSwapped, .mapRepeated:
        "The entries of a map are out of key order or contain a duplicate key."
      }
    }
  }

  private func changeFile(of store: ShelfStore, _ body: (WritableTransaction) throws -> Void) throws {
    store.close()
    let directory = try #require(store.directory) + "/shelves"
    let environment = try LMDB.Environment.open(directory: directory, options: EnvironmentOptions())
    defer { environment.close() }
    try environment.write(body)
  }

  @Test("The checker finds elements out of order and repeated ones", arguments: Disorder.allCases)
  func disorder(_ disorder: Disorder) throws {
    try ShelfStore.with(.disk) { store in
      try store.write { transaction in
        let shelf = Shelf(value: ["id": 1])
        shelf.words.insert(objectsIn: ["sun", "sea"])
        for key in ["east", "noon"] { shelf.values[key] = 1 }
        try transaction.add(shelf)
      }
      #expect(try store.check().problems == [])
      try changeFile(of: store) { transaction in
        let name = try #require(try transaction.databaseNames().first { $0.hasSuffix(".Shelf") })
        let type = try #require(UInt32(name.dropFirst("type:".count).prefix { $0 != "." }))
        let tree = try transaction.openDatabase(named: name)
        let cursor = try transaction.cursor(tree)
        try #require(try cursor.first())
        let key = [UInt8](cursor.key)
        var record = [UInt8](cursor.value)
        let place = try #require(record.firstRange(of: disorder.change.old))
        record.replaceSubrange(place, with: disorder.change.new)
        let checksum = key.withUnsafeBytes { key in
          record.withUnsafeBytes { RecordChecksum.ofStored($0, key: key, type: type) }
        }
        withUnsafeBytes(of: checksum.littleEndian) { record.replaceSubrange(0..<4, with: $0) }
        try key.withUnsafeBytes { key in
          try record.withUnsafeBytes { try transaction.put(tree, key, $0) }
        }
      }
      let problems = try store.check().problems
      #expect(problems.count == 1 && problems[0].contains(disorder.problem), "\(problems)")
      try store.deleteStore()
    }
  }

  @Test("The checker finds an element under another element's key", arguments: [false, true])
  func misplaced(isMap: Bool) throws {
    try ShelfStore.with(.disk) { store in
      let long = String(repeating: "long ", count: 200)
      try store.write { transaction in
        let shelf = Shelf(value: ["id": 1])
        if isMap {
          for number in 0..<40 { shelf.values[long + "\(number)"] = number }
        } else {
          shelf.words.insert(objectsIn: (0..<40).map { long + "\($0)" })
        }
        try transaction.add(shelf)
      }
      #expect(try store.check().problems == [])
      try changeFile(of: store) { transaction in
        let tree = try transaction.openDatabase(named: Catalogue.collectionTreeName)
        let type = ColumnType(isMap ? .int64 : .string, container: isMap ? .map : .set)
        let cursor = try transaction.cursor(tree)
        var found = try cursor.first()
        while found, LargeEntry.hasName(cursor.key) || cursor.key.count < 400 { found = try cursor.next() }
        try #require(found)
        let key = [UInt8](cursor.key)
        var wrong = key
        wrong[key.count - 1] ^= 1
        let value = try LargeEntry(key: cursor.key, value: cursor.value, type: type).value(
          ofKey: wrong,
          type: type
        )
        _ = try key.withUnsafeBytes { try transaction.delete(tree, $0) }
        try wrong.withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.put(tree, key, $0) } }
      }
      let problems = try store.check().problems
      #expect(problems.count == 1 && problems[0].contains("under another element's key"), "\(problems)")
      try store.deleteStore()
    }
  }
}
