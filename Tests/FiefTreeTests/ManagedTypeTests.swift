import Fief
import FiefTesting
import FiefTreeTestKit
import Foundation
import LMDB
import Testing

@testable import FiefCore
@testable import FiefTree

/// Only the tree writes its objects, and no migration drops them by accident.
struct ManagedTypeTests {
  @Test(arguments: StoreKind.allCases) func objectsAreReadAndNotWritten(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    try chat.set("a", ["b": 1, "c": "x"])
    let store = chat.store
    #expect(try store.count(JSONTreeNode.self) == 2)
    #expect(try store.objects(JSONTreeNode.self).map(\.segment) == [0, 0])
    let node = JSONTreeNode()
    node.place = "\u{5}a\u{2}"
    expectCode(.managedType) { try store.saveAndWait(entity: node, update: true) }
    expectCode(.managedType) { try store.write { try $0.add(node) } }
    expectCode(.managedType) { try store.write { try $0.create(JSONTreeNode.self, value: ["segment": 7]) } }
    expectCode(.managedType) { try store.write { try $0.deleteAll(JSONTreeNode.self) } }
    expectCode(.managedType) { try store.write { try $0.deleteAll() } }
    expectCode(.managedType) {
      try store.write { $0.objects(JSONTreeNode.self).first?.value = .int(2) }
    }
    expectCode(.managedType) {
      try store.write { transaction in
        // The tree itself has just written, with the same cursor.
        try chat.tree.in(transaction).setValue(3, at: chat.tree.root.child("z"))
        for node in transaction.objects(JSONTreeNode.self) { try transaction.delete(node) }
      }
    }
    expectCode(.managedType) { try store.objects(JSONTreeNode.self).delete() }
    var error: (any Error)?
    do { try await store.save(entities: [Member(value: ["id": "ada"]), node], update: true) } catch let e {
      error = e
    }
    #expect((error as? FiefError)?.code == .managedType)
    #expect(try store.count(Member.self) == 0)
    #expect(try chat.whole() == ["a": ["b": 1, "c": "x"]])
    // A tree without entries does not keep the store from being emptied.
    try chat.tree.root.removeValueAndWait()
    try await store.write { try $0.deleteAll() }
    #expect(try store.count(JSONTreeNode.self) == 0)
    try chat.set("a", 1)
    #expect(try chat.whole() == ["a": 1] && chat.tree.check() == [])
  }

  @Test func programsWithoutTheTreeCannotWriteIt() throws {
    try withFreshStores(.onDisk) {
      let chat = ChatRepository()
      try JSONTree(in: chat).reference("a/b").setValueAndWait(1)
      let directory = try #require(chat.store().directory)
      chat.close()
      let dynamic = try DynamicStore(directory: directory, isReadOnly: false)
      let key: [Any] = [0, "\u{5}a\u{2}\u{5}b\u{2}"]
      expectCode(.managedType) { try dynamic.write { try $0.delete("JSONTreeNode", forKey: key) } }
      expectCode(.managedType) {
        try dynamic.write { try $0.put("JSONTreeNode", ["segment": 0, "place": "x", "value": 2]) }
      }
      #expect(try dynamic.check().isConsistent)
      dynamic.close()
      #expect(try JSONTree(in: chat).reference("a/b").value() == 1)
      chat.close()
    }
  }

  /// Such work uses the reserve of a full disk.
  @Test func onlyRemovalsCountAsDeletions() throws {
    let chat = try TreeFixture()
    let (root, store) = (chat.tree.root, chat.store.store())
    #expect(try TreeChanges(.null, at: root.location).work(of: store).onlyDeletes)
    #expect(try TreeChanges(["a": nil, "b": [:]], below: root.location).work(of: store).onlyDeletes)
    #expect(try !TreeChanges(["a": nil, "b": 1], below: root.location).work(of: store).onlyDeletes)
  }

  @Test func namesAloneManageNothing() throws {
    final class JSONTreeChange: Object {
      @Persisted(primaryKey: true) var id = 0
    }
    let store = try StoreFixture(TestRepository(objectTypes: [JSONTreeChange.self]))
    try store.write { _ = try $0.create(JSONTreeChange.self, value: ["id": 1]) }
    #expect(try store.count(JSONTreeChange.self) == 1)
  }

