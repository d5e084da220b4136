import FiefRealm
import FiefTesting
import Foundation
import Testing

@Suite("Sets as Realm has them")
struct SetBehaviourTests {
  private func check<Element: RealmCollectionValue & Hashable>(
    _ setting: CollectionSetting,
    _ keyPath: KeyPath<CollectionHolder, MutableSet<Element>>,
    _ values: [Element]
  ) throws {
    let (first, second, third) = (values[0], values[1], values[2])
    try setting.with {
      let set = $0[keyPath: keyPath]
      #expect(set.isEmpty && set.first == nil && !set.contains(first))
      set.insert(first)
      set.insert(first)
      #expect(set.count == 1 && set.first == first && set.contains(first) && !set.contains(second))
      set.insert(objectsIn: [first, second])
      set.remove(third)
      set.remove(first)
      #expect(Set(set) == [second])
      let other: MutableSet<Element> = [second, third]
      #expect(set.isSubset(of: other) && set.isStrictSubset(of: other) && other.isSuperset(of: set))
      #expect(set.intersects(other) && !set.isDisjoint(with: other) && !other.isSubset(of: set))
      #expect(!set.isStrictSubset(of: set) && other.isStrictSuperset(of: set))
      set.formUnion(other)
      #expect(Set(set) == [second, third] && set == other)
      set.insert(first)
      set.formIntersection([first, second])
      #expect(Set(set) == [first, second])
      set.formSymmetricDifference([second, third])
      #expect(Set(set) == [first, third])
      #expect(set.symmetricDifference([first, second]) == [second, third])
      #expect(set.union([second]) == MutableSet(values) && set.intersection([first]) == [first])
      #expect(set.subtracting([first]) == [third])
      set.subtract([third, second])
      #expect(Set(set) == [first])
      set.formSymmetricDifference(set)
      set.removeAll()
      #expect(set.isEmpty)
      set.insert(objectsIn: values)
    } then: {
      #expect(Set($0[keyPath: keyPath]) == Set(values))
    }
  }

  @Test("values of every type", arguments: CollectionSetting.allCases)
  func values(setting: CollectionSetting) throws {
    try check(setting, \.intSet, [1, 2, 3])
    try check(setting, \.stringSet, ["a", "b", ""])
    try check(setting, \.dateSet, [1, 2, 3].map { Date(timeIntervalSince1970: $0) })
    try check(setting, \.uuidSet, [UUID(), UUID(), UUID()])
    try check(setting, \.decimalSet, [1, 2.5, 3])
    try check(setting, \.optionalIntSet, [1, nil, 3])
  }

  @Test("aggregates and orders", arguments: CollectionSetting.allCases)
  func aggregates(setting: CollectionSetting) throws {
    try setting.with { holder in
      #expect(holder.intSet.min() == nil && holder.intSet.sum() == 0 && holder.intSet.average() == nil)
      holder.intSet.insert(objectsIn: [2, 1, 3, 1])
      holder.optionalIntSet.insert(objectsIn: [2, nil, 4])
    } then: { holder in
      #expect(holder.intSet.min() == 1 && holder.intSet.max() == 3 && holder.intSet.sum() == 6)
      #expect(holder.intSet.average() == 2 && holder.intSet.sorted(ascending: false) == [3, 2, 1])
      #expect(holder.optionalIntSet.sum() == 6 && holder.optionalIntSet.average() == 3)
    }
  }

  @Test("objects", arguments: CollectionSetting.allCases)
  func objects(setting: CollectionSetting) throws {
    try setting.with { holder in
      let (one, two) = (CollectionCat("1"), CollectionCat("2"))
      holder.catSet.insert(objectsIn: [one, two, one])
      #expect(holder.catSet.count == 2 && holder.catSet.contains(two))
      holder.catSet.remove(one)
      #expect(holder.catSet.first === two)
      for cat in holder.catSet { holder.catSet.insert(CollectionCat(cat.name + "x")) }
    } then: { holder in
      #expect(holder.catSet.map(\.name).sorted() == ["2", "2x"])
    }
  }

  @Test("sets are equal by their elements, and are gone through while they change")
  func equality() throws {
    let cats = [CollectionCat("1"), CollectionCat("2"), CollectionCat("3")]
    let (first, second, third) = (
      MutableSet<CollectionCat>(), MutableSet<CollectionCat>(), MutableSet<CollectionCat>()
    )
    #expect(first == second && first !== second)
    first.insert(objectsIn: cats)
    second.insert(objectsIn: cats)
    third.insert(objectsIn: cats.prefix(2))
    #expect(first == second && first != third && Set(first) == Set(second) && Array(first) == Array(second))
    #expect(first.isEqual(second) && !first.isEqual(third) && !first.isEqual(cats))
    third.insert(cats[2])
    #expect(first == third && first.allSatisfy { !$0.description.isEmpty })
    #expect(
      ![MutableSet<Int>().contains(5), MutableSet<Int?>().contains(nil), MutableSet<UUID>().contains(UUID())]
        .contains(true)
    )
  }

  @Test("results are added to a set of objects", arguments: StoreKind.allCases)
  func results(kind: StoreKind) throws {
    let fixture = try StoreFixture(
      TestRepository(
        objectTypes: [CollectionHolder.self, CollectionCat.self],
        embedded: [CollectionToy.self]
      ),
      kind
    )
    let store = fixture.store()
    try store.write {
      for age in 1...3 { try $0.add(CollectionCat("\(age)", age)) }
      let holder = store.create(CollectionHolder.self)
      holder.catSet.insert(objectsIn: store.objects(CollectionCat.self))
      holder.cats.append(objectsIn: store.objects(CollectionCat.self).filter("age > 1"))
    }
    let holder = try #require(store.objects(CollectionHolder.self).first)
    #expect(holder.catSet.map(\.age).sorted() == [1, 2, 3] && holder.cats.map(\.age) == [2, 3])
    fixture.end()
  }

  @Test("an assigned set takes the place of the elements", arguments: CollectionSetting.allCases)
  func assigning(setting: CollectionSetting) throws {
    try setting.with { holder in
      let set = holder.intSet
      holder.intSet = [1]
      set.insert(3)
      #expect(holder.intSet == [1, 3] && holder.intSet === set)
    } then: {
      #expect($0.intSet == [1, 3])
    }
  }
}
