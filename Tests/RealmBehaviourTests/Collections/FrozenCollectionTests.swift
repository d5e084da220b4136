import FiefRealm
import FiefTesting
import Foundation
import TestEffort
import Testing

@Suite("Frozen collections, and collections as a whole")
struct FrozenCollectionTests {
  private static func store(_ kind: StoreKind, _ count: Int = 3) throws -> StoreFixture<TestRepository> {
    let store = try StoreFixture(
      TestRepository(
        objectTypes: [CollectionHolder.self, CollectionCat.self],
        embedded: [CollectionToy.self]
      ),
      kind
    )
    let holder = CollectionHolder()
    let cats = (0..<count).map { CollectionCat("\($0)", $0) }
    holder.cats.append(objectsIn: cats)
    holder.catSet.insert(objectsIn: cats)
    for cat in cats { holder.catMap[cat.name] = cat }
    try store.write { try $0.add(holder) }
    return store
  }

  private static func holder(_ store: StoreFixture<TestRepository>) throws -> CollectionHolder {
    try #require(try store.objects(CollectionHolder.self).first)
  }

  @Test("what is frozen stays as it is", arguments: StoreKind.allCases)
  func frozen(kind: StoreKind) throws {
    let store = try Self.store(kind)
    let holder = try Self.holder(store)
    let all = [
      holder.cats.freeze(), holder.catSet.freeze(), holder.catMap.freeze(),
      AnyRealmCollection(holder.cats).freeze(),
    ]
    #expect(!holder.cats.isFrozen && !holder.int.isFrozen && !holder.catMap.isFrozen)
    try store.write { write in
      write.objects(CollectionCat.self).first?.name = "changed"
      let live = try #require(write.objects(CollectionHolder.self).first)
      live.cats.removeLast()
    }
    #expect(all.allSatisfy { $0.isFrozen && $0.count == 3 })
    #expect(all.map { $0.thaw()?.count } == [2, 3, 3, 2])
    #expect(all.allSatisfy { $0.allSatisfy { $0.name != "changed" && $0.isFrozen } })
    #expect(List([CollectionCat("x", 1)]).freeze().map(\.name) == ["x"])
  }

  @Test("sections of objects that no store has, by a closure")
  func sections() {
    let cats = List([CollectionCat("a", 1), CollectionCat("b", 2), CollectionCat("c", 3)])
    let sections = cats.results.sectioned(by: { $0.age % 2 })
    #expect(sections.map(\.key) == [1, 0])
    #expect(sections.map { $0.map(\.name) } == [["a", "c"], ["b"]])
    #expect(sections.freeze().map { $0.map(\.name) } == [["a", "c"], ["b"]])
  }

  @Test("results of a class that is a value have objects of that class only", arguments: StoreKind.allCases)
  func classes(kind: StoreKind) throws {
    let store = try Self.store(kind)
    let type: Object.Type = CollectionCat.self
    let cats = try store.objects(type)
    let cat = try #require(cats.last)
    let holder = try Self.holder(store)
    #expect(cats.contains(cat) && cats.index(of: cat) == 2 && cats.freeze().index(of: cat) == 2)
    // The holder's key is that of a cat.
    #expect(!cats.contains(holder) && cats.index(of: holder) == nil && cats.freeze().index(of: holder) == nil)
    let sections = cats.sectioned(by: { ($0 as? CollectionCat)?.name ?? "" })
    #expect(
      sections.map(\.key) == ["0", "1", "2"]
        && sections.map { $0.map { $0["age"] as? Int } } == [[0], [1], [2]]
    )
  }

  @Test("values of results are assigned in a write, or that is reported", arguments: StoreKind.allCases)
  func assigned(kind: StoreKind) throws {
    let store = try Self.store(kind)
    let cats = try store.objects(CollectionCat.self)
    let events = withExpectedEvents {
      cats.setValue("lost", forKey: "name")
      AnyRealmCollection(cats).setValue("lost", forKey: "name")
    }
    #expect(events.count == 2 && cats.map(\.name) == ["0", "1", "2"])
    try store.write { _ in AnyRealmCollection(cats).setValue("all", forKey: "name") }
    #expect(cats.map(\.name) == ["all", "all", "all"])
  }

  @Test("every other element of a long list is removed", arguments: StoreKind.allCases)
  func removing(kind: StoreKind) throws {
    // A list of 1,200 links is not in its object's record.
    let count = TestEffort.count(kind == .encrypted ? 1_200 : 300, more: 1_200)
    let limit = count / 4 * 3
    let store = try Self.store(kind, count)
    let wanted = (0..<count).filter { $0 % 2 == 1 }
    let copy = try Self.holder(store)
    copy.cats.removeAll { $0.age % 2 == 0 }
    #expect(copy.cats.map(\.age) == wanted && copy.cats.count == count / 2)
    try store.write { write in
      let holder = try #require(write.objects(CollectionHolder.self).first)
      holder.cats.removeAll { $0.age % 2 == 0 }
      #expect(holder.cats.map(\.age) == wanted)
    }
    #expect(try Self.holder(store).cats.map(\.age) == wanted)
    let (list, map) = (try Self.holder(store).cats, try Self.holder(store).catMap)
    try store.write { write in
      let live = try #require(write.objects(CollectionHolder.self).first)
      #expect(live.cats.count == count / 2 && live.catMap.count == count)
      try write.delete(write.objects(CollectionCat.self).filter("age < \(limit)"))
      #expect(live.cats.map(\.age) == wanted.filter { $0 >= limit })
      #expect(live.catMap.results.count == count / 4)
    }
    #expect(list.map(\.age) == wanted.filter { $0 >= limit } && map.compactMap(\.value).count == count / 4)
  }
}
