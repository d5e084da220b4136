import FiefRealm
import FiefTesting
import Foundation
import Testing

@Suite("Questions to collections of objects as Realm has them")
struct CollectionQueryBehaviourTests {
  private struct Unexpected: Error {}

  private static func store(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    let store = try StoreFixture(
      TestRepository(
        objectTypes: [CollectionHolder.self, CollectionCat.self],
        embedded: [CollectionToy.self]
      ),
      kind
    )
    let holder = CollectionHolder()
    let cats = [CollectionCat("b", 2), CollectionCat("a", 1), CollectionCat("c", 3)]
    holder.cats.append(objectsIn: cats)
    holder.catSet.insert(objectsIn: cats)
    for cat in cats { holder.catMap[cat.name] = cat }
    holder.toys.append(objectsIn: [CollectionToy(2), CollectionToy(1)])
    try store.write { try $0.add(holder) }
    return store
  }

  private func check<Cats: ObjectCollection>(_ cats: @autoclosure () throws -> Cats) throws
  where Cats.Member == CollectionCat {
    #expect(try cats().filter("age > 1").map(\.name).sorted() == ["b", "c"])
    #expect(try cats().filter("name = %@ OR age = %@", "a", 3).count == 2)
    #expect(try cats().where { $0.age == 2 }.first?.name == "b")
    #expect(try cats().filter(#Predicate { $0.age < 2 }).count == 1)
    #expect(try cats().filter("age IN %@", [1, 2]).count == 2)
    #expect(try cats().sorted(byKeyPath: "name").map(\.age) == [1, 2, 3])
    #expect(try cats().sorted(byKeyPath: \.name, ascending: false).map(\.age) == [3, 2, 1])
    #expect(try cats().distinct(by: \.name).count == 3)
    #expect(try cats().min(of: \.age) == 1 && cats().max(of: \.age) == 3)
    #expect(try cats().sum(of: \.age) == 6 && cats().average(of: \.age) == 2)
    #expect(try cats().min(ofProperty: "age") == 1 && cats().max(ofProperty: "age") == 3)
    #expect(try cats().sum(ofProperty: "age") == 6 && cats().average(ofProperty: "age") == 2)
    #expect(try cats().sorted(byKeyPath: "age").index(matching: { $0.name == "b" }) == 1)
  }

  @Test("collections of an object in a store, held or not", arguments: StoreKind.allCases)
  func stored(kind: StoreKind) throws {
    let store = try Self.store(kind)
    let holder = try #require(try store.objects(CollectionHolder.self).first)
    try check(holder.cats)
    try check(holder.catSet)
    try check(holder.catMap)
    // Nothing holds the object here.
    try check(try #require(try store.objects(CollectionHolder.self).first?.cats))
    try check(try #require(try store.objects(CollectionHolder.self).first?.catSet))
    try check(try #require(try store.objects(CollectionHolder.self).first?.catMap))
    #expect(try store.objects(CollectionHolder.self).first?.cats.index(matching: { $0.name == "c" }) == 2)
    #expect(try store.objects(CollectionHolder.self).first?.cats.index(matching: "age == 1") == 1)
    #expect(try store.objects(CollectionHolder.self).first?.toys.where { $0.price > 1 }.count == 1)
    #expect(try store.objects(CollectionHolder.self).first?.cats.filter("age > 2").first?.name == "c")
  }

  @Test("a collection that nothing holds the object of is changed in a write", arguments: StoreKind.allCases)
  func written(kind: StoreKind) throws {
    let store = try Self.store(kind)
    let cats = try #require(try store.objects(CollectionHolder.self).first?.cats)
    let toys = try #require(try store.objects(CollectionHolder.self).first?.toys)
    try store.write { _ in
      cats.append(CollectionCat("d", 4))
      toys.removeAll()
    }
    let holder = try #require(try store.objects(CollectionHolder.self).first)
    #expect(holder.cats.map(\.name) == ["b", "a", "c", "d"] && holder.toys.isEmpty)
    #expect(cats == holder.cats && cats.sum(of: \.age) == 10)
  }

  @Test("a change outside of a write that nothing can save is reported")
  func unwritten() throws {
    let store = try Self.store(.inMemory)
    let cats = try #require(try store.objects(CollectionHolder.self).first?.cats)
    let events = withExpectedEvents { cats.removeLast() }
    #expect(events.first?.failure?.code == .objectNotFound && events.count == 1)
    withExpectedEvents { #expect(cats.filter("age > 0").isEmpty) }
  }

  @Test("aggregates of collections in no store")
  func unstored() {
    let holder = CollectionHolder()
    #expect(holder.cats.min(of: \.age) == nil && holder.cats.sum(of: \.age) == 0)
    #expect(holder.cats.average(of: \.age) == nil)
    let cats = [CollectionCat("b", 2), CollectionCat("a", 1), CollectionCat("c", 3)]
    holder.cats.append(objectsIn: cats)
    holder.catSet.insert(objectsIn: cats)
    for cat in cats { holder.catMap[cat.name] = cat }
    func check<Cats: ObjectCollection>(_ cats: Cats) where Cats.Member == CollectionCat {
      #expect(cats.min(of: \.age) == 1 && cats.max(of: \.name) == "c")
      #expect(cats.sum(of: \.age) == 6 && cats.average(of: \.age) == 2)
      #expect(cats.min(ofProperty: "age") == 1 && cats.max(ofProperty: "name") == "c")
      #expect(cats.sum(ofProperty: "age") == 6 && cats.average(ofProperty: "age") == 2)
    }
    check(holder.cats)
    check(holder.catSet)
    check(holder.catMap)
    check(List(cats))
  }

  @Test("an observation of key paths counts changes of these alone", arguments: StoreKind.allCases)
  func observed(kind: StoreKind) async throws {
    let store = try Self.store(kind)
    let changes = try #require(try store.objects(CollectionHolder.self).first).cats
      .changes(keyPaths: [\.name]).makeAsyncIterator()
    guard case .initial = try await changes.next() else { throw Unexpected() }
    try Self.change(store)
    guard case .update(let cats, let deletions, let insertions, let modifications) = try await changes.next()
    else { throw Unexpected() }
    #expect(deletions.isEmpty && insertions == [3] && modifications == [1] && cats.count == 4)
  }

  private static func change(_ store: StoreFixture<TestRepository>) throws {
    let cats = try #require(try store.objects(CollectionHolder.self).first?.cats)
    try store.write { _ in
      cats[0].age = 7
      cats[1].name = "new"
      cats.append(CollectionCat("d"))
    }
  }
}
