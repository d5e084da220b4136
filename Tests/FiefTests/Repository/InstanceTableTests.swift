import Testing

@testable import FiefCore

@Suite("Tables of instances")
struct InstanceTableTests {
  private final class Item: KeyedInstance {
    let key: String

    init(_ key: String) { self.key = key }
  }

  @Test("hold the last instance of each key, in the order of the bytes")
  func order() {
    // The first two are equal texts with other bytes.
    let keys = ["\u{E9}", "e\u{301}", "b", "", "a", "aa", "\u{10FFFF}", "Z"]
    var table = InstanceTable<Item>()
    for key in keys + keys.reversed() { table.insert(Item(key)) }
    let last = Item("b")
    table.insert(last)
    let ordered = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(table.all.map { Array($0.key.utf8) } == ordered.map { Array($0.utf8) })
    #expect(table["b"] === last)
    #expect(table["c"] == nil)
    #expect(table.remove("c") == nil)
    #expect(table.remove("e\u{301}") != nil)
    #expect(table["e\u{301}"] == nil)
    #expect(table["\u{E9}"] != nil)
    table.removeAll { $0.key.isEmpty }
    #expect(table.all.count == keys.count - 2)
  }
}
