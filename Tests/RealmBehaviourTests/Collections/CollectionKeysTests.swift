import FiefRealm
import FiefTesting
import Foundation
import Testing

@Suite("Keys, stores and ends of collections as Realm has them")
struct CollectionKeysTests {
  private static func store(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    let store = try StoreFixture(
      TestRepository(
        objectTypes: [CollectionHolder.self, CollectionCat.self],
        embedded: [CollectionToy.self]
      ),
      kind
    )
    let holder = CollectionHolder()
    holder.cats.append(objectsIn: [CollectionCat("a", 1), CollectionCat("b", 2)])
    holder.int.append(objectsIn: [3, 4])
    holder.intMap["x"] = 1
    try store.write { try $0.add(holder) }
    return store
  }

  @Test("the values of a property by its name", arguments: CollectionSetting.allCases)
  func values(setting: CollectionSetting) throws {
    try setting.with { holder in
      let cats = [CollectionCat("a", 1), CollectionCat("b", 2)]
      holder.cats.append(objectsIn: cats)
      holder.catSet.insert(objectsIn: cats)
      holder.int.append(objectsIn: [3, 4])
      holder.optionalIntSet.insert(nil)
      holder.intMap["x"] = 1
      #expect(holder.cats.value(forKey: "name") as? [String] == ["a", "b"])
      #expect((holder.catSet.value(forKey: "age") as? [Int])?.sorted() == [1, 2])
      #expect(holder.int.value(forKey: "self") as? [Int] == [3, 4])
      #expect(holder.optionalIntSet.value(forKey: "self") as? [Int?] == [nil])
      holder.cats.setValue(7, forKey: "age")
      #expect(holder.cats.map(\.age) == [7, 7])
      holder.intMap.setValue(5, forKey: "y")
      #expect(holder.intMap.value(forKey: "y") == 5 && holder.intMap.value(forKey: "z") == nil)
      holder.intMap.setValue(nil, forKey: "x")
      #expect(holder.intMap.keys == ["y"])
    } then: { holder in
      #expect(holder.cats.map(\.age) == [7, 7] && holder.intMap.keys == ["y"])
    }
  }

  @Test("a name that is none is reported, and values that do not fit are", arguments: StoreKind.allCases)
  func misuse(kind: StoreKind) throws {
    let store = try Self.store(kind)
    let holder = try #require(try store.objects(CollectionHolder.self).first)
    let events = withExpectedEvents {
      #expect(holder.cats.value(forKey: "nothing").isEmpty)
      #expect(holder.int.value(forKey: "length").isEmpty)
      holder.cats.setValue("text", forKey: "age")
    }
    #expect(events.count == 3 && holder.cats.map(\.age) == [1, 2])
  }

  @Test("results and their objects by names", arguments: StoreKind.allCases)
  func results(kind: StoreKind) throws {
    let store = try Self.store(kind)
    let cats = try store.objects(CollectionCat.self)
    #expect(cats.value(forKey: "name") as? [String] == ["a", "b"])
    try store.write { _ in cats.setValue("same", forKey: "name") }
    #expect(cats.map(\.name) == ["same", "same"])
  }