  @Test func aForgottenTreeIsNotDropped() throws {
    try withFreshStores(.onDisk) {
      let old = ChatRepository()
      try JSONTree(in: old).reference("a/b").setValueAndWait(1)
      old.close()
      var next = ChatRepository()
      next.schemaVersion = 2
      next.objectTypes = [Member.self]
      let error = next.store().openingError
      #expect(error?.code == .migrationFailed)
      for type in ["JSONTreeNode", "JSONTreeChange"] { #expect("\(error as Any)".contains("\"\(type)\"")) }
      #expect(try JSONTree(in: old).reference("a/b").value() == 1)
      old.close()
      next.migrationBlock = { migration, _ in
        migration.deleteData(forType: "JSONTreeNode")
        migration.deleteData(forType: "JSONTreeChange")
      }
      #expect(next.store().openingError == nil)
      #expect(try next.check().isConsistent)
      next.close()
    }
  }

  /// Objects of indexes would stay without their nodes.
  @Test func aMigrationThatKeepsTheTreeDoesNotDeleteItsObjects() throws {
    try withFreshStores(.onDisk) {
      let old = ChatRepository()
      try JSONTree(in: old).reference("a/b").setValueAndWait(1)
      old.close()
      let next = ChatRepository(schemaVersion: 2) { migration, _ in
        migration.deleteData(forType: "JSONTreeNode")
      }
      #expect(next.store().openingError?.code == .managedType)
      #expect(try JSONTree(in: old).reference("a/b").value() == 1)
      old.close()
    }
  }

  @Test func aProgramWithoutTheTreeOpensItsOwnTypes() throws {
    try withFreshStores(.onDisk) {
      let chat = ChatRepository()
      let value: JSON = ["b": 1]
      try JSONTree(in: chat).reference("a").setValueAndWait(value)
      chat.close()
      let older = ChatRepository(objectTypes: [Member.self])
      #expect(older.store().openingError == nil)
      try older.write { _ = try $0.create(Member.self, value: ["id": "ada"]) }
      expectCode(.unknownType) { try JSONTree(in: older).reference("a").setValueAndWait(2) }
      expectCode(.unknownType) { try JSONTree(in: older).reference("a").value() }
      // Everything that the program knows is deleted.
      try older.write { try $0.deleteAll() }
      #expect(try older.count(Member.self) == 0 && older.check().isConsistent)
      // Another repository of the process has the tree.
      #expect(try JSONTree(in: chat).reference("a").value() == value)
      try JSONTree(in: chat).reference("a/c").setValueAndWait(2)
      expectCode(.unknownType) { try JSONTree(in: older).reference("a").value() }
      chat.close()
      // Its own types must be as in the store.
      final class Guest: Object {
        @Persisted(primaryKey: true) var id = ""
      }
      let differing = ChatRepository(objectTypes: [Member.self, Guest.self])
      #expect(differing.store().openingError?.code == .migrationRequired)
      #expect(ChatRepository(objectTypes: []).store().openingError?.code == .migrationRequired)
      #expect(try JSONTree(in: chat).reference("a").value() == ["b": 1, "c": 2])
      chat.close()
    }
  }

  @Test(arguments: StoreKind.allCases) func aMigrationAddsTheTree(_ kind: StoreKind) throws {
    try withFreshStores(kind) {
      let old = ChatRepository(objectTypes: [Member.self])
      try old.write { _ = try $0.create(Member.self, value: ["id": "ada", "messages": 3]) }
      // The classes need a higher version.
      old.close()
      #expect(ChatRepository().store().openingError?.code == .migrationRequired)
      let next = ChatRepository(schemaVersion: 2) { migration, _ in
        let tree = JSONTree(in: ChatRepository())
        let editor = try tree.in(migration)
        var counts = FiefTree.JSONObject()
        migration.enumerateObjects(ofType: "Member") { old, _ in
          counts[old?["id"] as? String ?? ""] = .int(Int64(old?["messages"] as? Int ?? 0))
        }
        #expect(try editor.value(at: tree.root) == .null)
        try editor.setValue(.object(counts), at: tree.reference("counts"))
      }
      let tree = JSONTree(in: next)
      #expect(try tree.reference("counts").value() == ["ada": 3] && tree.check() == [])
      #expect(try next.count(Member.self) == 1 && next.check().isConsistent)
      next.close()
    }
  }

  @Test func anEmptyTreeMayBeForgotten() throws {
    try withFreshStores(.onDisk) {
      var old = ChatRepository()
      old.schemaVersion = 1
      try JSONTree(in: old).reference("a/b").setValueAndWait(1)
      try JSONTree(in: old).root.removeValueAndWait()
      try old.write { _ = try $0.create(Member.self, value: ["id": "ada"]) }
      old.close()
      var next = old
      next.schemaVersion = 2
      next.objectTypes = [Member.self]
      #expect(next.store().openingError == nil)
    }
  }

  @Test(arguments: StoreKind.allCases) func aTreeSurvivesMigrations(_ kind: StoreKind) throws {
    try withFreshStores(kind) {
      let old = ChatRepository(objectTypes: JSONTree.objectTypes)
      let value: JSON = ["a": [String(repeating: "n", count: 600): 1, "2": "x"]]
      try JSONTree(in: old).root.setValueAndWait(value)
      old.close()
      let next = ChatRepository(schemaVersion: 2)
      let tree = JSONTree(in: next)
      #expect(try tree.root.snapshot().json == value && tree.check() == [])
      try tree.reference("a/3").setValueAndWait(true)
      #expect(try tree.reference("a").keys(limit: 2) == ["2", "3"])
      next.close()
    }
  }

  @Test func aMigrationChangesTheTree() throws {
    try withFreshStores(.onDisk) {
      let old = ChatRepository()
      let long = String(repeating: "n", count: 600)
      try JSONTree(in: old).root.setValueAndWait(["drafts": [long: 1], "rooms": ["r1": 1]])
      old.close()
      let ended = Lock<TreeEditor?>(nil)
      let next = ChatRepository(schemaVersion: 2) { migration, _ in
        let tree = JSONTree(in: ChatRepository())
        let editor = try tree.in(migration)
        #expect(try editor.keys(at: tree.root) == ["drafts", "rooms"])
        try editor.removeValue(at: tree.reference("drafts"))
        try editor.updateChildValues(["r1": .increment(1), "r2/title": "new"], at: tree.reference("rooms"))
        try editor.setValue([long: [long: true]], at: tree.reference("long"))
        #expect(try editor.value(at: tree.reference("rooms/r1")) == 2)
        ended.withLock { $0 = editor }
      }
      let tree = JSONTree(in: next)
      let expected: JSON = ["rooms": ["r1": 2, "r2": ["title": "new"]], "long": [long: [long: true]]]
      #expect(try tree.root.snapshot().json == expected)
      #expect(try tree.check() == [] && next.check().isConsistent)
      let editor = try #require(ended.withLock { $0 })
      expectCode(.transactionEnded) { try editor.value(at: tree.root) }
      expectCode(.transactionEnded) { try editor.setValue(1, at: tree.root) }
      next.close()
    }
  }

  @Test func aFailedChangeEndsTheMigration() throws {
    try withFreshStores(.onDisk) {
      let old = ChatRepository()
      try JSONTree(in: old).root.setValueAndWait(["n": .double(Double.greatestFiniteMagnitude)])
      old.close()
      let next = ChatRepository(schemaVersion: 2) { migration, _ in
        let tree = JSONTree(in: ChatRepository())
        let editor = try tree.in(migration)
        try editor.setValue(1, at: tree.reference("a"))
        try? editor.setValue(.increment(Double.greatestFiniteMagnitude), at: tree.reference("n"))
      }
      #expect(next.store().openingError?.code == .invalidValue)
      #expect(try JSONTree(in: old).root.keys() == ["n"])
      old.close()
    }
  }

  @Test func aNewerLayoutIsRefused() throws {
    let chat = try TreeFixture()
    try chat.set("a", 1)
    let core = try chat.store.store().core()
    try core.write { scope in
      let table = try core.tables.table(named: "JSONTreeChange")
      var encoder = KeyEncoder()
      encoder.append(0)
      let version = withUnsafeBytes(of: (TreeLayout.current + 1).littleEndian) { [UInt8]($0) }
      let record = try RecordEditor.make(of: table) { $0.name == "contents" ? version : nil }
      try scope.writer.writingManaged {
        try encoder.bytes.withUnsafeBytes { key in
          try record.withUnsafeBytes { try scope.writer.put(key: key, record: $0, into: table) }
        }
      }
    }
    expectCode(.formatTooNew) { try chat.tree.root.value() }
    expectCode(.formatTooNew) { try chat.set("a", 2) }
    expectCode(.formatTooNew) { try chat.tree.root.removeValueAndWait() }
    expectCode(.formatTooNew) { try chat.tree.check() }
  }
}
