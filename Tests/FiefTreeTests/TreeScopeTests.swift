import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import Testing

/// Trees in reads and writes of their stores, and the misuse of both.
struct TreeScopeTests {
  private struct Refused: Error {}

  @Test(arguments: StoreKind.allCases) func aWriteChangesObjectsAndTheTree(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    let tree = chat.tree
    let message = try tree.reference("messages/r1").childByAutoId()
    try await chat.store.write { transaction in
      let editor = try tree.in(transaction)
      try editor.setValue(["text": "Hello", "number": .increment(1)], at: message)
      #expect(try editor.value(at: message.child("text")) == "Hello")
      #expect(try message.exists() && editor.exists(at: message))
      try editor.updateChildValues(["number": .increment(1), "text": .null], at: message)
      _ = try transaction.create(Member.self, value: ["id": "ada", "messages": 1])
    }
    #expect(try message.value() == ["number": 2])
    #expect(try chat.store.count(Member.self) == 1)
    #expect(throws: Refused.self) {
      try chat.store.write { transaction in
        let editor = try tree.in(transaction)
        try editor.removeValue(at: tree.root)
        #expect(try editor.keys(at: tree.root) == [] && editor.childCount(at: tree.root) == 0)
        throw Refused()
      }
    }
    #expect(try message.value() == ["number": 2])
  }

  @Test func aRefusedValueLeavesTheWriteAsItWas() throws {
    let chat = try TreeFixture()
    try chat.store.write { transaction in
      let editor = try chat.tree.in(transaction)
      try editor.setValue(1, at: chat.tree.root.child("a"))
      expectCode(.invalidTreeKey) { try editor.setValue(["$": 1], at: chat.tree.root.child("b")) }
    }
    #expect(try chat.whole() == ["a": 1])
  }

  @Test func aSnapshotStaysTheSame() throws {
    let chat = try TreeFixture()
    try chat.set("a", 1)
    try chat.store.read { snapshot in
      let reader = try chat.tree.in(snapshot)
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        try? chat.set("a", 2)
        done.signal()
      }
      done.wait()
      #expect(try reader.value(at: chat.tree.root) == ["a": 1])
      #expect(try reader.snapshot(at: chat.tree.root).child("a").json == 1)
    }
    #expect(try chat.get("a") == 2)
  }

  @Test func endedScopesAndOtherStoresAreErrors() throws {
    let (chat, other) = (try TreeFixture(), try TreeFixture())
    let tree = chat.tree
    let ended = try chat.store.read { try tree.in($0) }
    expectCode(.transactionEnded) { try ended.value(at: tree.root) }
    let editor = try chat.store.write { try tree.in($0) }
    expectCode(.transactionEnded) { try editor.setValue(1, at: tree.root) }
    expectCode(.transactionEnded) { try editor.keys(at: tree.root) }
    try chat.store.write { transaction in
      expectCode(.foreignObject) { try other.tree.in(transaction) }
      let editor = try tree.in(transaction)
      expectCode(.foreignObject) { try editor.setValue(1, at: other.tree.root) }
      expectCode(.foreignObject) { try editor.value(at: other.tree.root) }
      expectCode(.nestedWrite) { try tree.root.setValueAndWait(1) }
      expectCode(.nestedWrite) { try other.tree.root.setValueAndWait(1) }
    }
    #expect(try chat.whole() == .null && other.whole() == .null)
  }

  /// Closing waits for the read, so the read must not wait for another opening.
  @Test(.timeLimit(.minutes(1)), arguments: StoreKind.allCases)
  func aReadEndsBeforeTheStoreIsClosed(_ kind: StoreKind) throws {
    let chat = try TreeFixture(kind)
    try chat.set("a", 1)
    // A tree that has not used the store yet.
    let (tree, new) = (chat.tree, JSONTree(in: chat.store))
    let place = try tree.reference("a")
    try readWhileClosing(chat.store) { snapshot in
      let values = [try tree.in(snapshot).value(at: place), try new.in(snapshot).value(at: place)]
      #expect(values == [1, 1])
    }
  }

  @Test(.timeLimit(.minutes(1))) func aStoreWithoutADirectoryIsNoLongerFound() throws {
    let memory = MemoryRepository()
    let tree = JSONTree(in: memory)
    try tree.root.setValueAndWait(1)
    try readWhileClosing(memory) { snapshot in
      let value = try tree.in(snapshot).value(at: tree.root)
      #expect(value == 1)
      expectCode(.storeClosed) { try JSONTree(in: memory).in(snapshot) }
    }
  }

  private struct MemoryRepository: DatabaseConfigurable, Sendable {
    let realmMemoryType = RealmMemoryType.inMemory(identifier: "TreeScopeTests")
    let schemaName: String? = "chat"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = JSONTree.objectTypes
    let migrationBlock: MigrationBlock? = nil
  }

  private func readWhileClosing(
    _ repository: some DatabaseConfigurable & Sendable,
    _ body: (Snapshot) throws -> Void
  ) throws {
    let core = try #require(repository.store().openedCore)
    let closed = DispatchSemaphore(value: 0)
    try repository.read { snapshot in
      Thread.detachNewThread {
        repository.close()
        closed.signal()
      }
      while !core.isClosed { usleep(100) }
      try body(snapshot)
    }
    closed.wait()
  }

  @Test func aStoreWithoutTheClassesHasNoTree() throws {
    let members = try StoreFixture(TestRepository(objectTypes: [Member.self]))
    let tree = JSONTree(in: members)
    for body in [
      { try tree.root.setValueAndWait(1) }, { _ = try tree.root.value() }, { _ = try tree.check() },
    ] {
      do {
        try body()
        Issue.record("expected an error")
      } catch let error as FiefError {
        #expect(error.code == .unknownType && "\(error)".contains("JSONTree.objectTypes"))
      }
    }
    #expect(try members.count(Member.self) == 0)
  }

  @Test func aReadOnlyStoreIsReadAndNotWritten() throws {
    try withFreshStores(.onDisk) {
      let chat = ChatRepository()
      try JSONTree(in: chat).reference("a").setValueAndWait(1)
      chat.close()
      var options = StoreOptions()
      options.isReadOnly = true
      let readOnly = ChatRepository(storeOptions: options)
      let tree = JSONTree(in: readOnly)
      #expect(try tree.reference("a").value() == 1 && tree.check() == [])
      expectCode(.readOnlyStore) { try tree.reference("a").setValueAndWait(2) }
      expectCode(.readOnlyStore) { try tree.reference("a").removeValueAndWait() }
      readOnly.close()
    }
  }

  @Test func referencesAreValues() throws {
    let chat = try TreeFixture()
    let room = try chat.tree.reference("/rooms//r1/")
    #expect(room.path == "rooms/r1" && room.key == "r1" && room.parent?.path == "rooms")
    #expect(
      room.parent?.parent == chat.tree.root && chat.tree.root.parent == nil && chat.tree.root.key == nil
    )
    #expect(try chat.tree.root.child("rooms").child("r1") == room)
    #expect(try room != JSONTree(in: chat.store).reference("rooms/r2"))
    #expect(try room == JSONTree(in: chat.store).reference("rooms/r1"))
    #expect(try room != TreeFixture().tree.reference("rooms/r1"))
    #expect(JSONTree(in: ChatRepository()).root == JSONTree(in: ChatRepository()).root)
    #expect(try chat.tree.reference("\u{E9}") != chat.tree.reference("e\u{301}"))
    #expect("\(room)" == "/rooms/r1")
  }
}
