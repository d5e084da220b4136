import Fief
import FiefTesting
import FiefTreeTestKit
import Testing

@testable import FiefTree

/// Entries that no write leaves behind: reads that reach them are errors, and a check lists them.
final class DamagedTreeTests {
  private let chat: TreeFixture

  init() throws { chat = try TreeFixture() }

  // The fixture checks the store at its end, so the damage is removed before.
  deinit { try? clear() }

  private func clear() throws {
    try chat.store.store().core().write { scope in
      let table = try scope.store.tables.table(named: "JSONTreeNode")
      try scope.writer.writingManaged { try scope.deleteAll(of: table) }
    }
  }

  private func place(_ names: String...) -> [UInt8] { TreePlace(TreePath(names: names)).last }

  /// Writes an entry as it is.
  private func put(_ segment: Int, _ place: [UInt8], _ payload: [UInt8]) throws {
    let core = try chat.store.store().core()
    try core.write { scope in
      let nodes = try TreeNodes(in: scope)
      let record = try RecordEditor.make(of: nodes.table) { $0.id == nodes.column.id ? payload : nil }
      try scope.writer.writingManaged {
        try NodeKey.key(segment, place).withUnsafeBytes { key in
          try record.withUnsafeBytes { try scope.writer.put(key: key, record: $0, into: nodes.table) }
        }
      }
    }
  }

  private func leaf(_ value: JSON) -> [UInt8] { NodeContent.payload(of: value) ?? [] }

  private func expectDamaged(_ path: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws {
    let reference = try chat.tree.reference(path)
    do {
      _ = try reference.value()
      Issue.record("expected an error", sourceLocation: sourceLocation)
    } catch let error as FiefError {
      #expect(error.code == .damagedRecord && error.store != nil, sourceLocation: sourceLocation)
      #expect(error.showingValues().details == ["path: " + path], sourceLocation: sourceLocation)
    }
    #expect(try !chat.tree.check().isEmpty, sourceLocation: sourceLocation)
    #expect(try !chat.store.check().isConsistent, sourceLocation: sourceLocation)
    // Neither of these may trap or hang.
    _ = try? reference.keys()
    _ = try? reference.exists()
    _ = try? reference.setValueAndWait(["x": 1])
    _ = try? reference.removeValueAndWait()
  }

  @Test func aLeafAboveAnotherEntry() throws {
    try put(0, place("a"), leaf(1))
    try put(0, place("a", "b"), leaf(2))
    // One look-up finds a leaf, and does not see the entries that follow.
    #expect(try chat.tree.reference("a").value() == 1)
    try expectDamaged()
  }

  @Test func anAnchorToItsOwnSegment() throws {
    let long = String(repeating: "n", count: 200)
    try put(0, place(long), NodeContent.payload(ofAnchor: 3))
    try put(3, place(long), NodeContent.payload(ofAnchor: 3))
    try expectDamaged()
    try expectDamaged(long + "/" + long)
  }

  @Test func anAnchorToAnEarlierSegment() throws {
    let long = String(repeating: "n", count: 200)
    try put(0, place(long), NodeContent.payload(ofAnchor: 5))
    try put(5, place(long), NodeContent.payload(ofAnchor: 2))
    try put(2, place("a"), leaf(1))
    try expectDamaged(long)
  }

  @Test func anAnchorToAnEmptySegment() throws {
    try put(0, place(String(repeating: "n", count: 200)), NodeContent.payload(ofAnchor: 5))
    try expectDamaged()
  }

  @Test func anAnchorWithAShortPlace() throws {
    try put(0, place("a"), NodeContent.payload(ofAnchor: 5))
    try put(5, place("b"), leaf(1))
    try expectDamaged()
    try put(0, place("a"), NodeContent.payload(ofAnchor: 5))
    try put(5, place("b"), leaf(1))
    try expectDamaged("a")
  }

  @Test func aPieceThatIsALeaf() throws {
    let long = String(repeating: "n", count: 300)
    let anchor = TreePlace(TreePath(names: [long])).anchors[0]
    try put(0, anchor, leaf(1))
    try expectDamaged()
  }

  @Test func namesThatNoPathHas() throws {
    for bytes: [UInt8] in [
      [5, 2], [5, 0x24, 2], [5, 0x61], [4, 0x31], [6], [5, 0x31, 2], Array("\u{5}a\u{2}x".utf8),
      [4] + Array("~~~~~~~~~".utf8),
    ] {
      let own = try DamagedTreeTests()
      try own.put(0, bytes, own.leaf(1))
      try own.expectDamaged()
    }
  }

  @Test func aShallowReadDoesNotReadWhatIsBelow() throws {
    try put(0, place("a", "b", "c"), [99])
    func value(_ depth: Int) throws -> JSON {
      try chat.store.read { snapshot in
        var reader = ShallowReader(try TreeNodes(in: snapshot))
        return try reader.value(at: TreePath(), depth: depth)
      }
    }
    #expect(try value(0) == true && value(1) == ["a": true] && value(2) == ["a": ["b": true]])
    expectCode(.damagedRecord) { try value(3) }
  }

  @Test func valuesThatNoTreeHas() throws {
    for payload: [UInt8] in [
      [], [1, 2], [5, 1], [99], [8, 0xFF], [9, 1], [7, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F],
    ] {
      let own = try DamagedTreeTests()
      try own.put(0, own.place("a"), payload)
      try own.expectDamaged("a")
    }
  }

  /// Each segment has two anchors to the next one, so that there are 2^100 ways to the last.
  @Test(.timeLimit(.minutes(2))) func anchorsThatMeet() throws {
    let first = String(repeating: "a", count: 200)
    let second = String(repeating: "b", count: 200)
    for segment in 0..<100 {
      try put(segment, place(first), NodeContent.payload(ofAnchor: segment + 1))
      try put(segment, place(second), NodeContent.payload(ofAnchor: segment + 1))
    }
    try put(100, place("x"), leaf(1))
    #expect(try !chat.tree.check().isEmpty)
    #expect(throws: FiefError.self) { try chat.tree.root.value() }
    #expect(try chat.tree.root.keys() == [first, second])
    #expect(throws: FiefError.self) {
      try chat.store.read { snapshot in
        var reader = ShallowReader(try TreeNodes(in: snapshot))
        return try reader.value(at: TreePath(), depth: .max)
      }
    }
  }
}
