import Fief
import Testing

@testable import FiefCore

@Suite("The entries that an encrypted store has sorted")
struct EntryCacheTests {
  private func entries(_ names: [String]) -> SortedEntries {
    var entries = SortedEntries()
    for name in names { Array(name.utf8).withUnsafeBytes { entries.add($0) } }
    entries.sort()
    return entries
  }

  private func names(_ entries: SortedEntries) -> [String] {
    (0..<entries.count).map { place in entries.withName(at: place) { String(decoding: $0, as: UTF8.self) } }
  }

  @Test("names are in the order of their bytes, the empty one and beginnings of others first")
  func order() {
    let entries = entries(["b", "", "ab", "a", "abc", "\u{e4}", "B"])
    #expect(names(entries) == ["", "B", "a", "ab", "abc", "b", "\u{e4}"])
    #expect(entries.place(behind: []) == 1)
    #expect(entries.place(behind: Array("ab".utf8)) == 4)
    #expect(entries.place(behind: Array("aa".utf8)) == 3)
    #expect(entries.place(behind: Array("z".utf8)) == 6)
    #expect(entries.place(behind: [0xFF]) == 7)
    #expect(SortedEntries().place(behind: [1]) == 0)
  }

  @Test("they are those of one commit")
  func commits() {
    var known = EntryCache()
    known.keep(entries(["a"]), of: [1], at: 5)
    #expect(known.entries(of: [1], at: 5).map(names) == ["a"])
    #expect(known.entries(of: [1], at: 6) == nil && known.entries(of: [2], at: 5) == nil)
    known.keep(entries(["b"]), of: [1], at: 6)
    #expect(known.entries(of: [1], at: 5) == nil)
    #expect(known.entries(of: [1], at: 6).map(names) == ["b"])
    #expect(known.size == entries(["b"]).size)
  }

  @Test("those that were used last stay, up to a size")
  func size() {
    let each = entries(["0123456789"]).size
    var known = EntryCache(atMost: each * 8)
    for number in UInt8(0)..<8 { known.keep(entries(["0123456789"]), of: [number], at: 1) }
    #expect(known.size == each * 8)
    #expect(known.entries(of: [0], at: 1) != nil)
    known.keep(entries(["0123456789"]), of: [8], at: 1)
    // Half of the size is left: the newest, the first one, which was used since, and the newest of the
    // others.
    #expect(known.size == each * 4)
    for number: UInt8 in [0, 6, 7, 8] { #expect(known.entries(of: [number], at: 1) != nil, "\(number)") }
    for number: UInt8 in [1, 2, 5] { #expect(known.entries(of: [number], at: 1) == nil, "\(number)") }
    known.keep(entries((0..<200).map { "\($0)" }), of: [9], at: 1)
    #expect(known.entries(of: [9], at: 1) == nil && known.size == each * 4)
  }

  @Test("a store that is closed has no names in memory")
  func closing() throws {
    try ShelfStore.with(.encrypted) { store in
      let shelf = Shelf(value: ["id": 1])
      shelf.words.insert(objectsIn: (0..<900).map { "word \($0)" })
      try store.saveAndWait(entity: shelf, update: false)
      let core = try #require(store.store().openedCore)
      let sealer = try #require(core.environment.sealing as? StoreSealer)
      #expect(Set(try store.shelf(1).words).count == 900)
      #expect(sealer.kept.withLock { $0 } != nil)
      let held = try store.shelf(1)
      store.close()
      withExtendedLifetime(held) { #expect(sealer.kept.withLock { $0 } == nil) }
    }
  }
}
