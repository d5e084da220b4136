import Fief
import FiefTesting
import FiefTreeTestKit
import Foundation
import TestEffort
import Testing

@testable import FiefTree

/// The indexes of trees: their declarations, their builds, and that they are right after every write.
struct TreeIndexTests {
  private static func rules() throws -> AccessRules {
    try AccessRules().index("messages/$room", on: "at").index("scores", on: ".value").group("likes", on: "at")
  }

  /// Opens the tree of a fixture with rules. Its indexes are complete.
  private func tree(_ chat: TreeFixture, _ rules: AccessRules) async throws -> JSONTree {
    let tree = JSONTree(in: chat.store, rules: rules)
    try await tree.origin.waitForIndexes()
    #expect(try tree.indexes().allSatisfy(\.isComplete))
    return tree
  }

  private func names(_ query: TreeQuery) throws -> [String] {
    let children = try query.snapshot().children
    #expect(try query.count() == children.count)
    return children.map(\.reference.path)
  }

  private static func messages(_ count: Int) -> JSON {
    .object(
      FiefTree.JSONObject(
        (0..<count).map { ("m\($0)", ["at": .int(Int64($0 * 7 % count)), "text": "Hello"]) }
      )
    )
  }

  @Test(arguments: StoreKind.allCases) func anIndexServesTheQueriesOfItsPattern(_ kind: StoreKind)
    async throws
  {
    let chat = try TreeFixture(kind)
    let tree = try await tree(chat, Self.rules())
    try tree.reference("messages/r1").setValueAndWait(Self.messages(10))
    let query = try tree.reference("messages/r1").queryOrdered(byChild: "at")
    let last = try query.queryLimited(toLast: 2)
    #expect(
      "\(try last.explain())" == "reads the window, in the order of the index of 'messages/$room' on 'at'"
    )
    #expect(try names(last) == ["messages/r1/m4", "messages/r1/m7"])
    #expect(try query.explain() == .wholePlace)
    let other = try tree.reference("messages/r1").queryOrdered(byChild: "text").queryLimited(toLast: 1)
    #expect(try other.explain() == .allChildren)
    // The children of the room's messages are at no place of the pattern.
    let below = try tree.reference("messages/r1/m1").queryOrdered(byChild: "at").queryLimited(toLast: 1)
    #expect(try below.explain() == .allChildren)
    // A tree whose rules declare nothing uses the indexes of the store.
    let plain = try chat.tree.reference("messages/r1").queryOrdered(byChild: "at").queryLimited(toFirst: 1)
    #expect(try plain.explain() == last.explain())
    #expect(try names(plain) == ["messages/r1/m0"])
  }

  @Test func aWindowOfAnIndexIsAllThatIsRead() async throws {
    let chat = try TreeFixture()
    let tree = try await tree(chat, Self.rules())
    try tree.reference("messages/r1").setValueAndWait(Self.messages(1000))
    let store = chat.store.store()
    let last = try tree.reference("messages/r1").queryOrdered(byChild: "at").queryLimited(toLast: 20)
    let nodes = store.usage().types["JSONTreeNode"]?.reads ?? 0
    let entries = store.usage().types["JSONTreeIndexEntry"]?.reads ?? 0
    #expect(try last.snapshot().childCount == 20)
    #expect(store.usage().types["JSONTreeNode"]?.reads == nodes + 40)
    #expect(store.usage().types["JSONTreeIndexEntry"]?.reads == entries + 20)
  }

  @Test(arguments: StoreKind.allCases) func aGroupFindsNodesEverywhere(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    let plain = try chat.tree.group("likes")
    expectCode(.indexRequired) { try plain.snapshot() }
    expectCode(.indexRequired) { try plain.explain() }
    expectCode(.invalidTreeKey) { try chat.tree.group("a/b") }
    try chat.tree.root.updateChildValuesAndWait([
      "likes/ada": ["at": 3], "rooms/r1/likes": ["bo": ["at": 1], "likes": ["cy": ["at": 2]]],
      "rooms/r2/likes": 5, "rooms/r3": ["likes": ["ada": ["at": 1.0]]],
    ])
    let tree = try await tree(chat, Self.rules())
    let likes = try tree.group("likes")
    let byTime = try likes.queryOrdered(byChild: "at")
    // A node in a group may have a group itself.
    let inTime = [
      "rooms/r1/likes/likes", "rooms/r1/likes/bo", "rooms/r3/likes/ada", "rooms/r1/likes/likes/cy",
      "likes/ada",
    ]
    #expect(try names(byTime) == inTime)
    #expect(try names(byTime.queryEqual(toValue: 1)) == ["rooms/r1/likes/bo", "rooms/r3/likes/ada"])
    #expect(try names(byTime.queryStarting(atValue: 1, childKey: "rooms/r2")) == Array(inTime[2...]))
    #expect(try names(byTime.queryLimited(toLast: 2)) == Array(inTime.suffix(2)))
    #expect(try names(likes) == inTime.sorted())
    #expect(try names(likes.queryLimited(toLast: 1)) == ["rooms/r3/likes/ada"])
    #expect(try names(likes.queryOrderedByKey().queryStarting(afterValue: "rooms/r1/likes")).count == 4)
    let snapshot = try byTime.queryLimited(toLast: 1).snapshot()
    #expect(snapshot.reference.path == "" && snapshot.json == ["likes/ada": ["at": 3]])
    #expect(try snapshot.child("likes/ada/at").json == 3 && !snapshot.child("likes").exists)
    expectCode(.indexRequired) { try likes.queryOrderedByValue().count() }
    // The store names the index, so trees without the rules find it.
    #expect(try names(plain.queryOrdered(byChild: "at")) == inTime)
    try tree.reference("rooms").removeValueAndWait()
    #expect(try names(byTime) == ["likes/ada"])
  }

  @Test func anIndexIsBuiltInStepsAndGoesOn() async throws {
    let chat = try TreeFixture()
    let count = TreeIndexBuild.placesAtOnce + 100
    try chat.set("messages/r1", Self.messages(count))
    try chat.set("messages/r2", Self.messages(3))
    let rules = try Self.rules()
    // The background work of this tree is done, so it does not build what the test adds.
    let tree = chat.tree
    try await tree.origin.waitForIndexes()
    let query = try tree.reference("messages/r1").queryOrdered(byChild: "at").queryLimited(toLast: 1)
    // The declaration, and the first step of the first index.
    for _ in 0..<2 { try await chat.store.write { try TreeIndexBuild.step(in: $0, rules.indexes) } }
    let index = try #require(try tree.indexes().first)
    #expect(!index.isComplete && index.pattern == "messages/$room" && index.order == "at")
    #expect(try query.explain() == .allChildren)
    #expect(try names(query).count == 1)
    let built = try chat.store.count(of: "JSONTreeIndexEntry")
    #expect(built > 5000 && built < count)
    // Writes before and after the position of the build.
    try chat.tree.reference("messages/r1").updateChildValuesAndWait(
      ["m1/at": 1.5, "m2": .null, "m9998/at": -1, "m9999": .null, "zz": ["at": 99_999]]
    )
    #expect(try chat.tree.check() == [])
    try await JSONTree(in: chat.store).origin.waitForIndexes()
    #expect(try tree.indexes().map(\.isComplete) == [true, true, true])
    #expect(try chat.store.count(of: "JSONTreeIndexEntry") == count - 2 + 1 + 3)
    #expect(try names(query) == ["messages/r1/zz"])
    #expect(try chat.tree.check() == [])
  }

  @Test func indexesAreAddedInTheBackgroundAndRemoved() async throws {
    let chat = try TreeFixture()
    try chat.set("messages/r1", Self.messages(20))
    let tree = JSONTree(in: chat.store, rules: try Self.rules())
    // The first use begins the build.
    _ = try tree.root.exists()
    try await tree.origin.waitForIndexes()
    let indexes = try chat.tree.indexes()
    #expect(
      indexes.map(\.description) == [
        "index of 'messages/$room' on 'at'", "index of 'scores' on '.value'", "group 'likes' on 'at'",
      ]
    )
    for index in indexes { try await chat.tree.removeIndex(index) }
    for index in indexes { try chat.tree.removeIndexAndWait(index) }
    for type in ["JSONTreeIndex", "JSONTreeIndexPlace", "JSONTreeIndexEntry"] {
      #expect(try chat.store.count(of: type) == 0)
    }
  }

  /// A write of more children than are compared removes entries and adds them again. Meanwhile no other parent
  /// gets the number of their parent.
  @Test func parentsOfALargeWriteKeepTheirNumbers() async throws {
    let chat = try TreeFixture()
    let tree = try await tree(chat, try AccessRules().index("$room", on: ".value"))
    let many = JSON.object(FiefTree.JSONObject((0..<16_384).map { ("m\($0)", .int(Int64($0))) }))
    try tree.root.setValueAndWait(["r1": many, "r2": ["a": 1, "b": 2]])
    try tree.root.setValueAndWait(["r0": ["z": 9], "r1": many, "r2": ["a": 1, "b": 2]])
    #expect(try tree.check() == [])
    for (room, expected) in [("r0", ["r0/z"]), ("r2", ["r2/a", "r2/b"])] {
      let query = try tree.reference(room).queryOrderedByValue().queryLimited(toFirst: 9)
      #expect(try names(query) == expected)
    }
  }

  /// The tree that builds the index does not declare it again.
  @Test func anIndexThatIsRemovedDuringItsBuildStaysRemoved() async throws {
    let chat = try TreeFixture()
    try chat.set("messages/r1", Self.messages(TreeIndexBuild.placesAtOnce + 100))
    let rules = try AccessRules().index("messages/$room", on: "at")
    try await chat.tree.origin.waitForIndexes()
    var build = TreeIndexBuild(try chat.store.store().core(), rules.indexes)
    // The declaration, and a part of the index.
    for _ in 0..<2 {
      let isStep = try await build.next()
      #expect(isStep)
    }
    let index = try #require(try chat.tree.indexes().first)
    #expect(!index.isComplete)
    try await chat.tree.removeIndex(index)
    let isStep = try await build.next()
    #expect(!isStep)
    #expect(try chat.tree.indexes() == [] && chat.store.count(of: "JSONTreeIndexEntry") == 0)
  }

  @Test func equalWritesChangeNothing() async throws {
    let chat = try TreeFixture()
    let tree = try await tree(chat, Self.rules())
    try chat.set("messages", ["r1": Self.messages(20), "r2": Self.messages(5)])
    func changes(_ body: () throws -> Void) throws -> Bool {
      let before = try chat.store.store().core().environment.read { $0.id }
      try body()
      return try chat.store.store().core().environment.read { $0.id } != before
    }
    #expect(try !changes { try chat.set("messages", ["r1": Self.messages(20), "r2": Self.messages(5)]) })
    #expect(try !changes { try chat.set("messages/r1/m1/at", 7) })
    #expect(try changes { try chat.set("messages/r1/m1/at", 8) })
    #expect(try tree.indexes().count == 3)
  }

  @Test func declarationsAreChecked() throws {
    expectCode(.invalidTreeKey) { try AccessRules().index("a/$/b", on: "at") }
    expectCode(.invalidTreeKey) { try AccessRules().index("a.b", on: "at") }
    expectCode(.invalidTreeKey) { try AccessRules().index("a", on: ".key") }
    expectCode(.invalidTreeKey) { try AccessRules().group("$a", on: "at") }
    expectCode(.invalidQuery) { try AccessRules().group("a", on: "") }
    expectCode(.invalidQuery) { try AccessRules().index("a", on: "1/2/3/4/5/6/7/8/9") }
    expectCode(.treeTooDeep) {
      try AccessRules().index((0...32).map { "a\($0)" }.joined(separator: "/"), on: "at")
    }
    var rules = AccessRules()
    for number in 0..<64 { rules = try rules.index("a\(number)/$x", on: "at") }
    // The same index with another name of the variable.
    rules = try rules.index("a1/$y", on: "at")
    #expect(rules.indexes.count == 64)
    expectCode(.invalidQuery) { try rules.index("b", on: "at") }
  }

  @Test func aStoreHas64Indexes() async throws {
    let chat = try TreeFixture()
    var rules = AccessRules()
    for number in 0..<64 { rules = try rules.index("a\(number)", on: "at") }
    _ = try await tree(chat, rules)
    let more = try AccessRules().index("b", on: "at").indexes
    let core = try chat.store.store().core()
    await #expect(throws: FiefError.self) { try await TreeIndexBuild(core, more).run() }
    #expect(try chat.tree.indexes().count == 64)
  }
}
