import Fief
import FiefTesting
import FiefTreeTestKit
import LMDB
import Testing

@testable import FiefTree

/// A node with many leaves, and the entries beside it.
struct LargeNodeTests {
  /// Returns the keys and records of all entries outside of a place.
  private func entries(of chat: TreeFixture, except name: String) throws -> [[UInt8]] {
    let place = TreePlace(TreePath(names: [name])).last
    return try chat.store.read { snapshot in
      let cursor = try TreeNodes(in: snapshot).cursor()
      var entries: [[UInt8]] = []
      var isFound = try cursor.first()
      while isFound {
        if NodeKey.read(cursor.key)?.place.starts(with: place) != true {
          entries.append([UInt8](cursor.key) + [UInt8](cursor.value))
        }
        isFound = try cursor.next()
      }
      return entries
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: StoreKind.allCases)
  func theBytesOfSiblingsStay(_ kind: StoreKind) throws {
    let chat = try TreeFixture(kind)
    let long = String(repeating: "n", count: 300)
    try chat.tree.root.setValueAndWait(["a": ["x": 1, long: "text"], "m": [1, 2], "z": [true, 0.5]])
    let before = try entries(of: chat, except: "m")
    // The name of 300 bytes has an anchor.
    #expect(before.count == 5)
    let leaves = (0..<100_000).map { ("l\($0)", JSON.int(Int64($0))) }
    try chat.set("m", .object(FiefTree.JSONObject(leaves)))
    #expect(try chat.tree.reference("m").childCount() == leaves.count)
    #expect(try entries(of: chat, except: "m") == before)
    try chat.set("m", .object(FiefTree.JSONObject(leaves.map { ($0.0, true) })))
    #expect(try entries(of: chat, except: "m") == before && chat.get("m/l99999") == true)
    try chat.set("m", "one")
    #expect(try entries(of: chat, except: "m") == before && chat.get("m") == "one")
  }
}
