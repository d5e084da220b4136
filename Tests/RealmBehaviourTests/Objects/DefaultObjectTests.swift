import FiefRealm
import FiefTesting
import Testing

/// Links and embedded objects for which the class has a default.
struct DefaultObjectTests {
  @Test(arguments: StoreKind.allCases) func aNewObjectHasTheDefault(_ kind: StoreKind) throws {
    #expect(MadeHouse().dog?.text == "default" && MadeHouse().tag?.text == "default")
    try withMadeStore(kind) { store in
      try store.write {
        store.add(MadeHouse())
        store.create(MadeHouse.self, value: ["id": 1])
      }
      let houses = store.objects(MadeHouse.self)
      #expect(houses.map { $0.dog?.text } == ["default", "default"])
      #expect(houses.map { $0.tag?.text } == ["default", "default"])
      #expect(store.objects(MadeNote.self).count == 2)
    }
  }

  @Test(arguments: StoreKind.allCases) func whatIsStoredAsNilReadsAsNil(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      try store.write {
        let house = MadeHouse()
        house.dog = nil
        house.tag = nil
        store.add(house)
        store.create(MadeHouse.self, value: ["id": 1, "dog": nil, "tag": nil] as [String: Any?])
        let other = store.create(MadeHouse.self, value: ["id": 2])
        other.dog = nil
        other.tag = nil
      }
      #expect(store.objects(MadeNote.self).count == 1)
      let found = store.objects(MadeHouse.self)
      #expect(found.allSatisfy { $0.dog == nil && $0.tag == nil })
      #expect(found.where { $0.dog == nil }.count == 3)
      try store.write {
        for house in store.objects(MadeHouse.self) {
          #expect(house.dog == nil && house.tag == nil)
          house.street = "changed"
        }
      }
      #expect(store.objects(MadeNote.self).count == 1)
      let house = try #require(store.object(ofType: MadeHouse.self, forPrimaryKey: 1))
      #expect(house.dog == nil && house.tag == nil && house.street == "changed")
      #expect(house.detached().dog == nil && house.detached().tag == nil)
      #expect(MadeHouse(value: house).dog == nil)
    }
  }

  @Test(arguments: StoreKind.allCases) func whatIsStoredTakesThePlaceOfTheDefault(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      try store.write {
        store.create(MadeHouse.self, value: ["id": 1, "dog": ["text": "own"], "tag": ["text": "own"]])
      }
      let house = try #require(store.objects(MadeHouse.self).first)
      #expect(house.dog?.text == "own" && house.tag?.text == "own")
      try store.write {
        house.tag?.text = "changed"
        store.delete(store.objects(MadeNote.self))
      }
      #expect(store.objects(MadeHouse.self).first?.tag?.text == "changed")
      #expect(store.objects(MadeHouse.self).first?.dog == nil)
      #expect(store.objects(MadeNote.self).count == 0)
    }
  }

  @Test(arguments: StoreKind.allCases) func anUpdateLeavesWhatItDoesNotName(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      try store.write {
        store.create(MadeHouse.self, value: ["id": 1, "dog": nil, "tag": ["text": "own"]] as [String: Any?])
        for update in [UpdatePolicy.all, .modified] {
          let house = store.create(MadeHouse.self, value: ["id": 1, "street": "new"], update: update)
          #expect(house.dog == nil && house.tag?.text == "own" && house.street == "new")
        }
      }
      #expect(store.objects(MadeNote.self).count == 0)
    }
  }

  @Test(arguments: StoreKind.allCases) func aPartialSaveThatIsUndoneLeavesTheDefault(_ kind: StoreKind) throws
  {
    try withMadeStore(kind) { store in
      try store.write {
        store.create(MadeHouse.self, value: ["id": 1, "dog": nil, "tag": nil] as [String: Any?])
        store.create(MadeHouse.self, value: ["id": 2, "dog": ["text": "own"]] as [String: Any?])
      }
      for id in 1...2 {
        let house = MadeHouse()
        house.id = id
        house.street = "new"
        #expect(throws: CancellationError.self) {
          try store.write {
            store.add(house, update: .assigned)
            throw CancellationError()
          }
        }
        #expect(house.dog?.text == "default" && house.tag?.text == "default" && house.street == "new")
        house.id = id + 10
        try store.write { store.add(house) }
        let saved = try #require(store.object(ofType: MadeHouse.self, forPrimaryKey: id + 10))
        #expect(saved.dog?.text == "default" && saved.tag?.text == "default")
      }
      #expect(store.objects(MadeNote.self).count == 3)
    }
  }
}
