import FiefRealm
import FiefTesting
import Foundation
import Testing

/// The properties of a stored object that a dictionary, an array or a document does not name.
struct PartialUpdateTests {
  private func withDog(_ kind: StoreKind, _ body: (Store, MadeDog) throws -> Void) throws {
    try withMadeStore(kind) { store in
      let toy: [String: Any] = ["name": "ball", "price": 5, "maker": "Ann"]
      let values: [String: Any] = [
        "id": 1, "name": "Rex", "age": 3, "favourite": toy, "toys": [toy, ["name": "bone", "price": 7]],
        "friend": ["id": 2, "name": "Pluto", "age": 9], "tag": ["text": "tag"], "tags": [["text": "a"]],
        "words": ["x", "y"], "toysByName": ["b": toy], "toySet": [toy],
      ]
      try store.write { store.create(MadeDog.self, value: values, update: .all) }
      try body(store, try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1)))
    }
  }

  private func expectRest(_ dog: MadeDog, name: String = "Rex") {
    #expect(dog.name == name && dog.favourite?.price == 5 && dog.favourite?.maker == "Ann")
    #expect(dog.toys.map(\.name) == ["ball", "bone"] && dog.toySet.count == 1)
    #expect(dog.friend?.name == "Pluto" && dog.tag?.text == "tag" && dog.tags.map(\.text) == ["a"])
    #expect(Array(dog.words) == ["x", "y"] && dog.toysByName.count == 1)
  }

  @Test(arguments: StoreKind.allCases) func aDictionary(_ kind: StoreKind) throws {
    try withDog(kind) { store, _ in
      for (age, update) in [(4, UpdatePolicy.all), (5, .modified)] {
        try store.write {
          let dog = store.create(MadeDog.self, value: ["id": 1, "age": age], update: update)
          #expect(dog.age == age)
          expectRest(dog)
          // Live from here on.
          dog.name = "live \(age)"
        }
        let dog = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
        #expect(dog.age == age)
        expectRest(dog, name: "live \(age)")
        try store.write { dog.name = "Rex" }
      }
      #expect(store.objects(MadeDog.self).count == 2 && store.objects(MadeToy.self).count == 2)
    }
  }

  @Test(arguments: StoreKind.allCases) func anArray(_ kind: StoreKind) throws {
    try withDog(kind) { store, dog in
      try store.write { store.create(MadeDog.self, value: [1, "Idefix"], update: .all) }
      let found = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
      #expect(found.age == 3)
      expectRest(found, name: "Idefix")
    }
  }

  @Test(arguments: StoreKind.allCases) func nestedValues(_ kind: StoreKind) throws {
    try withDog(kind) { store, _ in
      let values: [String: Any] = [
        "id": 1, "favourite": ["name": "ball", "price": 6], "friend": ["id": 2, "friend": ["id": 1]],
        "toys": [["name": "bone", "maker": "Bob"], ["name": "rope"]],
      ]
      try store.write { store.create(MadeDog.self, value: values, update: .all) }
      let dog = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
      #expect(dog.name == "Rex" && dog.age == 3 && dog.favourite?.price == 6 && dog.favourite?.maker == "Ann")
      #expect(dog.friend?.name == "Pluto" && dog.friend?.age == 9 && dog.friend?.friend?.id == 1)
      #expect(dog.toys.map(\.name) == ["bone", "rope"] && dog.toys.map(\.price) == [7, 0])
      #expect(dog.toys.first?.maker == "Bob")
    }
  }

  /// A nested embedded object has no key: it replaces the former one.
  @Test(arguments: StoreKind.allCases) func nestedEmbeddedObjects(_ kind: StoreKind) throws {
    try withDog(kind) { store, _ in
      try store.write {
        store.create(MadeDog.self, value: ["id": 1, "tag": ["next": ["text": "n"]]], update: .all)
      }
      let dog = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
      #expect(dog.tag?.text == "" && dog.tag?.next?.text == "n" && dog.name == "Rex")
    }
  }

  @Test(arguments: StoreKind.allCases) func anObjectHasAllProperties(_ kind: StoreKind) throws {
    try withDog(kind) { store, _ in
      try store.write {
        store.create(MadeDog.self, value: MadeDog(value: ["id": 1, "age": 8]), update: .all)
      }
      let dog = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
      #expect(dog.name == "no name" && dog.age == 8 && dog.favourite == nil && dog.toys.isEmpty)
      // The same holds for an object that is nested in values.
      let toy = MadeToy(value: ["name": "ball", "price": 1])
      try store.write { store.create(MadeDog.self, value: ["id": 1, "favourite": toy], update: .all) }
      let changed = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
      #expect(changed.age == 8 && changed.favourite?.price == 1 && changed.favourite?.maker == nil)
      try store.write { store.add(MadeDog(value: ["id": 1]), update: .all) }
      #expect(store.object(ofType: MadeDog.self, forPrimaryKey: 1)?.age == 0)
    }
  }

  @Test(arguments: StoreKind.allCases) func adding(_ kind: StoreKind) throws {
    try withDog(kind) { store, _ in
      try store.write { store.add(MadeDog(value: ["id": 1, "age": 8]), update: .assigned) }
      let dog = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
      #expect(dog.age == 8)
      expectRest(dog)
      // As in Realm, an object of no store is compared as a whole.
      try store.write { store.add(MadeDog(value: ["id": 1, "age": 9]), update: .modified) }
      let replaced = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 1))
      #expect(replaced.age == 9 && replaced.name == "no name")
      #expect(replaced.favourite == nil && replaced.toys.isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases) func errorRefusesNestedKeysThatExist(_ kind: StoreKind) throws {
    try withDog(kind) { store, _ in
      let error = try #require(throws: FiefError.self) {
        try store.write { transaction in
          _ = try transaction.create(MadeDog.self, value: ["id": 3, "favourite": ["name": "ball"]])
        }
      }
      #expect(error.code == .duplicatePrimaryKey && error.type == "MadeToy")
      #expect(store.objects(MadeDog.self).count == 2)
    }
  }

  @Test(arguments: StoreKind.allCases) func aDocument(_ kind: StoreKind) throws {
    let types: [Object.Type] = [MadeToy.self, MadeDog.self, MadeNote.self]
    let pets = try StoreFixture(TestRepository("made", objectTypes: types), kind)
    func save(_ text: String, _ update: UpdatePolicy) throws {
      try pets.saveAndWait(saveClass: MadeDog.self, jsonData: Data(text.utf8), update: update)
    }
    try save(#"{"id": 1, "name": "Rex", "age": 3, "favourite": {"name": "ball", "price": 5}}"#, .error)
    for update in [UpdatePolicy.all, .modified] {
      let document = #"[{"id": 1, "age": 4, "favourite": {"name": "ball", "maker": "Ann"}}, {"id": 2}]"#
      try save(document, update)
      let dog = try #require(pets.store().object(ofType: MadeDog.self, forPrimaryKey: 1))
      #expect(dog.name == "Rex" && dog.age == 4 && dog.favourite?.price == 5)
      #expect(dog.favourite?.maker == "Ann")
      try save(#"{"id": 1, "favourite": null}"#, update)
      #expect(pets.store().object(ofType: MadeDog.self, forPrimaryKey: 1)?.favourite == nil)
      try save(#"{"id": 1, "favourite": "ball"}"#, update)
      #expect(pets.store().object(ofType: MadeDog.self, forPrimaryKey: 1)?.favourite?.price == 5)
    }
    #expect(pets.store().object(ofType: MadeDog.self, forPrimaryKey: 2)?.name == "no name")
    pets.end()
  }
}
