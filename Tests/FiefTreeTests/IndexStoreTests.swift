import Fief
import FiefTesting
import FiefTreeTestKit
import Foundation
import LMDB
import Testing

@testable import FiefTree

/// Indexes in stores of other versions and other programs, and damaged indexes.
struct IndexStoreTests {
  private let rules = try? AccessRules().index("rooms", on: "at").group("likes", on: ".value")

  private func names(_ tree: JSONTree, _ order: String = "at") throws -> [String] {
    try tree.reference("rooms").queryOrdered(byChild: order).queryLimited(toLast: 9).snapshot().children
      .compactMap(\.key)
  }

  /// The classes of trees before they had indexes.
  private var former: ChatRepository {
    ChatRepository(objectTypes: Array(JSONTree.objectTypes.prefix(2)) + [Member.self])
  }

  @Test(arguments: [StoreKind.onDisk, .encrypted]) func aStoreGetsTheClassesOfIndexes(_ kind: StoreKind)
    async throws
  {
    try await withFreshStores(kind) {
      let rules = try #require(rules)
      let old = former
      try JSONTree(in: old).root.setValueAndWait(["rooms": ["a": ["at": 2], "b": ["at": 1]]])
      #expect(try JSONTree(in: old).indexes() == [])
      old.close()
      var reader = ChatRepository()
      reader.storeOptions.isReadOnly = true
      let readTree = JSONTree(in: reader, rules: rules)
      #expect(try names(readTree) == ["b", "a"] && readTree.indexes() == [] && readTree.check() == [])
      reader.close()
      var next = ChatRepository()
      // The types belong to the product, so adding them is no migration of the application.
      next.storeOptions.migratesOnOpen = false
      let tree = JSONTree(in: next, rules: rules)
      try await tree.origin.waitForIndexes()
      #expect(try tree.indexes().count == 2 && tree.indexes().allSatisfy(\.isComplete))
      try tree.reference("rooms/c").setValueAndWait(["at": 1.5])
      #expect(try names(tree) == ["b", "c", "a"])
      #expect(try next.check().isConsistent && tree.check() == [])
      next.close()
      // A program of the former version opens its own types.
      #expect(try JSONTree(in: old).reference("rooms").keys() == ["a", "b", "c"])
      try JSONTree(in: old).reference("rooms/a/at").setValueAndWait(0)
      #expect(try names(JSONTree(in: old)) == ["a", "b", "c"] && JSONTree(in: old).check() == [])
      old.close()
    }
  }

  /// A store that is open cannot get types.
  @Test func anOpenStoreGetsNoClasses() throws {
    try withFreshStores(.onDisk) {
      let old = former
      try JSONTree(in: old).root.setValueAndWait(["rooms": ["a": ["at": 2]]])
      old.close()
      let members = ChatRepository(objectTypes: [Member.self])
      #expect(try members.count(Member.self) == 0)
      #expect(ChatRepository().store().openingError?.code == .migrationRequired)
      members.close()
      #expect(try JSONTree(in: ChatRepository()).indexes() == [])
      ChatRepository().close()
    }
  }

  @Test func aStoreWithoutATreeGetsNoTreeByItself() throws {
    try withFreshStores(.onDisk) {
      let old = ChatRepository(objectTypes: [Member.self])
      try old.write { _ = try $0.create(Member.self, value: ["id": "ada"]) }
      old.close()
      #expect(ChatRepository().store().openingError?.code == .migrationRequired)
    }
  }

