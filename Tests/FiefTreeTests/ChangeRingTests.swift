import Fief
import FiefTesting
import FiefTreeTestKit
import Testing

@testable import FiefTree

/// The ring of written places, which other processes read.
struct ChangeRingTests {
  private func commit(_ chat: TreeFixture) throws -> UInt64 { try chat.store.store().core().read { $0.id } }

  /// Returns the paths of the places that commits after a commit have written.
  private func paths(_ chat: TreeFixture, after commit: UInt64) throws -> Set<String>? {
    try chat.store.read { snapshot in
      ChangeRing(try TreeNodes(in: snapshot)).places(after: commit).map { places in
        Set(places.map { $0.map(\.text).joined(separator: "/") })
      }
    }
  }

  @Test(arguments: StoreKind.allCases) func itHasThePlacesOfTheLast64Commits(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    var commits: [UInt64] = []
    for number in 0..<100 {
      try chat.set("a/\(number)", 1)
      commits.append(try commit(chat))
      // Other writes of the store need no slot.
      try chat.store.saveAndWait(entity: Member(value: ["id": "m\(number)"]), update: false)
    }
    for start in 0..<100 {
      let expected = start < 36 ? nil : Set((start + 1..<100).map { "a/\($0)" })
      #expect(try paths(chat, after: commits[start]) == expected, "after write \(start)")
    }
    #expect(try paths(chat, after: 0) == nil)
    #expect(try paths(chat, after: commit(chat)) == [])
    #expect(try chat.store.count(of: "JSONTreeChange") == 65)
    #expect(try chat.tree.check() == [])
  }

  @Test func aCommitHasOneSlotForAllOfItsWrites() async throws {
    let chat = try TreeFixture()
    try chat.set("first", 1)
    let before = try commit(chat)
    let places = try ["a", "b/c", "b/d"].map { try chat.tree.reference($0) }
    try await chat.store.write { [tree = chat.tree] transaction in
      for place in places { try tree.in(transaction).setValue(1, at: place) }
    }
    #expect(try paths(chat, after: before) == ["a", "b/c", "b/d"])
    #expect(try chat.store.count(of: "JSONTreeChange") == 3)
    // Works of one batch share a commit.
    let batch = try commit(chat)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask { [tree = chat.tree] in try await tree.reference("t/\(number)").setValue(1) }
      }
      try await group.waitForAll()
    }
    #expect(try paths(chat, after: batch) == Set((0..<40).map { "t/\($0)" }))
    // Nothing that fails is noted.
    let last = try commit(chat)
    struct Failure: Error {}
    let refused = places[0]
    try? await chat.store.write { [tree = chat.tree] transaction in
      try tree.in(transaction).setValue(2, at: refused)
      throw Failure()
    }
    #expect(try paths(chat, after: last) == [] && commit(chat) == last)
  }

  @Test func longPathsAreReplacedByTheirAncestor() async throws {
    let chat = try TreeFixture()
    try chat.set("first", 1)
    let long = String(repeating: "x", count: 300)
    var before = try commit(chat)
    try await chat.tree.root.updateChildValues(["a/b/\(long)": 1, "a/\(long)": 1, "a/c/\(long)/\(long)": 1])
    #expect(try paths(chat, after: before) == ["a"])
    before = try commit(chat)
    try await chat.tree.root.updateChildValues(["a/\(long)": 2, "b/\(long)/\(long)/\(long)": 1])
    #expect(try paths(chat, after: before) == [""])
    before = try commit(chat)
    let deep = Array(repeating: long, count: 20).joined(separator: "/")
    try chat.set(deep, 1)
    #expect(try paths(chat, after: before) == [Array(repeating: long, count: 3).joined(separator: "/")])
    before = try commit(chat)
    try chat.set("a/c", nil)
    try chat.tree.root.setValueAndWait(1)
    #expect(try paths(chat, after: before) == ["a/c", ""])
  }

  @Test func anEmptyTreeHasNone() throws {
    let chat = try TreeFixture()
    try chat.set("a", 1)
    let before = try commit(chat)
    try chat.set("a", nil)
    #expect(try chat.store.count(of: "JSONTreeChange") == 0)
    #expect(try paths(chat, after: before) == nil)
    try chat.set("b", 1)
    // The ring does not know that a was removed.
    #expect(try paths(chat, after: before) == nil)
    #expect(try paths(chat, after: commit(chat)) == [])
  }

  @Test func damagedSlotsHideNothing() throws {
    let chat = try TreeFixture()
    for number in 0..<3 { try chat.set("a", .int(Int64(number))) }
    let last = try commit(chat)
    try chat.set("b", 1)
    #expect(try paths(chat, after: last) == ["b"])
    for contents in [[], [1], Array(repeating: 255, count: 9), [0, 0, 0, 0, 0, 0, 0, 0, 0x61, 0x2E]]
      as [[UInt8]]
    {
      try chat.store.store().core().write { scope in
        let nodes = try TreeNodes(in: scope)
        try scope.writer.writingManaged { try nodes.put(contents, inSlot: 4, scope.writer) }
      }
      #expect(try paths(chat, after: last) == nil)
      #expect(try !chat.tree.check().isEmpty)
    }
    try chat.store.store().core().write { scope in
      let nodes = try TreeNodes(in: scope)
      try scope.writer.writingManaged {
        try nodes.put(TreeNodes.Head(version: 1, lastSlot: 1 << 63), scope.writer)
      }
    }
    #expect(try paths(chat, after: last) == nil && chat.get("b") == 1)
    #expect(try !chat.tree.check().isEmpty)
    // The next writes repair it.
    try chat.set("c", 1)
    #expect(try paths(chat, after: commit(chat)) == [])
    for number in 0..<4 { try chat.set("d", .int(Int64(number))) }
    #expect(try chat.tree.check() == [])
  }
}
