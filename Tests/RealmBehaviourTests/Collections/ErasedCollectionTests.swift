import FiefRealm
import FiefTesting
import Foundation
import Testing

@Suite("Collections whose type is hidden")
struct ErasedCollectionTests {
  private static func store(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    let store = try StoreFixture(
      TestRepository(
        objectTypes: [CollectionHolder.self, CollectionCat.self],
        embedded: [CollectionToy.self]
      ),
      kind
    )
    let holder = CollectionHolder()
    let cats = ["a", "b", "c", "d"].enumerated().map { CollectionCat($1, $0 + 1) }
    holder.cats.append(objectsIn: cats)
    holder.catSet.insert(objectsIn: cats)
    holder.int.append(objectsIn: 0..<3_000)
    holder.intSet.insert(objectsIn: 0..<3_000)
    try store.write { try $0.add(holder) }
    return store
  }

  @Test(
    "an element has the place that it has in the list, where another one is gone",
    arguments: StoreKind.allCases
  )
  func places(kind: StoreKind) throws {
    let store = try Self.store(kind)
    let holder = try #require(try store.objects(CollectionHolder.self).first)
    try store.write { try $0.delete($0.objects(CollectionCat.self).filter("name = 'b'")) }
    let cats = AnyRealmCollection(holder.cats)
    #expect(cats.count == 4 && cats.first?.name == "a" && cats.last?.name == "d")
    #expect(cats[2].name == "c" && cats[3].name == "d")
    // The object is gone, or the place is beyond the ends.
    for place in [1, 4, -1] {
      let events = withExpectedEvents { #expect(cats[place].realm == nil && cats[place].name == "") }
      #expect(!events.isEmpty)
    }
    #expect(cats.map(\.name) == ["a", "c", "d"])
    let set = AnyRealmCollection(holder.catSet)
    #expect(set.count == 4 && set.map(\.name).sorted() == ["a", "c", "d"])
    var names: [String] = []
    let events = withExpectedEvents {
      for place in 0..<4 where set[place].realm != nil { names.append(set[place].name) }
    }
    #expect(names.sorted() == ["a", "c", "d"] && !events.isEmpty)
  }

  @Test("elements of long collections", arguments: StoreKind.allCases)
  func long(kind: StoreKind) throws {
    let store = try Self.store(kind)
    func check(_ holder: CollectionHolder) {
      let (list, set) = (AnyRealmCollection(holder.int), AnyRealmCollection(holder.intSet))
      #expect(list[2_500] == 2_500 && list.last == 2_999 && list[3_000] == nil)
      #expect(set.count == 3_000 && set[3_000] == nil && set.last != nil)
      #expect(Set([0, 700, 1_500, 2_999].compactMap { set[$0] }).count == 4)
    }
    check(try #require(try store.objects(CollectionHolder.self).first))
    try store.read { check(try #require($0.objects(CollectionHolder.self).first)) }
    try store.write { check(try #require($0.objects(CollectionHolder.self).first)) }
  }

  @Test("it is asked as what it was made of", arguments: StoreKind.allCases)
  func asked(kind: StoreKind) throws {
    let store = try Self.store(kind)
    let holder = try #require(try store.objects(CollectionHolder.self).first)
    let plain = List(["x", "y"].map { CollectionCat($0, 2) })
    let stored = [
      AnyRealmCollection(holder.cats), AnyRealmCollection(holder.catSet),
      AnyRealmCollection(try store.objects(CollectionCat.self)),
    ]
    for cats in stored {
      #expect(cats.filter("age > 2").count == 2 && cats.where { $0.name == "a" }.count == 1)
      #expect(cats.sorted(byKeyPath: "age", ascending: false).first?.name == "d")
      #expect(cats.sum(of: \.age) == 10 && cats.average(of: \.age) == 2.5)
      #expect(cats.realm == holder.realm && !cats.isInvalidated && cats._unstoredMembers == nil)
      #expect((cats.value(forKey: "name") as? [String])?.sorted() == ["a", "b", "c", "d"])
      #expect(cats.value(forKeyPath: "@max.age") as? Int == 4)
    }
    #expect(AnyRealmCollection(holder.cats).index(of: holder.cats[2]) == 2)
    let hidden = AnyRealmCollection(plain)
    #expect(hidden._unstoredMembers?.count == 2 && hidden.realm == nil)
    #expect(hidden.sum(of: \.age) == 4 && hidden.filter("name = 'y'").first === plain[1])
    hidden.setValue(5, forKey: "age")
    #expect(plain.map(\.age) == [5, 5] && hidden.index(of: plain[1]) == 1)
    #expect(AnyRealmCollection(List([1, 2])).description == "[1, 2]")
    let cats = AnyRealmCollection(holder.cats)
    try store.write { try $0.delete($0.objects(CollectionHolder.self)) }
    let results = AnyRealmCollection(try store.objects(CollectionCat.self))
    #expect(cats.isInvalidated && !results.isInvalidated)
  }

  @Test("it is observed", arguments: StoreKind.allCases)
  func observed(kind: StoreKind) async throws {
    let store = try Self.store(kind)
    let holder = try #require(try store.objects(CollectionHolder.self).first)
    let changes = AnyRealmCollection(holder.cats).changes().makeAsyncIterator()
    guard case .initial(let cats)? = try await changes.next() else {
      Issue.record("The first change is not the collection.")
      return
    }
    #expect(cats.map(\.name) == ["a", "b", "c", "d"])
    try await store.write { try $0.delete($0.objects(CollectionCat.self).filter("name = 'b'")) }
    guard case .update(let after, let deletions, _, _)? = try await changes.next() else {
      Issue.record("The second change is none.")
      return
    }
    #expect(after.count == 3 && deletions == [1])
  }
}
