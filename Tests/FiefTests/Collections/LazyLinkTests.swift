import Fief
import TestEffort
import Testing

@Suite("Links in collections are read when they are touched", .serialized)
struct LazyLinkTests {
  private func filled(_ place: TypedPlace, _ count: Int, _ body: (ShelfStore) throws -> Void) throws {
    try ShelfStore.with(place, [CountingShelf.self, CountedItem.self]) { store in
      try store.write { transaction in
        let shelf = CountingShelf()
        for id in 0..<count {
          let item = CountedItem()
          item.id = id
          shelf.items.append(item)
          shelf.chosen.insert(item)
          shelf.named["\(id)"] = item
        }
        try transaction.add(shelf)
      }
      try body(store)
    }
  }

  @Test(
    "the first of a thousand reads a batch",
    arguments: TypedPlace.allCases,
    TestEffort.isLong ? [300, 1_000, 3_000] : [300, 1_200]
  )
  func batches(place: TypedPlace, count: Int) throws {
    try filled(place, count) { store in
      let shelf = try #require(store.store().object(ofType: CountingShelf.self, forPrimaryKey: 0))
      CountedItem.expect(atMost: 0) { #expect(shelf.items.count == count && !shelf.items.isEmpty) }
      CountedItem.expect(atMost: 64) { #expect(shelf.items[0].id == 0) }
      CountedItem.expect(atMost: 0) { #expect(shelf.items.first === shelf.items[0]) }
      CountedItem.expect(atMost: 64) { #expect(shelf.items[count - 1].id == count - 1) }
      let wanted = shelf.items[5]
      CountedItem.expect(atMost: 0) { #expect(shelf.items.index(of: wanted) == 5) }
      CountedItem.expect(atMost: 0) { #expect(shelf.chosen.contains(wanted)) }
      CountedItem.expect(atMost: 64) { #expect(shelf.named["7"]??.id == 7 && shelf.named.count == count) }
      CountedItem.expect(atMost: 64) { #expect(shelf.items.prefix(3).map(\.id) == [0, 1, 2]) }
      #expect(shelf.items.map(\.id) == Array(0..<count))
      #expect(Set(shelf.chosen.map(\.id)) == Set(0..<count))
      #expect(shelf.named.values.count == count)
    }
  }

  @Test("in scopes too", arguments: TypedPlace.allCases, [300, TestEffort.count(1_200, more: 3_000)])
  func scopes(place: TypedPlace, count: Int) throws {
    try filled(place, count) { store in
      try store.read { snapshot in
        let shelf = try #require(try snapshot.object(ofType: CountingShelf.self, forPrimaryKey: 0))
        CountedItem.expect(atMost: 0) { #expect(shelf.items.count == count) }
        CountedItem.expect(atMost: 64) { #expect(shelf.items[100].id == 100) }
        #expect(shelf.items.map(\.id) == Array(0..<count))
      }
      try store.write { transaction in
        let shelf = try #require(try transaction.object(ofType: CountingShelf.self, forPrimaryKey: 0))
        CountedItem.expect(atMost: 64) { #expect(shelf.items[100].id == 100) }
        CountedItem.expect(atMost: 0) { shelf.items.move(from: 0, to: 200) }
        let live = shelf.items[200]
        #expect(live === shelf.items[200] && live.id == 0)
        #expect(try transaction.object(ofType: CountedItem.self, forPrimaryKey: 0) === live)
      }
    }
  }

  @Test(
    "what is gone is left out, and another object stands for it by its index",
    arguments: TypedPlace.allCases
  )
  func gone(place: TypedPlace) throws {
    try filled(place, 100) { store in
      let shelf = try #require(store.store().object(ofType: CountingShelf.self, forPrimaryKey: 0))
      try store.write { try $0.delete(ofType: CountedItem.self, forPrimaryKeys: [3, 50]) }
      #expect(shelf.items.count == 100 && shelf.items.prefix(4).count == 4)
      #expect(shelf.items[3].id == 0 && shelf.items[3] !== shelf.items[0])
      #expect(Array(shelf.items).count == 98 && shelf.items.enumerated().map(\.offset).count == 98)
      #expect(Array(shelf.items.lazy.map(\.id)).count == 98 && shelf.items.first?.id == 0)
      #expect(shelf.items[4].id == 4 && shelf.items.map(\.id).count == 98)
      #expect(shelf.chosen.map(\.id).count == 98 && shelf.named["3"].map { $0 == nil } == true)
      let again = try #require(store.store().object(ofType: CountingShelf.self, forPrimaryKey: 0))
      #expect(again.items.count == 98 && again.chosen.count == 98)
      // The copy is saved without them.
      shelf.items.move(from: 99, to: 0)
      try store.write { try $0.add(shelf, update: .all) }
      let saved = try #require(store.store().object(ofType: CountingShelf.self, forPrimaryKey: 0))
      #expect(saved.items.count == 98 && saved.items.first?.id == 99)
    }
  }

  @Test("an insertion of what a set has reads nothing", arguments: TypedPlace.allCases)
  func insertions(place: TypedPlace) throws {
    try filled(place, 100) { store in
      let shelf = try #require(store.store().object(ofType: CountingShelf.self, forPrimaryKey: 0))
      let item = try #require(store.store().object(ofType: CountedItem.self, forPrimaryKey: 7))
      #expect(CountedItem.count { shelf.chosen.insert(item) } == 0)
      #expect(shelf.chosen.count == 100)
    }
  }

  @Test("changes of a copy read nothing", arguments: TypedPlace.allCases)
  func copies(place: TypedPlace) throws {
    try filled(place, 500) { store in
      let shelf = try #require(store.store().object(ofType: CountingShelf.self, forPrimaryKey: 0))
      let made = CountedItem.count {
        shelf.items.remove(at: 10)
        shelf.items.swapAt(0, 498)
        shelf.items.move(from: 1, to: 5)
      }
      #expect(made == 0)
      var expected = Array(0..<500)
      expected.remove(at: 10)
      expected.swapAt(0, 498)
      expected.insert(expected.remove(at: 1), at: 5)
      try store.write { try $0.add(shelf, update: .all) }
      let saved = try #require(store.store().object(ofType: CountingShelf.self, forPrimaryKey: 0))
      #expect(saved.items.map(\.id) == expected)
      let second = CountingShelf()
      second.id = 2
      second.items = saved.items
      second.items.removeLast()
      try store.write { try $0.add(second) }
      #expect(saved.items.count == 499)
      #expect(store.store().object(ofType: CountingShelf.self, forPrimaryKey: 2)?.items.count == 498)
    }
  }
}