  @Test func programsWithoutClassesKeepIndexesRight() async throws {
    try await withFreshStores(.onDisk) {
      let chat = ChatRepository()
      let rules = try #require(rules)
      let tree = JSONTree(in: chat, rules: rules)
      try tree.root.setValueAndWait(["rooms": ["a": ["at": 2], "b": ["at": 1]], "x": ["likes": ["y": 1]]])
      try await tree.origin.waitForIndexes()
      let directory = try #require(chat.store().directory)
      chat.close()
      let dynamic = try DynamicStore(directory: directory, isReadOnly: false)
      try dynamic.write { transaction in
        _ = try StoredTree.setValue(3, at: "rooms/b/at", in: transaction)
        _ = try StoredTree.setValue(["z": 2], at: "rooms/c/likes", in: transaction)
        _ = try StoredTree.setValue(.null, at: "rooms/a", in: transaction)
      }
      #expect(try dynamic.read { try StoredTree($0).problems() } == [])
      #expect(try dynamic.check().isConsistent)
      dynamic.close()
      #expect(try names(tree) == ["c", "b"])
      let likes = try tree.group("likes").queryOrderedByValue().snapshot()
      #expect(likes.children.map(\.reference.path) == ["x/likes/y", "rooms/c/likes/z"])
      chat.close()
    }
  }

  @Test(arguments: StoreKind.allCases) func migrationsKeepIndexesRight(_ kind: StoreKind) async throws {
    try await withFreshStores(kind) {
      let old = ChatRepository()
      let rules = try #require(rules)
      let oldTree = JSONTree(in: old, rules: rules)
      try oldTree.reference("rooms").setValueAndWait(["a": ["at": 2], "b": ["at": 1]])
      try await oldTree.origin.waitForIndexes()
      old.close()
      let next = ChatRepository(schemaVersion: 2) { migration, _ in
        let tree = JSONTree(in: ChatRepository())
        let editor = try tree.in(migration)
        try editor.setValue(9, at: tree.reference("rooms/b/at"))
        try editor.removeValue(at: tree.reference("rooms/a"))
        try editor.setValue(["at": 10], at: tree.reference("rooms/c"))
        let query = try tree.reference("rooms").queryOrdered(byChild: "at").queryLimited(toLast: 1)
        #expect(try editor.snapshot(of: query).json == ["c": ["at": 10]])
      }
      let tree = JSONTree(in: next, rules: rules)
      #expect(try names(tree) == ["b", "c"] && tree.check() == [])
      #expect(try next.check().isConsistent)
      next.close()
    }
  }

  // MARK: Damage

  private func damaged(_ body: (TreeIndexTables, RecordWriter) throws -> Void) async throws -> TreeFixture {
    let chat = try TreeFixture()
    let tree = JSONTree(in: chat.store, rules: try #require(rules))
    try tree.reference("rooms").setValueAndWait(["a": ["at": 2], "b": ["at": 1], "c": 3])
    try await tree.origin.waitForIndexes()
    #expect(try tree.check() == [])
    // The background work of this tree would report the damage.
    try await chat.tree.origin.waitForIndexes()
    let core = try chat.store.store().core()
    try core.write { scope in
      let tables = try #require(TreeIndexTables(core.tables))
      try scope.writer.writingManaged { try body(tables, scope.writer) }
    }
    return chat
  }

  /// The fixture checks the store at its end, so the damage is removed before.
  private func clear(_ chat: TreeFixture) {
    try? chat.store.store().core().write { scope in
      try scope.writer.writingManaged {
        for type in [TreeLayout.indexType, TreeLayout.indexPlaceType, TreeLayout.indexEntryType] {
          try scope.deleteAll(of: scope.store.tables.table(named: type))
        }
      }
    }
  }

  private func put(_ key: [UInt8], _ record: [UInt8], _ table: TreeTable, _ writer: RecordWriter) throws {
    try key.withUnsafeBytes { key in
      try record.withUnsafeBytes { try writer.put(key: key, record: $0, into: table.table) }
    }
  }

  private func position(_ value: JSON, _ name: String) -> [UInt8] {
    TreeSortKey(.leaf(value), name: name).bytes
  }

  @Test func theCheckFindsMissingEntries() async throws {
    let chat = try await damaged { tables, writer in
      let key = IndexEntryKey.key(1, position(1, "b"))
      _ = try key.withUnsafeBytes { try writer.delete(key: $0, from: tables.entries.table) }
    }
    defer { clear(chat) }
    #expect(try chat.tree.check() == ["a child has no entry with its value: index 1 on at"])
    #expect(try !chat.store.check().isConsistent)
  }

  @Test func theCheckFindsWrongEntries() async throws {
    let chat = try await damaged { tables, writer in
      let record = try tables.entries.record { _ in nil }
      try put(IndexEntryKey.key(1, position(7, "b")), record, tables.entries, writer)
      try put(IndexEntryKey.key(1, position(7, "gone")), record, tables.entries, writer)
      try put(IndexEntryKey.key(5, position(7, "b")), record, tables.entries, writer)
      try put(IndexEntryKey.key(1, [0x39]), record, tables.entries, writer)
    }
    defer { clear(chat) }
    #expect(
      try chat.tree.check() == [
        "an entry has no child with its value: index 1 on at",
        "an entry has no child with its value: index 1 on at",
        "an entry has no child with its value: index 1 on at",
        "an entry of an index belongs to no place: 5",
      ]
    )
    // A window that reaches an impossible entry fails, and other windows do not.
    expectCode(.damagedRecord) { try names(chat.tree) }
    let query = try chat.tree.reference("rooms").queryOrdered(byChild: "at")
    #expect(try query.queryEnding(atValue: 2).queryLimited(toFirst: 9).count() == 3)
    let gone = try query.queryEqual(toValue: 7, childKey: "gone")
    #expect(try gone.count() == 1)
    expectCode(.damagedRecord) { try gone.snapshot() }
  }

