import Fief
import Foundation
import TestEffort
import Testing

@Suite("Large collections")
struct LargeCollectionTests {
  private func items(_ count: Int) -> [ShelfItem] {
    (0..<count).map { ShelfItem(value: ["id": $0, "name": "item \($0)"]) }
  }

  @Test("every element type, large and small again", arguments: TypedPlace.allCases)
  func everyType(place: TypedPlace) throws {
    try ShelfStore.with(place) { store in
      // Each of them is more than 4,000 bytes.
      let links = TestEffort.count(1_200, more: 1_500)
      let numbers = TestEffort.count(600, more: 2_000)
      let texts = TestEffort.count(700, more: 2_000)
      let parts = TestEffort.count(500, more: 800)
      let words = TestEffort.count(600, more: 1_000)
      let entries = TestEffort.count(600, more: 1_500)
      let items = items(links)
      let long = String(repeating: "long ", count: 200)
      try store.write { transaction in
        let shelf = Shelf(value: ["id": 1, "title": "a"])
        shelf.items.append(objectsIn: items)
        shelf.numbers.append(objectsIn: 0..<numbers)
        shelf.texts.append(objectsIn: (0..<texts).map { $0 % 7 == 0 ? nil : "text \($0)" })
        for index in 0..<parts { shelf.parts.append(ShelfPart(value: ["text": "part \(index)"])) }
        shelf.chosen.insert(objectsIn: items)
        shelf.words.insert(objectsIn: (0..<words).map { "word \($0)" } + [long, long + "er", ""])
        for index in 0..<entries { shelf.named["name \(index)"] = index % 5 == 0 ? .some(nil) : items[index] }
        shelf.values[long] = -1
        for index in 0..<entries { shelf.values["value \(index)"] = index }
        try transaction.add(shelf)
      }
      store.reopen()
      func check(_ shelf: Shelf) {
        #expect(shelf.items.map(\.id) == Array(0..<links))
        #expect(Array(shelf.numbers) == Array(0..<numbers))
        #expect(Array(shelf.texts) == (0..<texts).map { $0 % 7 == 0 ? nil : "text \($0)" })
        #expect(shelf.parts.map(\.text) == (0..<parts).map { "part \($0)" })
        #expect(Set(shelf.chosen.map(\.id)) == Set(0..<links) && shelf.chosen.count == links)
        #expect(shelf.words.count == words + 3 && shelf.words.contains(long) && shelf.words.contains(""))
        #expect(!shelf.words.contains(long + "e"))
        #expect(shelf.named.count == entries && shelf.named["name 6"]??.id == 6)
        #expect(shelf.named["name 5"].map { $0 == nil } == true && shelf.named["none"] == nil)
        #expect(shelf.values.count == entries + 1 && shelf.values[long] == -1)
        #expect(shelf.values["value 77"] == 77 && shelf.values.keys.count == entries + 1)
      }
      check(try store.shelf(1))
      try store.read { check(try #require(try $0.object(ofType: Shelf.self, forPrimaryKey: 1))) }
      try store.write { check(try #require(try $0.object(ofType: Shelf.self, forPrimaryKey: 1))) }
      try store.write { transaction in
        let shelf = try #require(try transaction.object(ofType: Shelf.self, forPrimaryKey: 1))
        while shelf.items.count > 3 { shelf.items.removeLast() }
        shelf.numbers.removeAll()
        shelf.texts.removeAll { $0 != nil }
        while shelf.parts.count > 2 { shelf.parts.remove(at: 1) }
        for item in Array(shelf.chosen) where item.id > 4 { shelf.chosen.remove(item) }
        for word in Array(shelf.words) where word != long { shelf.words.remove(word) }
        for name in shelf.named.keys where name != "name 6" { shelf.named.removeObject(for: name) }
        for name in shelf.values.keys where name != long { shelf.values[name] = nil }
      }
      store.reopen()
      let shelf = try store.shelf(1)
      #expect(shelf.items.map(\.id) == [0, 1, 2] && shelf.numbers.isEmpty)
      #expect(shelf.texts.count == (texts + 6) / 7 && shelf.texts.allSatisfy { $0 == nil })
      #expect(shelf.parts.map(\.text) == ["part 0", "part \(parts - 1)"])
      #expect(Set(shelf.chosen.map(\.id)) == Set(0...4) && Array(shelf.words) == [long])
      #expect(shelf.named.keys == ["name 6"] && shelf.values.dictionary == [long: -1])
    }
  }

  @Test("deleting targets and owners", arguments: TypedPlace.allCases)
  func deleting(place: TypedPlace) throws {
    try ShelfStore.with(place) { store in
      let count = TestEffort.count(1_200, more: 2_000)
      let items = items(count)
      try store.write { transaction in
        for id in 1...2 {
          let shelf = Shelf(value: ["id": id])
          shelf.items.append(objectsIn: items)
          shelf.items.append(objectsIn: items.prefix(100))
          shelf.chosen.insert(objectsIn: items)
          for item in items { shelf.named["\(item.id)"] = item }
          try transaction.add(shelf, update: .all)
        }
      }
      expectWhole(store.store())
      try store.write { transaction in
        let shelf = try #require(try transaction.object(ofType: Shelf.self, forPrimaryKey: 1))
        #expect(shelf.items.count == count + 100)
        let fifth = shelf.items[5]
        // The item is in the list twice: the first removal leaves the backlink.
        shelf.items.remove(at: count + 5)
        #expect(fifth.shelves.count == 2)
        shelf.items.remove(at: 5)
        #expect(fifth.shelves.count == 1)
        try transaction.delete(shelf.items[7])
        #expect(shelf.items.count == count + 96 && shelf.chosen.count == count - 1)
        #expect(shelf.named["8"].map { $0 == nil } == true)
      }
      expectWhole(store.store())
      try store.write { try $0.delete(ofType: ShelfItem.self, forPrimaryKeys: [1, count - 1]) }
      let shelf = try store.shelf(2)
      #expect(shelf.items.count == count + 95 && shelf.chosen.count == count - 3)
      store.reopen()
      try store.write { try $0.delete(ofType: Shelf.self, forPrimaryKeys: [1]) }
      expectWhole(store.store())
      #expect(try store.shelf(2).items.count == count + 95)
      try store.write { try $0.deleteAll(Shelf.self) }
      expectWhole(store.store())
      #expect(try store.count(ShelfItem.self) == count - 3)
    }
  }

  @Test("an aborted write leaves them as they were", arguments: TypedPlace.allCases)
  func aborted(place: TypedPlace) throws {
    struct Refused: Error {}
    try ShelfStore.with(place) { store in
      try store.write { transaction in
        let shelf = Shelf(value: ["id": 1])
        shelf.numbers.append(objectsIn: 0..<3_000)
        try transaction.add(shelf)
      }
      var kept: Shelf?
      #expect(throws: Refused.self) {
        try store.write { transaction in
          let shelf = try #require(try transaction.object(ofType: Shelf.self, forPrimaryKey: 1))
          shelf.numbers.remove(at: 0)
          shelf.numbers.append(objectsIn: 0..<1_000)
          shelf.items.append(objectsIn: items(1_200))
          kept = shelf
          throw Refused()
        }
      }
      #expect(kept?.numbers.count == 3_000)
      #expect(Array(try store.shelf(1).numbers) == Array(0..<3_000))
    }
  }

  @Test("copies of an owner", arguments: TypedPlace.allCases)
  func copies(place: TypedPlace) throws {
    try ShelfStore.with(place) { store in
      try store.write { transaction in
        let shelf = Shelf(value: ["id": 1])
        shelf.numbers.append(objectsIn: 0..<3_000)
        try transaction.add(shelf)
      }
      // The list was not changed: that of the copy is the stored one.
      let first = try store.shelf(1)
      first.title = "changed"
      try store.write { try $0.add(first, update: .all) }
      #expect(try store.shelf(1).title == "changed")
      #expect(try store.shelf(1).numbers.count == 3_000)
      // Another owner gets elements of its own.
      let second = try store.shelf(1)
      second.id = 2
      try store.write { try $0.add(second) }
      let third = try store.shelf(2)
      third.numbers.removeAll()
      third.numbers.append(7)
      try store.write { try $0.add(third, update: .modified) }
      #expect(Array(try store.shelf(2).numbers) == [7])
      #expect(Array(try store.shelf(1).numbers) == Array(0..<3_000))
      // A copy that was touched is what it was, whatever becomes of the original.
      let old = try store.shelf(1)
      #expect(old.numbers.count == 3_000)
      try store.write { try $0.deleteAll(Shelf.self) }
      #expect(old.numbers[2_999] == 2_999)
      try store.write { try $0.add(old) }
      #expect(Array(try store.shelf(1).numbers) == Array(0..<3_000))
    }
  }

  @Test("queries and readers without classes see the elements", arguments: TypedPlace.allCases)
  func readers(place: TypedPlace) throws {
    try ShelfStore.with(place) { store in
      try store.write { transaction in
        let shelf = Shelf(value: ["id": 1])
        shelf.items.append(objectsIn: items(1_500))
        shelf.numbers.append(objectsIn: 0..<1_500)
        for index in 0..<1_500 { shelf.values["v\(index)"] = index }
        try transaction.add(shelf)
        try transaction.add(Shelf(value: ["id": 2]))
      }
      try store.read { snapshot in
        #expect(snapshot.objects(Shelf.self).where { $0.items.count > 1_000 }.map(\.id) == [1])
        #expect(snapshot.objects(Shelf.self).where { $0.items.count == 0 }.map(\.id) == [2])
        #expect(snapshot.objects(Shelf.self).where { $0.numbers.contains(1_499) }.map(\.id) == [1])
        #expect(snapshot.objects(Shelf.self).where { $0.numbers.contains(1_500) }.isEmpty)
        #expect(snapshot.objects(Shelf.self).where { $0.items.name == "item 77" }.map(\.id) == [1])
        #expect(snapshot.objects(Shelf.self).where { $0.values["v3"] == 3 }.map(\.id) == [1])
        #expect(snapshot.objects(Shelf.self).where { $0.numbers.max == 1_499 }.map(\.id) == [1])
      }
      guard case .inStorage = store.realmMemoryType else { return }
      let directory = try #require(store.store().directory)
      store.close()
      let dynamic = try DynamicStore(directory: directory)
      defer { dynamic.close() }
      try dynamic.read { snapshot in
        let shelf = try #require(try snapshot.object(ofType: "Shelf", forKey: 1))
        #expect((shelf["numbers"] as? [Any?])?.count == 1_500 && (shelf["items"] as? [Any?])?.count == 1_500)
        #expect((shelf["values"] as? [String: Any?])?.count == 1_500)
        #expect(try shelf.json().contains("\"v1499\":1499"))
      }
    }
  }

  @Test("what a query has followed from a large list it follows from others", arguments: TypedPlace.allCases)
  func followedAgain(place: TypedPlace) throws {
    try ShelfStore.with(place) { store in
      let items = items(TestEffort.count(1_200, more: 1_600))
      var expected = [[Int]](repeating: [], count: 10)
      try store.write { transaction in
        try transaction.add(items)
        for id in 0..<TestEffort.count(9, more: 24) {
          let shelf = Shelf(value: ["id": id])
          let chosen = id % 3 == 0 ? Array(items.shuffled()) : [items[id % 10], items[(id + 3) % 10]]
          for item in chosen where item.id < 10 { expected[item.id].append(id) }
          shelf.items.append(objectsIn: chosen)
          try transaction.add(shelf)
        }
      }
      try store.read { snapshot in
        for item in items.prefix(10) {
          let found = snapshot.objects(Shelf.self).filter("ANY items == %@", item)
          #expect(found.map(\.id) == expected[item.id])
          let again = try snapshot.object(ofType: ShelfItem.self, forPrimaryKey: item.id)
          #expect(again?.shelves.map(\.id) == expected[item.id])
        }
      }
    }
  }

  @Test("very many elements")
  func million() throws {
    let count = TestEffort.count(130_000, more: 1_000_000)
    try ShelfStore.with(.memory) { store in
      try store.write { try $0.add(Shelf(value: ["id": 1])) }
      for batch in 0..<4 {
        try store.write { transaction in
          let shelf = try #require(try transaction.object(ofType: Shelf.self, forPrimaryKey: 1))
          shelf.numbers.append(objectsIn: (batch * count / 4)..<((batch + 1) * count / 4))
        }
      }
      try store.write { transaction in
        let shelf = try #require(try transaction.object(ofType: Shelf.self, forPrimaryKey: 1))
        #expect(shelf.numbers.count == count && shelf.numbers[count / 9 * 7] == count / 9 * 7)
        shelf.numbers.insert(-1, at: count / 2)
        shelf.numbers.move(from: count / 2, to: 3)
        #expect(shelf.numbers[3] == -1 && shelf.numbers[count / 2 + 1] == count / 2)
        shelf.numbers.remove(at: 3)
      }
      try store.read { snapshot in
        let shelf = try #require(try snapshot.object(ofType: Shelf.self, forPrimaryKey: 1))
        #expect(shelf.numbers[123_456] == 123_456 && shelf.numbers.last == count - 1)
      }
    }
  }
}
