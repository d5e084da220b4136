import FiefRealm
import FiefTesting
import Foundation
import Testing

@Suite("Questions to collections of no store")
struct PlainCollectionQueryTests {
  private static func holder() -> CollectionHolder {
    let holder = CollectionHolder()
    let cats = [CollectionCat("b", 2), CollectionCat("a", 1), CollectionCat("c", 3)]
    holder.cats.append(objectsIn: cats)
    holder.catSet.insert(objectsIn: cats)
    for cat in cats { holder.catMap[cat.name] = cat }
    return holder
  }

  private func check<Cats: ObjectCollection>(_ cats: Cats) where Cats.Member == CollectionCat {
    #expect(cats.filter("age > 1").map(\.name).sorted() == ["b", "c"])
    #expect(cats.filter("name = %@ OR age = %@", "a", 3).count == 2)
    #expect(cats.where { $0.age == 2 }.first?.name == "b")
    #expect(cats.filter(#Predicate { $0.age < 2 }).count == 1)
    #expect(cats.sorted(byKeyPath: "name").map(\.age) == [1, 2, 3])
    #expect(cats.sorted(byKeyPath: \.name, ascending: false).map(\.age) == [3, 2, 1])
    #expect(cats.sorted(byKeyPath: "age").index(matching: { $0.name == "b" }) == 1)
    #expect(cats.sorted(byKeyPath: "age").freeze().map(\.name) == ["a", "b", "c"])
    #expect(cats.filter("age > 7").isEmpty && cats.filter("age > 7").first == nil)
    #expect(cats.sorted(byKeyPath: "age")[1].name == "b")
    #expect(cats.filter("age > 1").sum(of: \.age) == 5)
  }

  @Test("lists, sets and maps compute")
  func computes() {
    let holder = Self.holder()
    check(holder.cats)
    check(holder.catSet)
    check(holder.catMap)
    check(List(Array(holder.cats)))
    #expect(holder.cats.index(matching: "age = 3") == 2)
    #expect(holder.cats.index(matching: { $0.name == "a" }) == 1)
    #expect(List<CollectionCat>().filter("age > 1").isEmpty)
  }

  @Test("what is found are the objects of the collection, in its order and as often as they are there")
  func identity() throws {
    let (first, second) = (CollectionCat("a", 1), CollectionCat("b", 2))
    let list = List([second, first, second])
    let found = list.filter("age > 0")
    #expect(found.map { ObjectIdentifier($0) } == [second, first, second].map { ObjectIdentifier($0) })
    #expect(found.first === second && found.last === second && found[1] === first)
    #expect(found.freeze()[1] === first)
    #expect(found.index(of: first) == 1 && found.contains(first))
    #expect(found.index(of: CollectionCat("a", 1)) == nil)
    let cat = try #require(found.first)
    cat.age = 9
    #expect(second.age == 9 && first.realm == nil)
    // The found objects are those of the moment of the query.
    list.removeAll()
    #expect(found.count == 3 && list.filter("age > 0").isEmpty)
  }

  @Test("in a write of a store, with objects that it is about to get", arguments: StoreKind.allCases)
  func inWrite(kind: StoreKind) throws {
    let store = try StoreFixture(
      TestRepository(
        objectTypes: [CollectionHolder.self, CollectionCat.self],
        embedded: [CollectionToy.self]
      ),
      kind
    )
    try store.write { write in
      let holder = Self.holder()
      let oldest = try #require(holder.cats.sorted(byKeyPath: "age").last)
      try write.add(oldest)
      #expect(holder.cats.filter("age = 3").first === oldest)
    }
    #expect(try store.objects(CollectionCat.self).map(\.name) == ["c"])
  }

  @Test("through links and collections of the objects")
  func links() {
    let (first, second) = (Self.holder(), CollectionHolder())
    second.int.append(4)
    let list = List([first, second])
    #expect(list.filter("ANY cats.age > 2").count == 1)
    #expect(list.where { $0.int.contains(4) }.first === second)
    #expect(list.filter("cats.@count = 0").first === second)
  }

  @Test("an object of a store that is in no link of theirs is found in none", arguments: StoreKind.allCases)
  func otherObjects(kind: StoreKind) throws {
    let store = try StoreFixture(TestRepository(objectTypes: [CollectionCat.self], embedded: []), kind)
    try store.write { try $0.add(CollectionCat("a", 1)) }
    let stored = try #require(try store.objects(CollectionCat.self).first)
    let list = List([Self.holder()])
    #expect(list.filter("ANY cats = %@", stored).isEmpty)
    #expect(!Self.holder().cats.filter("age > 0").contains(stored))
  }