  @Test("a collection has the store of its object, and ends with it", arguments: StoreKind.allCases)
  func ends(kind: StoreKind) throws {
    let store = try Self.store(kind)
    let plain = CollectionHolder()
    #expect(plain.cats.realm == nil && !plain.cats.isInvalidated && !List<Int>().isInvalidated)
    let holder = try #require(try store.objects(CollectionHolder.self).first)
    let (cats, ints, map, set) = (holder.cats, holder.int, holder.intMap, holder.catSet)
    let left = try #require(try store.objects(CollectionHolder.self).first?.cats)
    #expect(cats.realm == holder.realm && map.realm != nil && left.realm != nil)
    #expect(![cats.isInvalidated, ints.isInvalidated, map.isInvalidated, left.isInvalidated].contains(true))
    try store.write { write in
      try write.delete(try #require(write.objects(CollectionHolder.self).first))
    }
    #expect(cats.isInvalidated && ints.isInvalidated && map.isInvalidated && set.isInvalidated)
    #expect(left.isInvalidated)
  }

  @Test("a map takes every key, with dots and dollar signs", arguments: CollectionSetting.allCases)
  func mapKeys(setting: CollectionSetting) throws {
    try setting.with { holder in
      for key in ["", "a.b", "$a", "a$b"] { holder.intMap[key] = 1 }
    } then: { holder in
      #expect(holder.intMap.keys == ["", "$a", "a$b", "a.b"])
    }
  }

  @Test("a map as pairs, and the place of a value in a list", arguments: CollectionSetting.allCases)
  func names(setting: CollectionSetting) throws {
    try setting.with { holder in
      holder.intMap.merge(["b": 2, "a": 1])
      holder.int.append(objectsIn: [3, 4, 5])
      holder.catMap["none"] = .some(nil)
    } then: { holder in
      var keys: [String] = []
      for (key, value) in holder.intMap.asKeyValueSequence() { keys.append("\(key)\(value)") }
      #expect(keys == ["a1", "b2"])
      #expect(holder.int.index(matching: { $0 > 3 }) == 1 && holder.int.index(matching: { $0 > 5 }) == nil)
      #expect(holder.catMap.keys == ["none"] && holder.catMap["none"] == .some(nil))
    }
  }

  @Test(
    "a write that puts an embedded object into a list again fails",
    arguments: StoreKind.allCases
  )
  func embeddedTwice(kind: StoreKind) throws {
    let store = try Self.store(kind)
    try store.write { write in
      let holder = try #require(write.objects(CollectionHolder.self).first)
      holder.toys.append(CollectionToy(1))
    }
    let error = #expect(throws: FiefError.self) {
      try store.write { write in
        let holder = try #require(write.objects(CollectionHolder.self).first)
        holder.toys.append(holder.toys[0])
      }
    }
    #expect(error?.code == .embeddedObjectHasOwner)
    #expect(try store.objects(CollectionHolder.self).first?.toys.map(\.price) == [1])
    try store.write { write in
      let holder = try #require(write.objects(CollectionHolder.self).first)
      holder.toys[0] = CollectionToy(5)
    }
    #expect(try store.objects(CollectionHolder.self).first?.toys.map(\.price) == [5])
  }

  @Test("maps are asked by their keys and values, and lose deleted objects", arguments: StoreKind.allCases)
  func mapQueries(kind: StoreKind) throws {
    let store = try Self.store(kind)
    #expect(try store.objects(CollectionHolder.self).filter("ANY intMap.@allKeys = 'x'").count == 1)
    #expect(try store.objects(CollectionHolder.self).filter("ANY intMap.@allKeys = 'y'").isEmpty)
    #expect(try store.objects(CollectionHolder.self).filter("ANY intMap.@allValues = 1").count == 1)
    try store.write { write in
      let holder = try #require(write.objects(CollectionHolder.self).first)
      let cat = try #require(write.objects(CollectionCat.self).first)
      holder.catMap["cat"] = cat
      #expect(holder.catMap.filter("age = 1").first == cat)
      try write.delete(cat)
      #expect((holder.catMap["cat"] ?? nil) == nil)
    }
    #expect(try store.objects(CollectionHolder.self).first?.catMap.results.count == 0)
  }

  @Test(
    "a set takes results, and the values of collections by the name of their property",
    arguments: StoreKind.allCases
  )
  func setOfResults(kind: StoreKind) throws {
    let store = try Self.store(kind)
    try store.write { write in
      let holder = try #require(write.objects(CollectionHolder.self).first)
      holder.catSet.insert(objectsIn: write.objects(CollectionCat.self))
      holder.catSet.insert(objectsIn: write.objects(CollectionCat.self))
    }
    let holders = try store.objects(CollectionHolder.self)
    let sets = try #require(holders.value(forKey: "catSet") as? [MutableSet<CollectionCat>])
    #expect(sets.map { Set($0.map(\.name)) } == [["a", "b"]])
    #expect((holders.value(forKey: "intMap") as? [Map<String, Int>]) == [["x": 1]])
    #expect(!MutableSet<Int?>().contains(nil))
  }
}
