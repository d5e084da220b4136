import FiefRealm
import FiefTesting
import Foundation
import Testing

@Suite("Key paths and operators of collections")
struct KeyPathValueTests {
  @Test("the operators of key-value coding", arguments: CollectionSetting.allCases)
  func operators(setting: CollectionSetting) throws {
    try setting.with { holder in
      let cats = [CollectionCat("b", 1), CollectionCat("a", 3), CollectionCat("b", 2)]
      holder.cats.append(objectsIn: cats)
      holder.catSet.insert(objectsIn: cats)
      holder.int.append(objectsIn: [4, 6])
      holder.optionalInt.append(objectsIn: [nil, 5])
    } then: { holder in
      let cats = holder.cats
      #expect(cats.value(forKeyPath: "@count") as? Int == 3)
      #expect(cats.value(forKeyPath: "@max.age") as? Int == 3)
      #expect(cats.value(forKeyPath: "@min.name") as? String == "a")
      #expect(cats.value(forKeyPath: "@sum.age") as? Int == 6)
      #expect(cats.value(forKeyPath: "@avg.age") as? Double == 2)
      #expect(cats.value(forKeyPath: "@unionOfObjects.name") as? [String] == ["b", "a", "b"])
      #expect(cats.value(forKeyPath: "@distinctUnionOfObjects.name") as? [String] == ["b", "a"])
      #expect(cats.value(forKeyPath: "age") as? [Int] == [1, 3, 2])
      #expect(holder.catSet.value(forKeyPath: "@sum.age") as? Int == 6)
      #expect(holder.int.value(forKeyPath: "@sum.self") as? Int == 10)
      #expect(holder.optionalInt.value(forKeyPath: "@max.self") as? Int == 5)
      #expect(holder.optionalInt.value(forKeyPath: "@avg.self") as? Double == 5)
      #expect(List<CollectionCat>().value(forKeyPath: "@max.age") == nil)
      #expect(List<CollectionCat>().value(forKeyPath: "@sum.age") as? Int == 0)
      #expect(List<CollectionCat>().value(forKeyPath: "@avg.age") == nil)
    }
  }

  @Test("through links, of results and of inverses", arguments: StoreKind.allCases)
  func links(kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      try store.write {
        let toy = MadeToy(value: ["name": "ball", "price": 7])
        store.add(toy)
        for id in 1...3 {
          let dog = store.create(MadeDog.self, value: ["id": id, "toys": [toy]] as [String: Any])
          dog.favourite = id == 2 ? nil : toy
        }
      }
      let dogs = store.objects(MadeDog.self)
      #expect(dogs.value(forKeyPath: "favourite.price") as? [Int] == [7, 7])
      #expect(dogs.value(forKeyPath: "@sum.favourite.price") as? Int == 14)
      let toy = try #require(store.objects(MadeToy.self).first)
      #expect(toy.owners.value(forKeyPath: "@max.id") as? Int == 3)
      #expect(toy.owners.realm == toy.realm && !toy.owners.isInvalidated)
      try store.write { store.delete(store.objects(MadeToy.self)) }
      #expect(toy.owners.isInvalidated)
    }
  }

  @Test("what there is not is reported", .freshStores)
  func unknown() {
    let cats = List([CollectionCat("a", 1)])
    let events = withExpectedEvents {
      #expect(cats.value(forKeyPath: "nothing") == nil)
      #expect(cats.value(forKeyPath: "@nothing.age") == nil)
      #expect(cats.value(forKeyPath: "@sum.name") == nil)
      #expect(cats.value(forKeyPath: "name.length") == nil)
    }
    #expect(events.count == 4)
  }
}
