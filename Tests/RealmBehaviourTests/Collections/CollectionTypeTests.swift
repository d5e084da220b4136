import FiefRealm
import FiefTesting
import Foundation
import Testing

final class TypedThing: Object {
  @Persisted var name: String?
  @Persisted var int8: Int8 = 0
  @Persisted var int16: Int16 = 0
  @Persisted var int32: Int32 = 0
  @Persisted var int64: Int64 = 0
  @Persisted var flag = false
  @Persisted var link: TypedThing?
  @Persisted var things: List<TypedThing>
  @Persisted var thingSet: MutableSet<TypedThing>
  @Persisted(originProperty: "link") var linked: LinkingObjects<TypedThing>

  convenience init(_ name: String?, _ number: Int = 0) {
    self.init()
    self.name = name
    (int8, int16, int32, int64) = (Int8(number), Int16(number), Int32(number), Int64(number))
  }
}

/// A text that is stored as one.
private struct WrappedText: CustomPersistable, Hashable {
  var persistableValue: String
  init(persistedValue: String) { persistableValue = persistedValue }
}

@Suite("All kinds of collections of objects as Realm has them")
struct CollectionTypeTests {
  /// Calls a closure with each kind of collection of two things, in this order.
  private func withEach(
    _ kind: StoreKind,
    _ body: (AnyRealmCollection<TypedThing>, Store) throws -> Void
  ) throws {
    let fixture = try StoreFixture(TestRepository(objectTypes: [TypedThing.self], embedded: []), kind)
    let store = fixture.store()
    let (first, second) = (TypedThing("1", 1), TypedThing("2", 2))
    let target = TypedThing("target", 9)
    first.link = target
    second.link = target
    target.things.append(objectsIn: [first, second])
    target.thingSet.insert(objectsIn: [first, second])
    try store.write { try $0.add([first, second, target]) }
    let owner = try #require(store.objects(TypedThing.self).filter("name = 'target'").first)
    let all: [AnyRealmCollection<TypedThing>] = [
      AnyRealmCollection(store.objects(TypedThing.self).filter("int8 < 9")),
      AnyRealmCollection(owner.things), AnyRealmCollection(owner.thingSet),
      AnyRealmCollection(owner.linked), AnyRealmCollection(owner.things.results),
    ]
    for collection in all { try body(collection, store) }
    fixture.end()
  }

  @Test("places, ends and counts", arguments: StoreKind.allCases)
  func looking(kind: StoreKind) throws {
    try withEach(kind) { things, store in
      #expect(things.count == 2 && !things.isEmpty && things.realm == store)
      #expect(things.first?.name == "1" && things.last?.name == "2")
      #expect(things[0].name == "1" && things[1].name == "2")
      let events = withExpectedEvents { #expect(things[2].realm == nil && things[-1].realm == nil) }
      #expect(events.count == 2)
      let second = try #require(things.last)
      #expect(things.index(of: second) == 1)
      #expect(things.filter("name = '2'").index(of: second) == 0)
      #expect(things.filter("name = '1'").index(of: second) == nil)
      #expect(things.index(matching: "name = %@", "2") == 1 && things.index(matching: "name = '3'") == nil)
      #expect(things.index(matching: { $0.name == "1" }) == 0)
      #expect(things.results.objects(at: [0, 1]).map(\.name) == ["1", "2"])
      #expect(things.value(forKey: "self").count == 2)
      #expect(things.map(\.name) == ["1", "2"])
    }
  }

  @Test("questions with arguments of every kind", arguments: StoreKind.allCases)
  func questions(kind: StoreKind) throws {
    try withEach(kind) { things, store in
      #expect(things.filter("name = %@", AnyRealmValue.string("1")).count == 1)
      #expect(things.filter("name = %@", WrappedText(persistedValue: "2")).count == 1)
      #expect(things.filter("name = %@", WrappedText(persistedValue: "3")).isEmpty)
      let (one, none): (String?, String?) = ("1", nil)
      #expect(things.filter("name = %@ OR name = %@ OR name = %@", one as Any, "2", none as Any).count == 2)
      #expect(things.where { $0.name == one || $0.name == none }.count == 1)
      #expect(things.filter("int8 = %d", Int8(1)).count == 1 && things.where { $0.int8 == 3 }.isEmpty)
      #expect(things.filter("int16 = %d", Int16(2)).count == 1 && things.where { $0.int16 == 2 }.count == 1)
      #expect(things.filter("int32 = %d", Int32(2)).count == 1 && things.where { $0.int32 == 2 }.count == 1)
      #expect(things.filter("int64 = %d", Int64(2)).count == 1 && things.where { $0.int64 == 2 }.count == 1)
      #expect(things.filter("ANY things = %@", TypedThing("new")).isEmpty)
      #expect(things.filter { $0.name == "1" }.count == 1)
      let owners = store.objects(TypedThing.self)
      #expect(owners.filter("ANY things IN %@", things.results).count == 1)
      #expect(owners.where { $0.things.containsAny(in: things) }.count == 1)
    }
  }

  @Test("orders and aggregates", arguments: StoreKind.allCases)
  func orders(kind: StoreKind) throws {
    try withEach(kind) { things, _ in
      #expect(things.sorted(byKeyPath: "name", ascending: false).map(\.name) == ["2", "1"])
      #expect(things.sorted(byKeyPath: "link.int8").map(\.name) == ["1", "2"])
      #expect(things.sorted(by: \.name, ascending: false).first?.name == "2")
      #expect(things.sorted(by: \.link?.name).count == 2)
      #expect(things.sorted(by: [SortDescriptor(keyPath: "int8", ascending: false)]).first?.name == "2")
      #expect(things.sorted(by: [SortDescriptor(keyPath: \TypedThing.int16)]).first?.name == "1")
      #expect(things.sorted(by: [PropertyOrder]()).map(\.name) == ["1", "2"])
      #expect(things.min(ofProperty: "int8") == Int8(1) && things.max(of: \.int16) == 2)
      #expect(things.sum(ofProperty: "int32") == Int32(3) && things.sum(of: \.int64) == 3)
      #expect(things.average(ofProperty: "int8") == 1.5 && things.average(of: \.int8) == 1.5)
      #expect(things.distinct(by: ["flag"]).count == 1 && things.distinct(by: ["link.name"]).count == 1)
      #expect(things.distinct(by: \.name).count == 2)
      let events = withExpectedEvents {
        #expect(things.min(ofProperty: "nothing") as Int? == nil && things.sum(ofProperty: "nothing") == 0)
        #expect(things.sorted(byKeyPath: "nothing").isEmpty && things.distinct(by: ["things"]).isEmpty)
      }
      #expect(events.count >= 4)
    }
  }

  @Test(
    "a loop may delete what it goes through, and collections are assigned by name",
    arguments: StoreKind.allCases
  )
  func changes(kind: StoreKind) throws {
    try withEach(kind) { things, store in
      guard things.count == 2 else { return }
      try store.write { write in
        let other = TypedThing("other", 9)
        try write.add(other)
        other["things"] = things
        other["thingSet"] = things
        #expect(other.things.count == 2 && other.thingSet.count == 2)
        try write.delete(other)
      }
    }
    try withEach(kind) { things, store in
      try store.write { write in
        for thing in things { try write.delete(thing) }
        #expect(things.results.isEmpty)
      }
      #expect(things.results.isEmpty && things.compactMap(\.name).isEmpty)
    }
  }
}