  @Test func theCheckFindsWrongNumbersAndDefinitions() async throws {
    let chat = try await damaged { tables, writer in
      let number = try tables.places.record { $0 == "number" ? TreeTable.payload(9) : nil }
      try put(IndexPlaceKey.key(1, 0, Array("\u{5}x\u{2}".utf8)), number, tables.places, writer)
      let twice = StoredIndex(id: 7, try TreeIndexDefinition(pattern: "rooms", on: "at"), isComplete: false)
      try put(twice.key, twice.record(of: tables.definitions), tables.definitions, writer)
    }
    defer { clear(chat) }
    #expect(
      try chat.tree.check() == [
        "an index is defined twice: index 7 on at",
        "an index has a number for a place without children: 9",
      ]
    )
    let other = try await damaged { tables, writer in
      var encoder = KeyEncoder()
      encoder.append(8)
      let record = try tables.definitions.record { $0 == "state" ? TreeTable.payload(7) : Array("a".utf8) }
      try put(encoder.bytes, record, tables.definitions, writer)
    }
    defer { clear(other) }
    #expect(try other.tree.check() == ["The definition of an index of a tree is damaged."])
    expectCode(.damagedRecord) { try names(other.tree) }
    expectCode(.damagedRecord) { try other.set("rooms/a/at", 7) }
    // Places are read without indexes.
    #expect(try other.get("rooms/c") == 3)
  }

  /// Numbers that no next number can follow.
  @Test func damagedNumbersAreErrors() async throws {
    let chat = try await damaged { tables, writer in
      let number = try tables.places.record { $0 == "number" ? TreeTable.payload(.max) : nil }
      try put(IndexPlaceKey.key(1, 0, Array("\u{5}rooms\u{2}".utf8)), number, tables.places, writer)
    }
    defer { clear(chat) }
    expectCode(.damagedRecord) { try names(chat.tree) }
    expectCode(.damagedRecord) { try chat.set("rooms/a/at", 7) }
    #expect(try chat.tree.check() == ["A place of an index of a tree is damaged."])
    let other = try await damaged { tables, writer in
      let last = StoredIndex(id: .max, try TreeIndexDefinition(pattern: "x", on: "at"), isComplete: true)
      try put(last.key, last.record(of: tables.definitions), tables.definitions, writer)
    }
    defer { clear(other) }
    let core = try other.store.store().core()
    let more = try AccessRules().index("y", on: "at").indexes
    await #expect { try await TreeIndexBuild(core, more).run() } throws: {
      ($0 as? FiefError)?.code == .damagedRecord
    }
  }
}
