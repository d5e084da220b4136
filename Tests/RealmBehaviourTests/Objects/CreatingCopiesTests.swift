import FiefRealm
import FiefTesting
import Foundation
import Testing

/// `create` with objects: those of the store are linked to, all others are copied.
struct CreatingCopiesTests {
  private func dog() -> MadeDog {
    let dog = MadeDog(value: ["id": 1, "name": "Rex", "words": ["x"]])
    dog.favourite = MadeToy(value: ["name": "ball", "price": 5])
    dog.toys.append(MadeToy(value: ["name": "bone"]))
    dog.toys.append(MadeToy(value: ["name": "rope"]))
    dog.toySet.insert(MadeToy(value: ["name": "stick"]))
    dog.toysByName["k"] = MadeToy(value: ["name": "ring"])
    dog.friend = MadeDog(value: ["id": 2, "name": "Pluto"])
    dog.friend?.friend = dog
    dog.tag = MadeTag("one")
    dog.tag?.next = MadeTag("two")
    dog.tag?.inner.append(MadeTag("three"))
    dog.tags.append(MadeTag("four"))
    return dog
  }

  private func expectWhole(_ dog: MadeDog) {
    #expect(dog.name == "Rex" && dog.favourite?.price == 5 && dog.toys.map(\.name) == ["bone", "rope"])
    #expect(dog.toySet.map(\.name) == ["stick"] && dog.toysByName["k"]??.name == "ring")
    #expect(dog.friend?.name == "Pluto" && dog.friend?.friend?.name == "Rex" && Array(dog.words) == ["x"])
    #expect(dog.tag?.text == "one" && dog.tag?.next?.text == "two")
    #expect(dog.tag?.inner.map(\.text) == ["three"] && dog.tags.map(\.text) == ["four"])
  }

  @Test(arguments: StoreKind.allCases) func ofAnObjectInNoStore(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      let original = dog()
      try store.write {
        let copy = store.create(MadeDog.self, value: original)
        #expect(copy !== original && copy.favourite !== original.favourite && copy.tag !== original.tag)
        expectWhole(copy)
        // The original is in no store: what is assigned to it stays there.
        original.name = "changed"
        original.favourite?.price = 0
        original.tag?.text = "changed"
      }
      expectWhole(try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1)))
      #expect(store.objects(MadeDog.self).count == 2 && store.objects(MadeToy.self).count == 5)
      #expect(original.name == "changed" && original.tag?.text == "changed")
      // A second copy has the same keys.
      #expect(throws: FiefError.self) { try store.write { store.create(MadeDog.self, value: original) } }
    }
  }

  @Test(arguments: StoreKind.allCases) func ofAnObjectOfAnotherStore(_ kind: StoreKind) throws {
    try withMadeStore(kind) { other in
      try other.write { other.add(dog()) }
      let original = try #require(other.object(ofType: MadeDog.self, forPrimaryKey: 1))
      try withMadeStore(kind) { store in
        try store.write {
          // The same keys, with other values.
          store.create(MadeToy.self, value: ["name": "ball", "price": 1])
          expectWhole(store.create(MadeDog.self, value: original, update: .all))
        }
        expectWhole(try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1)))
        try store.write {
          let toys = Array(other.objects(MadeToy.self).sorted(byKeyPath: "name").prefix(2))
          let values: [String: Any] = ["id": 3, "friend": original, "toys": toys]
          let made = store.create(MadeDog.self, value: values, update: .modified)
          #expect(made.friend?.tag?.next?.text == "two" && made.toys.map(\.name) == ["ball", "bone"])
        }
        #expect(store.objects(MadeDog.self).count == 3)
      }
      #expect(other.objects(MadeDog.self).count == 2)
      expectWhole(original)
    }
  }

  @Test(arguments: StoreKind.allCases) func withoutPrimaryKeys(_ kind: StoreKind) throws {
    try withMadeStore(kind) { other in
      try other.write {
        let note = other.create(
          MadeNote.self,
          value: ["text": "a", "notes": [["text": "b"], ["text": "c"]]]
        )
        note.notes.append(note)
      }
      let original = try #require(other.objects(MadeNote.self).where { $0.text == "a" }.first)
      try withMadeStore(kind) { store in
        try store.write {
          store.create(MadeNote.self, value: ["text": "there before"])
          let copy = store.create(MadeNote.self, value: original)
          #expect(copy.notes.map(\.text) == ["b", "c", "a"] && copy.notes.last === copy)
        }
        #expect(Set(store.objects(MadeNote.self).map(\.text)) == ["there before", "a", "b", "c"])
        #expect(store.objects(MadeNote.self).count == 4)
        // A copy of an object of the store itself: linked objects stay where they are.
        let own = try #require(store.objects(MadeNote.self).where { $0.text == "a" }.first)
        try store.write {
          let copy = store.create(MadeNote.self, value: own)
          #expect(copy !== own && copy.notes.map(\.text) == ["b", "c", "a"])
          #expect(copy.notes.last?.hasSameKey(as: own) == true)
        }
        #expect(store.objects(MadeNote.self).count == 5)
      }
    }
  }

  @Test(arguments: StoreKind.allCases) func linksToObjectsOfTheStore(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      try store.write { store.create(MadeToy.self, value: ["name": "ball", "price": 5]) }
      let toy = try #require(store.objects(MadeToy.self).first)
      try store.write {
        let dog = store.create(MadeDog.self, value: ["id": 1, "favourite": toy, "toys": [toy]])
        #expect(dog.favourite?.price == 5 && dog.toys.map(\.name) == ["ball"])
        let live = try #require(store.objects(MadeToy.self).first)
        store.create(MadeDog.self, value: ["id": 2, "favourite": live])
        live.price = 6
        #expect(dog.favourite?.price == 6)
      }
      #expect(store.objects(MadeToy.self).map(\.price) == [6])
      #expect(store.objects(MadeDog.self).compactMap { $0.favourite?.price } == [6, 6])
    }
  }

  @Test(arguments: StoreKind.allCases) func embeddedObjectsOfOthers(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      try store.write {
        let first = store.create(
          MadeDog.self,
          value: ["id": 1, "tag": ["text": "a"], "tags": [["text": "b"]]]
        )
        let tag = try #require(first.tag)
        let second = store.create(MadeDog.self, value: ["id": 2, "tag": tag, "tags": first.tags])
        #expect(second.tag?.text == "a" && second.tag !== tag && second.tags.map(\.text) == ["b"])
        second.tag?.text = "changed"
        #expect(tag.text == "a")
        let new = MadeTag("new")
        store.create(MadeDog.self, value: ["id": 3, "tag": new])
        new.text = "no more"
      }
      #expect(store.objects(MadeDog.self).compactMap { $0.tag?.text } == ["a", "changed", "new"])
    }
  }

  @Test func objectsAmongTheValuesStayWhatTheyAre() throws {
    try withMadeStore(.inMemory) { store in
      let toy = MadeToy(value: ["name": "ball"])
      try store.write {
        let dog = store.create(MadeDog.self, value: ["id": 1, "favourite": toy, "toysByName": ["k": toy]])
        #expect(dog.favourite !== toy && dog.toysByName["k"]??.hasSameKey(as: toy) == true)
        toy.price = 5
      }
      #expect(store.objects(MadeToy.self).map(\.price) == [0])
    }
  }
}
