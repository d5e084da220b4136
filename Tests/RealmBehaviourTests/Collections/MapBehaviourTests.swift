import FiefRealm
import FiefTesting
import Foundation
import Testing

@Suite("Maps as Realm has them")
struct MapBehaviourTests {
  private func check<Value: RealmCollectionValue & Hashable>(
    _ setting: CollectionSetting,
    _ keyPath: KeyPath<CollectionHolder, Map<String, Value>>,
    _ values: [Value]
  ) throws {
    let (first, second, third) = (values[0], values[1], values[2])
    try setting.with {
      let map = $0[keyPath: keyPath]
      #expect(map.isEmpty && map["a"] == nil && map.keys.isEmpty && map.values.isEmpty)
      map["a"] = first
      #expect(map.updateValue(second, forKey: "a") == first && map.updateValue(third, forKey: "b") == nil)
      #expect(
        map["a"] == second && map.count == 2 && map.keys == ["a", "b"] && map.values == [second, third]
      )
      #expect(map["c", default: first] == first && map["c"] == nil)
      #expect(map.removeValue(forKey: "a") == second && map.removeValue(forKey: "a") == nil)
      map.removeObject(for: "b")
      map.removeObject(for: "none")
      #expect(map.isEmpty)
      map.merge(["a": first, "b": second])
      map.merge(["b": third, "c": third]) { old, _ in old }
      #expect(map.dictionary == ["a": first, "b": second, "c": third])
      map.merge([("a", third), ("a", second)]) { _, new in new }
      #expect(map["a"] == second && map.mapValues { $0 == third } == ["a": false, "b": false, "c": true])
      map.merge(["d": first] as Map<String, Value>)
      map.removeAll { $0.key == "d" || $0.value == third }
      #expect(map.map(\.key) == ["a", "b"] && map.contains { $0.value == second })
      #expect(map == ["a": second, "b": second] && map != ["a": second])
      map.removeAll()
      #expect(map.isEmpty)
      map.merge(["x": first, "y": second])
    } then: {
      #expect($0[keyPath: keyPath].dictionary == ["x": first, "y": second])
    }
  }

  @Test("values of every type", arguments: CollectionSetting.allCases)
  func values(setting: CollectionSetting) throws {
    try check(setting, \.intMap, [1, 2, 3])
    try check(setting, \.stringMap, ["a", "b", ""])
    try check(setting, \.dateMap, [1, 2, 3].map { Date(timeIntervalSince1970: $0) })
    try check(setting, \.decimalMap, [1, 2.5, 3])
    try check(setting, \.optionalIntMap, [1, nil, 3])
  }

  @Test("aggregates and orders", arguments: CollectionSetting.allCases)
  func aggregates(setting: CollectionSetting) throws {
    try setting.with { holder in
      #expect(holder.intMap.min() == nil && holder.intMap.sum() == 0 && holder.intMap.average() == nil)
      holder.intMap.merge(["a": 2, "b": 1, "c": 3])
      #expect(holder.intMap.sorted() == [1, 2, 3] && holder.intMap.object(forKey: "b") == 1)
      holder.intMap["a", default: 0] += 5
      holder.intMap["d", default: 3] += 1
      holder.optionalIntMap.merge(["a": 2, "b": nil])
    } then: { holder in
      #expect(holder.intMap.min() == 1 && holder.intMap.max() == 7 && holder.intMap.sum() == 15)
      #expect(holder.intMap.average() == 3.75 && holder.intMap.sorted(ascending: true) == [1, 3, 4, 7])
      #expect(holder.optionalIntMap.sum() == 2 && holder.optionalIntMap.max() == 2)
    }
  }

  @Test("objects", arguments: CollectionSetting.allCases)
  func objects(setting: CollectionSetting) throws {
    try setting.with { holder in
      let (one, two) = (CollectionCat("1"), CollectionCat("2"))
      holder.catMap["a"] = one
      holder.catMap["b"] = two
      holder.catMap["c"] = .some(nil)
      #expect(holder.catMap["a"] == .some(one) && holder.catMap.count == 3)
      holder.catMap["a"] = two
      for entry in holder.catMap { holder.catMap[entry.key + "x"] = entry.value }
    } then: { holder in
      #expect(
        holder.catMap.mapValues { $0?.name } == [
          "a": "2", "b": "2", "c": nil, "ax": "2", "bx": "2", "cx": nil,
        ]
      )
    }
  }

  @Test("an assigned map takes the place of the entries", arguments: CollectionSetting.allCases)
  func assigning(setting: CollectionSetting) throws {
    try setting.with { holder in
      let map = holder.intMap
      holder.intMap = ["a": 1]
      map["b"] = 2
      #expect(holder.intMap == ["a": 1, "b": 2] && holder.intMap === map)
    } then: {
      #expect($0.intMap == ["a": 1, "b": 2])
    }
  }

  @Test("embedded objects", arguments: CollectionSetting.allCases)
  func embedded(setting: CollectionSetting) throws {
    try setting.with { holder in
      let map = holder.toyMap
      for price in 0..<10 { map["\(price)"] = CollectionToy(price) }
      #expect(map.count == 10 && map.allSatisfy { $0.value?.price == Int($0.key) })
      #expect(map.allSatisfy { $0.value?.realm == holder.realm })
      let toy = CollectionToy(77)
      map["0"] = toy
      #expect(map["0"]??.isSameObject(as: toy) == true && toy.realm == holder.realm)
      map["1"]??.price = 78
      map["2"] = .some(nil)
      map["3"] = nil
    } then: { holder in
      #expect(
        holder.toyMap.count == 9 && holder.toyMap.values.compactMap { $0?.price } == [77, 78] + (4..<10)
      )
    }
  }

  @Test("a write that puts an embedded object into a map again fails", arguments: StoreKind.allCases)
  func embeddedTwice(kind: StoreKind) throws {
    let store = try StoreFixture(
      TestRepository(
        objectTypes: [CollectionHolder.self, CollectionCat.self],
        embedded: [CollectionToy.self]
      ),
      kind
    )
    let holder = CollectionHolder()
    holder.toyMap["a"] = CollectionToy(1)
    try store.write { try $0.add(holder) }
    let error = #expect(throws: FiefError.self) {
      try store.write { write in
        let holder = try #require(write.objects(CollectionHolder.self).first)
        holder.toyMap["b"] = holder.toyMap["a"]
      }
    }
    #expect(error?.code == .embeddedObjectHasOwner)
    #expect(try store.objects(CollectionHolder.self).first?.toyMap.keys == ["a"])
  }
}
