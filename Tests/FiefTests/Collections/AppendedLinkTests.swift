import Fief
import Testing

final class KeyedItem: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var size = 0

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

final class KeyedShelf: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var items: List<KeyedItem>
  @Persisted var maybe: List<KeyedItem?>
}

/// Links that are appended to short lists, and what a rollback leaves of the objects of a write.
@Suite("Appended links")
struct AppendedLinkTests {
  private struct Failure: Error {}

  /// A key; every third one takes two bytes for its length.
  private static func name(_ number: Int) -> String {
    "\(number)" + String(repeating: "x", count: number % 3 == 0 ? 150 : number % 7)
  }

  private func filled(_ place: TypedPlace, _ body: (ShelfStore) throws -> Void) throws {
    try ShelfStore.with(place, [KeyedShelf.self, KeyedItem.self]) { store in
      try store.write { write in
        let shelf = KeyedShelf()
        for number in 0..<20 {
          let item = KeyedItem(Self.name(number))
          shelf.items.append(item)
          shelf.maybe.append(number % 4 == 0 ? nil : item)
        }
        try write.add(shelf)
      }
      try body(store)
    }
  }

  private func check(_ store: ShelfStore, _ names: [String], maybe: [String?]) throws {
    let shelf = try #require(store.store().object(ofType: KeyedShelf.self, forPrimaryKey: 0))
    #expect(shelf.items.map(\.name) == names)
    #expect(shelf.maybe.map { $0?.name } == maybe)
  }

  @Test("stand behind links that were read, changed or not touched", arguments: TypedPlace.allCases)
  func order(place: TypedPlace) throws {
    try filled(place) { store in
      var names = (0..<20).map { Self.name($0) }
      var maybe = (0..<20).map { $0 % 4 == 0 ? nil : Self.name($0) }
      for round in 0..<3 {
        try store.write { write in
          let shelf = try #require(try write.object(ofType: KeyedShelf.self, forPrimaryKey: 0))
          // Two links are read, and one of their objects changes.
          _ = shelf.items[4 + round]
          shelf.items[9 + round].size += 1
          let known = try #require(try write.object(ofType: KeyedItem.self, forPrimaryKey: Self.name(2)))
          let new = KeyedItem(Self.name(100 + round))
          for item in [known, new] {
            shelf.items.append(item)
            shelf.maybe.append(item)
            #expect(write.objects(KeyedShelf.self).count == 1)
          }
          shelf.maybe.append(nil)
          names += [known.name, new.name]
          maybe += [known.name, new.name, nil]
          #expect(shelf.items.map(\.name) == names)
        }
        try check(store, names, maybe: maybe)
      }
      store.reopen()
      try check(store, names, maybe: maybe)
      for place in 9..<12 {
        #expect(store.object(ofType: KeyedItem.self, forPrimaryKey: names[place])?.size == 1)
      }
    }
  }

  @Test("to objects that were deleted meanwhile are dropped", arguments: TypedPlace.allCases)
  func deleted(place: TypedPlace) throws {
    try filled(place) { store in
      let held = try #require(store.store().object(ofType: KeyedShelf.self, forPrimaryKey: 0))
      #expect(held.items.count == 20 && held.maybe.count == 20)
      let gone = [3, 4, 11]
      try store.deleteAndWait(ofType: KeyedItem.self, forPrimaryKeys: gone.map { Self.name($0) })
      held.items.append(KeyedItem("z"))
      try store.write { try $0.add(held, update: .all) }
      // The fourth element of the other list was nil before.
      let maybe = (0..<20).filter { !gone.contains($0) || $0 % 4 == 0 }
      try check(
        store,
        (0..<20).filter { !gone.contains($0) }.map { Self.name($0) } + ["z"],
        maybe: maybe.map { $0 % 4 == 0 ? nil : Self.name($0) }
      )
    }
  }

  @Test("a rollback leaves the objects of the write with the stored values", arguments: TypedPlace.allCases)
  func rollBack(place: TypedPlace) throws {
    try filled(place) { store in
      var held: [KeyedItem] = []
      try? store.write { write in
        held = try (0..<5).map {
          try #require(try write.object(ofType: KeyedItem.self, forPrimaryKey: Self.name($0)))
        }
        held[1].size = 1
        held[2].size = 2
        #expect(write.objects(KeyedItem.self).where { $0.size > 0 }.count == 2)
        // Stored again as it was, and changed without a flush.
        held[2].size = 0
        held[3].size = 3
        _ = write.objects(KeyedItem.self).count
        held[4].size = 4
        throw Failure()
      }
      #expect(held.map(\.size) == [0, 0, 0, 0, 0] && held.map(\.name) == (0..<5).map { Self.name($0) })
      try store.write { _ in for (index, item) in held.enumerated() { item.size = 10 + index } }
      for (index, item) in held.enumerated() {
        #expect(store.object(ofType: KeyedItem.self, forPrimaryKey: item.name)?.size == 10 + index)
      }
    }
  }
}
