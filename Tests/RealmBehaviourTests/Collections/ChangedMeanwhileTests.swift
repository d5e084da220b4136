import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Lists that were read before the store changed.
struct ChangedMeanwhileTests {
  private func toys(_ names: String...) -> [MadeToy] { names.map { MadeToy(value: ["name": $0]) } }

  /// Calls a closure with a store whose dog 1 has the toys a, b and c, and with that dog.
  private func withDog(_ kind: StoreKind, _ body: (Store, MadeDog) throws -> Void) throws {
    try withMadeStore(kind) { store in
      try store.write {
        let dog = store.create(MadeDog.self, value: ["id": 1])
        dog.toys.append(objectsIn: toys("a", "b", "c"))
        store.create(MadeDog.self, value: ["id": 2])
      }
      let dog = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
      #expect(dog.toys.count == 3)
      try body(store, dog)
    }
  }

  private func stored(_ store: Store, _ id: Int = 1) -> [String] {
    store.object(ofType: MadeDog.self, forPrimaryKey: id)?.toys.map(\.name) ?? []
  }

  @Test(arguments: StoreKind.allCases) func whatStandsForAGoneObjectIsNotSaved(_ kind: StoreKind) throws {
    try withDog(kind) { store, dog in
      try store.write {
        store.delete(try #require(store.object(ofType: MadeToy.self, forPrimaryKey: "a")))
        store.create(MadeToy.self, value: ["name": "", "price": 7])
      }
      let frozen = try store.objects(MadeDog.self).where { $0.id == 2 }.fetchFrozen()
      try store.write { store.delete(try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 2))) }
      withExpectedEvents {
        // In a write the list would not have it.
        let gone = dog.toys[0]
        #expect(throws: FiefError.self) {
          try store.write {
            try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1)).toys.append(gone)
          }
        }
        #expect(throws: FiefError.self) { try store.write { try $0.add(frozen[0], update: .all) } }
      }
      #expect(store.object(ofType: MadeToy.self, forPrimaryKey: "")?.price == 7)
      #expect(stored(store) == ["b", "c"] && store.objects(MadeDog.self).count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases) func sortingKeepsEachElementOnce(_ kind: StoreKind) throws {
    try withDog(kind) { store, dog in
      try store.write { store.delete(try #require(store.object(ofType: MadeToy.self, forPrimaryKey: "a"))) }
      dog.toys.sort { $0.name > $1.name }
      #expect(dog.toys.map(\.name) == ["c", "b"] && dog.toys.count == 3)
      dog.toys.reverse()
      #expect(dog.toys.map(\.name) == ["b", "c"] && dog.toys.last?.name == "c")
    }
  }

  @Test(arguments: StoreKind.allCases) func ordersAreThoseOfTheStoredList(_ kind: StoreKind) throws {
    try withDog(kind) { store, dog in
      try store.write {
        let other = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
        other.toys.append(objectsIn: toys("e", "d"))
        other.toys.remove(at: 0)
      }
      try store.write { dog.toys.sort { $0.name > $1.name } }
      #expect(stored(store) == ["e", "d", "c", "b"])
      try store.write { dog.toys.reverse() }
      #expect(stored(store) == ["b", "c", "d", "e"])
      try store.write {
        #expect(dog.toys.partition { $0.name < "d" } == 2)
        #expect(dog.toys.map(\.name) == ["d", "e", "b", "c"])
        dog.toys.shuffle()
      }
      #expect(Set(stored(store)) == ["b", "c", "d", "e"] && stored(store).count == 4)
    }
  }

  @Test(arguments: StoreKind.allCases) func whatIsRemovedIsReturned(_ kind: StoreKind) throws {
    try withDog(kind) { store, dog in
      try store.write {
        let other = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
        other.toys.remove(at: 0)
        other.toys.append(objectsIn: toys("d", "e"))
      }
      try store.write {
        let first: MadeToy = dog.toys.removeFirst()
        let last: MadeToy = dog.toys.removeLast()
        let middle: MadeToy = dog.toys.remove(at: 1)
        #expect([first.name, last.name, middle.name] == ["b", "e", "d"])
      }
      #expect(stored(store) == ["c"])
    }
  }

  @Test(arguments: StoreKind.allCases) func anIndexThatIsGoneFailsTheWrite(_ kind: StoreKind) throws {
    try withDog(kind) { store, dog in
      try store.write { try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1)).toys.removeLast() }
      let error = #expect(throws: FiefError.self) {
        try store.write {
          for index in 0..<3 { dog.toys[index] = MadeToy(value: ["name": "new \(index)"]) }
        }
      }
      #expect(error?.code == .invalidValue && error?.type == "MadeDog" && error?.property == "toys")
      #expect(stored(store) == ["a", "b"])
      try store.write { dog.name = "joined" }
      #expect(throws: FiefError.self) { try store.write { dog.name = dog.toys[2].name } }
      #expect(store.objects(MadeDog.self).where { $0.name == "joined" }.count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases) func rangesAreThoseOfTheStoredList(_ kind: StoreKind) throws {
    try withDog(kind) { store, dog in
      try store.write {
        try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1)).toys.append(
          objectsIn: toys("d", "e")
        )
      }
      try store.write { dog.toys.removeSubrange(1...) }
      #expect(stored(store) == ["a"])
      try withExpectedEvents {
        try store.write {
          dog.toys.removeSubrange(5...)
          dog.toys.removeSubrange(...(-3))
          dog.toys.removeSubrange(0...Int.max)
          dog.toys.replaceSubrange(..<7, with: toys("x"))
          dog.toys.insert(contentsOf: toys("x"), at: 2)
          dog.toys.replace(index: 1, object: try #require(toys("x").first))
        }
      }
      #expect(stored(store) == ["a"])
    }
  }

  @Test(arguments: StoreKind.allCases) func sumsOfListsChangeNoList(_ kind: StoreKind) throws {
    try withDog(kind) { store, dog in
      try store.write {
        dog.name = "joined"
        #expect((dog.toys + toys("d")).map(\.name) == ["a", "b", "c", "d"])
        #expect((dog.toys + dog.toys).count == 6)
      }
      #expect(stored(store) == ["a", "b", "c"] && dog.toys.count == 3)
    }
  }

  @Test(arguments: StoreKind.allCases) func aListOfAnObjectWithAnotherKeyIsNotThatOfTheKey(_ kind: StoreKind)
    throws
  {
    try withDog(kind) { store, _ in
      var dog = store.object(ofType: MadeDog.self, forPrimaryKey: 1)
      dog?.id = 2
      let held = dog?.toys
      dog = nil
      #expect(throws: FiefError.self) { try store.write { held?.append(try #require(toys("d").first)) } }
      #expect(stored(store) == ["a", "b", "c"] && stored(store, 2) == [])
    }
  }

  @Test(arguments: StoreKind.allCases) func aLinkThatWasReadStaysInPartialSaves(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      try store.write { store.create(MadeHouse.self, value: ["id": 1]) }
      let house = try #require(store.objects(MadeHouse.self).first)
      #expect(house.dog?.text == "default" && house.tag?.text == "default")
      house.street = "changed"
      try store.write { try $0.add(house, update: .modified) }
      #expect(house.dog?.text == "default" && house.tag?.text == "default")
      house.street = "again"
      try store.write { try $0.add(house, update: .all) }
      let found = try #require(store.objects(MadeHouse.self).first)
      #expect(found.dog?.text == "default" && found.tag?.text == "default" && found.street == "again")
    }
  }
}