  @Test("what cannot be asked is reported", .freshStores)
  func reported() {
    let list = Self.holder().cats
    let events = withExpectedEvents { #expect(list.filter("nothing = 1").isEmpty) }
    #expect(!events.isEmpty)
  }

  @Test("observing is an error")
  func observed() async {
    let changes = Self.holder().cats.filter("age > 1").changes()
    await #expect(throws: FiefError.self) { for try await _ in changes {} }
  }

  @Test(
    "an object of a store without a primary key is found where they link it",
    arguments: StoreKind.allCases
  )
  func storedObjects(kind: StoreKind) throws {
    let store = try StoreFixture(TestRepository(objectTypes: [CollectionCat.self], embedded: []), kind)
    try store.write { try $0.add(["a", "b"].map { CollectionCat($0, 1) }) }
    let cats = try store.objects(CollectionCat.self)
    let (first, second) = (try #require(cats.first), try #require(cats.last))
    let holder = CollectionHolder()
    holder.cats.append(objectsIn: [first, CollectionCat("new", 1)])
    let list = List([Self.holder(), holder])
    #expect(list.filter("ANY cats = %@", first).first === holder)
    #expect(list.filter("ANY cats = %@", try #require(cats.first)).count == 1)
    #expect(list.where { $0.cats.contains(first) }.count == 1)
    #expect(list.filter("ANY cats IN %@", [first, second]).count == 1)
    #expect(list.filter("ANY cats = %@", second).isEmpty)
    #expect(holder.cats.filter("age = 1").contains(try #require(cats.first)))
    #expect(holder.cats.filter("age = 1").index(of: try #require(cats.first)) == 0)
    #expect(!holder.cats.filter("age = 1").contains(second))
  }

  @Test("to name an object without a key is reported", .freshStores)
  func unsavedObject() {
    let holder = Self.holder()
    let events = withExpectedEvents {
      #expect(List([holder]).filter("ANY cats = %@", holder.cats[0]).isEmpty)
    }
    #expect(!events.isEmpty)
  }

  @Test("embedded objects of lists compute, and are those of the list")
  func embedded() throws {
    let holder = CollectionHolder()
    let toys = [CollectionToy(2), CollectionToy(1), CollectionToy(3)]
    holder.toys.append(objectsIn: toys)
    for list in [holder.toys, List(toys)] {
      #expect(list.filter("price > 1").map(\.price) == [2, 3])
      #expect(list.where { $0.price < 3 }.count == 2)
      #expect(list.filter(#Predicate { $0.price == 1 }).first === toys[1])
      #expect(
        list.sorted(byKeyPath: "price").map { ObjectIdentifier($0) }
          == [1, 0, 2].map { ObjectIdentifier(toys[$0]) }
      )
      #expect(list.sorted(byKeyPath: \.price, ascending: false).last === toys[1])
      #expect(list.sum(of: \.price) == 6 && list.average(of: \.price) == 2)
      #expect(list.min(of: \.price) == 1 && list.max(of: \.price) == 3)
      #expect(list.filter("price > 7").isEmpty && list.filter("price > 7").first == nil)
    }
    #expect(List<CollectionToy>().filter("price > 1").isEmpty)
  }

  @Test("embedded objects are asked about what they lead to, also those of maps")
  func embeddedLinks() throws {
    let toy = MadeToy(value: ["name": "ball", "price": 7])
    let tags = [MadeTag("a"), MadeTag("b")]
    tags[1].toy = toy
    tags[1].next = MadeTag("c")
    tags[0].inner.append(MadeTag("d"))
    let list = List(tags)
    #expect(list.filter("toy.price = 7").first === tags[1])
    #expect(list.filter("next.text = 'c'").first === tags[1])
    #expect(list.filter("ANY inner.text = 'd'").first === tags[0])
    #expect(list.filter("toy = %@", toy).count == 1)
    let map = Map<String, MadeTag?>()
    (map["x"], map["y"], map["z"]) = (tags[1], tags[0], .some(nil))
    #expect(map.where { $0.text == "a" }.first === tags[0])
    #expect(map.filter("text != 'q'").map(\.text) == ["b", "a"])
    #expect(map.sorted(byKeyPath: "text").map(\.text) == ["a", "b"] && map.max(of: \.text) == "b")
  }
}
