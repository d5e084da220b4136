import FiefRealm
import FiefTesting
import Foundation
import Testing

@Suite("Values of any type as Realm has them")
struct AnyValueBehaviourTests {
  /// Three values of each type.
  static var values: [[AnyRealmValue]] {
    [
      [.int(1), .int(2), .int(3)], [.bool(false), .bool(true), .none],
      [.float(1.1), .float(2.2), .float(3.3)],
      [.double(1.1), .double(2.2), .double(3.3)], [.string("a"), .string("b"), .string("c")],
      [.data(Data("a".utf8)), .data(Data("b".utf8)), .data(Data("c".utf8))],
      [1.0, 2.0, 3.0].map { .date(Date(timeIntervalSince1970: $0)) },
      ["a", "b", "c"].map { .objectId(CreatedObject.id($0.utf8.first ?? 0)) },
      [.decimal128("1.1"), .decimal128("2.2"), .decimal128("3.3")],
      [1, 2, 3].map { .uuid(UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))) },
      [.list([1, "a"]), .list([]), .list([.list([nil])])],
      [.dictionary(["a": 1]), .dictionary([:]), .dictionary(["a": .list([2])])],
    ]
  }

  @Test("take the place of each other in one property", arguments: StoreKind.allCases)
  func property(_ kind: StoreKind) throws {
    try withValueStore(kind, [AnyHolder.self]) { store in
      let holder = AnyHolder()
      for value in Self.values.joined() {
        holder.value = value
        #expect(holder.value == value)
      }
      try store.write { store.add(holder) }
      for value in Self.values.joined() {
        try store.write { holder.value = value }
        #expect(holder.value == value)
        #expect(store.objects(AnyHolder.self).first?.value == value)
      }
    }
  }

  @Test("are elements of lists", arguments: StoreKind.allCases, 0..<values.count)
  func lists(_ kind: StoreKind, _ index: Int) throws {
    let values = Self.values[index]
    try withValueStore(kind, [AnyHolder.self]) { store in
      func change(_ list: List<AnyRealmValue>) {
        #expect(list.index(of: values[0]) == nil)
        list.append(objectsIn: values)
        #expect(list.index(of: values[0]) == 0 && list.index(of: values[1]) == 1)
        #expect(list.first == values[0] && list.last == values[2] && list[1] == values[1])
        list.insert(values[2], at: 0)
        list.remove(at: 1)
        list.move(from: 0, to: 2)
        list.swapAt(0, 2)
        list.replaceSubrange(0..<1, with: [values[0]])
        #expect(Array(list) == [values[0], values[2], values[1]])
        list.removeLast()
        list[1] = values[1]
        list.replace(index: 0, object: values[2])
        #expect(Array(list) == [values[2], values[1]])
        list.removeAll()
        #expect(list.first == nil && list.last == nil)
        list.append(objectsIn: values)
      }
      change(AnyHolder().list)
      try store.write { change(store.create(AnyHolder.self).list) }
      #expect(store.objects(AnyHolder.self).first.map { Array($0.list) } == values)
    }
  }

  @Test("are elements of sets", arguments: StoreKind.allCases, 0..<values.count)
  func sets(_ kind: StoreKind, _ index: Int) throws {
    let values = Self.values[index]
    try withValueStore(kind, [AnyHolder.self]) { store in
      func change(_ set: MutableSet<AnyRealmValue>, _ other: MutableSet<AnyRealmValue>) {
        set.insert(objectsIn: values + values)
        other.insert(objectsIn: [values[0]])
        #expect(set.count == 3 && values.allSatisfy { set.contains($0) })
        #expect(other.isSubset(of: set) && set.intersects(other) && !set.isSubset(of: other))
        set.subtract(other)
        #expect(!set.contains(values[0]) && set.count == 2)
        set.formUnion(other)
        set.formIntersection(other)
        #expect(Array(set) == [values[0]])
        set.remove(values[0])
        #expect(set.isEmpty)
        set.insert(objectsIn: values)
      }
      change(AnyHolder().set, AnyHolder().set)
      try store.write { change(store.create(AnyHolder.self).set, AnyHolder().set) }
      #expect(store.objects(AnyHolder.self).first.map { Set($0.set) } == Set(values))
    }
  }

  @Test("are values of maps", arguments: StoreKind.allCases, 0..<values.count)
  func maps(_ kind: StoreKind, _ index: Int) throws {
    let values = Self.values[index]
    try withValueStore(kind, [AnyHolder.self]) { store in
      func change(_ map: Map<String, AnyRealmValue>) {
        for (place, value) in values.enumerated() { map["key\(place)"] = value }
        #expect(map.count == 3 && Set(map.keys) == ["key0", "key1", "key2"] && map.values.count == 3)
        map["key1"] = nil
        #expect(map["key1"] == nil && map.count == 2)
        map["key0"] = AnyRealmValue.none
        #expect(map.count == 2 && map["key0"] == .some(.none))
        map.removeObject(for: "key2")
        map.removeAll()
        map.merge(values.enumerated().map { ("key\($0)", $1) }) { $1 }
      }
      change(AnyHolder().map)
      try store.write { change(store.create(AnyHolder.self).map) }
      let stored = store.objects(AnyHolder.self).first?.map.dictionary
      #expect(stored == Dictionary(values.enumerated().map { ("key\($0)", $1) }) { $1 })
    }
  }

  @Test(
    "are had for keys, and their collections know that their object is gone",
    arguments: StoreKind.allCases
  )
  func keysAndInvalidation(_ kind: StoreKind) throws {
    try withValueStore(kind, [AnyHolder.self]) { store in
      for values in Self.values {
        let plain = AnyHolder()
        try store.write { store.add(AnyHolder()) }
        let holder = try #require(store.objects(AnyHolder.self).first)
        for holder in [plain, holder] {
          try store.write {
            #expect(holder.list.value(forKey: "self").isEmpty && holder.set.value(forKey: "self").isEmpty)
            #expect(holder.map.value(forKey: "key") == nil)
            holder.list.append(objectsIn: values)
            holder.set.insert(values[0])
            holder.map["key"] = values[0]
          }
          #expect(holder.list.value(forKey: "self") as? [AnyRealmValue] == values)
          #expect(holder.set.value(forKey: "self") as? [AnyRealmValue] == [values[0]])
          #expect(holder.map.value(forKey: "key") == values[0])
          #expect(!holder.list.isInvalidated && !holder.set.isInvalidated && !holder.map.isInvalidated)
        }
        let (list, set, map) = (holder.list, holder.set, holder.map)
        withExpectedEvents { #expect(list.value(forKey: "not self").isEmpty) }
        withExpectedEvents { #expect(set.value(forKey: "not self").isEmpty) }
        try store.write {
          store.delete(holder)
          #expect(list.isInvalidated && set.isInvalidated && map.isInvalidated)
        }
        #expect(list.isInvalidated && set.isInvalidated && map.isInvalidated && !plain.list.isInvalidated)
      }
    }
  }

  @Test("have least, greatest, sum and mean where they are numbers", arguments: StoreKind.allCases)
  func aggregates(_ kind: StoreKind) throws {
    try withValueStore(kind, [AnyHolder.self]) { store in
      func check(_ holder: AnyHolder) {
        for values in [Self.values[0], Self.values[2], Self.values[3], Self.values[6], Self.values[8]] {
          let mixed = values.reversed() + ["text", nil, true, .list([0])]
          holder.list.removeAll()
          holder.list.append(objectsIn: mixed)
          holder.set.removeAll()
          holder.set.insert(objectsIn: mixed)
          holder.map.removeAll()
          for (index, value) in mixed.enumerated() { holder.map["\(index)"] = value }
          #expect(holder.list.min() == values[0] && holder.list.max() == values[2])
          #expect(holder.set.min() == values[0] && holder.set.max() == values[2])
          #expect(holder.map.min() == values[0] && holder.map.max() == values[2])
          if values[0].dateValue != nil { continue }
          let isWhole = values[0].intValue != nil
          let sum: AnyRealmValue = .decimal128(isWhole ? 6 : "6.6")
          let mean: AnyRealmValue = .decimal128(isWhole ? 2 : "2.2")
          #expect(holder.list.sum() == sum && holder.set.sum() == sum && holder.map.sum() == sum)
          #expect(
            holder.list.average() == mean && holder.set.average() == mean && holder.map.average() == mean
          )
        }
        holder.list.removeAll()
        #expect(
          holder.list.min() == nil && holder.list.average() == nil && holder.list.sum() == .decimal128(0)
        )
      }
      check(AnyHolder())
      try store.write { check(store.create(AnyHolder.self)) }
    }
  }
}
