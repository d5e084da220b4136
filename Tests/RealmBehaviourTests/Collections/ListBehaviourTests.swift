import FiefRealm
import FiefTesting
import Foundation
import Testing

@Suite("Lists as Realm has them")
struct ListBehaviourTests {
  private func change<Element: RealmCollectionValue & Hashable>(
    _ list: List<Element>,
    _ values: [Element]
  ) {
    let (first, second, third) = (values[0], values[1], values[2])
    list.append(first)
    list.append(objectsIn: [second])
    #expect(list[0] == first && list.first == first && list.last == second && list.count == 2)
    list.insert(third, at: 1)
    #expect(Array(list) == [first, third, second])
    #expect(list.index(of: third) == 1 && list.firstIndex(of: second) == 2 && list.contains(first))
    list[0] = second
    list.replace(index: 1, object: first)
    #expect(Array(list) == [second, first, second] && list.index(of: third) == nil)
    list.remove(at: 1)
    list.removeLast()
    #expect(Array(list) == [second])
    list.replaceSubrange(0..<1, with: [first, second, third])
    list.replaceSubrange(1...1, with: [third])
    list.replaceSubrange(0..<0, with: list)
    #expect(Array(list) == [first, third, third, first, third, third])
    list.removeSubrange(1..<3)
    list.removeSubrange(...0)
    #expect(Array(list) == [first, third, third])
    list.move(from: 0, to: 2)
    list.swapAt(0, 2)
    #expect(Array(list) == [first, third, third])
    list += [second]
    list.insert(contentsOf: [second, second], at: 4)
    #expect(list.objects(at: [0, 3]) == [first, second] && list.count == 6)
    list.removeLast(2)
    list.removeFirst(1)
    list.removeFirst()
    #expect(Array(list) == [third, second] && list.popLast() == second)
    list[0..<1] = List([first, second, third])[0..<2]
    #expect(Array(list) == [first, second])
    list.removeAll()
    #expect(list.isEmpty && list.first == nil && list.last == nil && list.popLast() == nil)
    list.append(objectsIn: values)
  }

  private func check<Element: RealmCollectionValue & Hashable>(
    _ setting: CollectionSetting,
    _ keyPath: KeyPath<CollectionHolder, List<Element>>,
    _ values: [Element]
  ) throws {
    try setting.with {
      change($0[keyPath: keyPath], values)
    } then: {
      #expect(Array($0[keyPath: keyPath]) == values && $0[keyPath: keyPath] == List(values))
    }
  }

  @Test("values of every type", arguments: CollectionSetting.allCases)
  func values(setting: CollectionSetting) throws {
    try check(setting, \.int, [1, 2, 3])
    try check(setting, \.int8, [1, 2, 3])
    try check(setting, \.float, [1.5, 2.5, 3])
    try check(setting, \.double, [1.5, 2.5, 3])
    try check(setting, \.string, ["a", "b", ""])
    try check(setting, \.data, [Data([1]), Data(), Data([3])])
    try check(setting, \.date, [1, 2, 3].map { Date(timeIntervalSince1970: $0) })
    try check(setting, \.uuid, [UUID(), UUID(), UUID()])
    try check(setting, \.objectId, [ObjectId.generate(), ObjectId.generate(), ObjectId.generate()])
    try check(setting, \.decimal, [1, 2, 3])
    try check(setting, \.optionalInt, [1, nil, 3])
    try check(setting, \.optionalString, ["a", nil, ""])
    try check(setting, \.optionalDate, [Date(timeIntervalSince1970: 1), nil, Date(timeIntervalSince1970: 2)])
  }

  @Test("a nil is a value", arguments: CollectionSetting.allCases)
  func nilValues(setting: CollectionSetting) throws {
    try setting.with {
      $0.optionalInt.append(objectsIn: [1, 2])
      $0.optionalInt[0] = nil
      #expect($0.optionalInt.count == 2 && $0.optionalInt[0] == nil && $0.optionalInt.contains(nil))
      #expect($0.optionalInt.sum() == 2 && $0.optionalInt.min() == 2 && $0.optionalInt.average() == 2)
    } then: {
      #expect(Array($0.optionalInt) == [nil, 2])
    }
  }

  @Test("aggregates and orders", arguments: CollectionSetting.allCases)
  func aggregates(setting: CollectionSetting) throws {
    try setting.with { holder in
      #expect(holder.int.min() == nil && holder.int.max() == nil && holder.int.sum() == 0)
      #expect(holder.int.average() == nil)
      holder.int.append(objectsIn: [2, 1, 3, 1])
      holder.date.append(objectsIn: [3, 1].map { Date(timeIntervalSince1970: $0) })
    } then: { holder in
      #expect(holder.int.min() == 1 && holder.int.max() == 3 && holder.int.sum() == 7)
      #expect(holder.int.average() == 1.75 && holder.int.distinct() == [2, 1, 3])
      #expect(holder.int.sorted() == [1, 1, 2, 3] && holder.int.sorted(ascending: false) == [3, 2, 1, 1])
      #expect(holder.date.max() == Date(timeIntervalSince1970: 3))
    }
  }

  @Test("indexes beyond the ends change nothing and are reported", arguments: CollectionSetting.allCases)
  func bounds(setting: CollectionSetting) throws {
    try setting.with {
      let list = $0.int
      func expectReport(_ body: () -> Void) {
        if setting == .plain { return body() }
        withExpectedEvents({ $0.isOutOfBounds }, body)
      }
      expectReport { list.removeLast() }
      list.append(objectsIn: [1, 2])
      for index in [-200, -1, 2, 200] {
        expectReport { list.remove(at: index) }
        expectReport { list.replace(index: index, object: 3) }
        expectReport { list.move(from: index, to: 0) }
        expectReport { list.move(from: 0, to: index) }
        expectReport { list.swapAt(index, 0) }
        expectReport { list.swapAt(0, index) }
      }
      for index in [-200, 3] { expectReport { list.insert(3, at: index) } }
      expectReport { list.replaceSubrange(200..<201, with: [3]) }
      expectReport { list.replaceSubrange(-200..<200, with: [3]) }
      expectReport { list.replaceSubrange(0..<200, with: [3]) }
      expectReport { list.removeFirst(-1) }
      expectReport { list.removeFirst(100) }
      expectReport { list.removeLast(3) }
      expectReport { list.remove(atOffsets: [1, 2]) }
      expectReport { list.move(fromOffsets: [0], toOffset: 4) }
      expectReport { list.move(fromOffsets: [4], toOffset: 0) }
      expectReport { #expect(list.objects(at: [0, 2]).isEmpty) }
      #expect(Array(list) == [1, 2])
    }
  }

  @Test("an index of the subscript beyond the ends ends the process")
  func subscriptBounds() async {
    await #expect(processExitsWith: .failure) { _ = List([1, 2])[2] }
    await #expect(processExitsWith: .failure) { _ = CollectionHolder().cats[0] }
    await #expect(processExitsWith: .failure) { List([1])[-1] = 2 }
    await #expect(processExitsWith: .failure) { _ = List([1])[0..<2] }
  }

  @Test(
    "elements move as in a table",
    arguments: CollectionSetting.allCases,
    [
      ([1], 0, [2, 1, 3]), ([0], 3, [2, 3, 1]), ([0], 1, [1, 2, 3]), ([2], 1, [1, 3, 2]), ([], 1, [1, 2, 3]),
      ([0, 2], 1, [1, 3, 2]), ([0, 1], 3, [3, 1, 2]), ([1, 2], 0, [2, 3, 1]), ([0, 2], 3, [2, 1, 3]),
    ] as [([Int], Int, [Int])]
  )
  func moves(setting: CollectionSetting, move: ([Int], Int, [Int])) throws {
    try setting.with {
      $0.int.append(objectsIn: [1, 2, 3])
      $0.int.move(fromOffsets: IndexSet(move.0), toOffset: move.1)
      #expect(Array($0.int) == move.2)
      $0.int.remove(atOffsets: [0, 2])
    } then: {
      #expect(Array($0.int) == [move.2[1]])
    }
  }

  @Test("a loop goes through what there was when it began", arguments: CollectionSetting.allCases)
  func mutationInLoop(setting: CollectionSetting) throws {
    try setting.with { holder in
      holder.cats.append(objectsIn: (0..<20).map { CollectionCat("\($0 % 2)") })
      var names = ""
      for cat in holder.cats {
        names += cat.name
        holder.cats.append(cat)
      }
      #expect(names == String(repeating: "01", count: 10))
    } then: {
      #expect($0.cats.count == 40)
    }
  }

  @Test("algorithms of collections", arguments: CollectionSetting.allCases)
  func algorithms(setting: CollectionSetting) throws {
    func last<Elements: RandomAccessCollection>(of elements: Elements) -> Elements.Element? { elements.last }
    func add<Elements: RangeReplaceableCollection<Int>>(_ value: Int, to elements: inout Elements) {
      elements.append(value)
      elements.insert(contentsOf: [value], at: elements.startIndex)
    }
    try setting.with { holder in
      holder.int.append(objectsIn: [4, 1, 3, 2])
      #expect(last(of: holder.int) == 2 && Array(holder.int.reversed()) == [2, 3, 1, 4])
      #expect(Array(holder.int[1...2]) == [1, 3] && Array(holder.int.prefix(2)) == [4, 1])
      #expect(Array(holder.int.dropFirst().suffix(2)) == [3, 2] && holder.int.indices == 0..<4)
      #expect(holder.int.filter { $0 > 2 } == [4, 3] && holder.int.map { $0 + 1 } == [5, 2, 4, 3])
      #expect(
        holder.int.enumerated().map { $0 * $1 } == [0, 1, 6, 6]
          && Array(holder.int.lazy.map(-)) == [-4, -1, -3, -2]
      )
      holder.int.sort()
      #expect(Array(holder.int) == [1, 2, 3, 4])
      holder.int.reverse()
      add(9, to: &holder.int)
    } then: {
      #expect(Array($0.int) == [9, 4, 3, 2, 1, 9] && $0.int + [0] == [9, 4, 3, 2, 1, 9, 0])
    }
  }

  @Test("objects", arguments: CollectionSetting.allCases)
  func objects(setting: CollectionSetting) throws {
    try setting.with { holder in
      let (one, two) = (CollectionCat("1"), CollectionCat("2"))
      for cat in [one, two, one] { holder.cats.append(cat) }
      #expect(holder.cats[0] === one && holder.cats[1] === two && holder.cats[2] === one)
      #expect(holder.cats.index(of: two) == 1 && holder.cats.index(of: CollectionCat("1")) == nil)
      holder.cats[0] = two
      holder.cats.replaceSubrange(2..<3, with: [CollectionCat("3")])
    } then: { holder in
      #expect(holder.cats.map(\.name) == ["2", "2", "3"])
    }
  }

  @Test("embedded objects", arguments: CollectionSetting.allCases)
  func embedded(setting: CollectionSetting) throws {
    try setting.with { holder in
      for price in 0..<10 { holder.toys.append(CollectionToy(price)) }
      for (place, toy) in holder.toys.enumerated() { #expect(toy.price == place) }
      let toy = CollectionToy(77)
      holder.toys[0] = toy
      #expect(holder.toys[0] === toy)
      holder.toys[1].price = 78
    } then: { holder in
      #expect(holder.toys.map(\.price) == [77, 78] + (2..<10))
    }
  }

  @Test(
    "an embedded object has one place, and a replaced one keeps its values",
    arguments: StoreKind.allCases
  )
  func placesOfEmbedded(kind: StoreKind) throws {
    let fixture = try StoreFixture(
      TestRepository(
        objectTypes: [CollectionHolder.self, CollectionCat.self],
        embedded: [CollectionToy.self]
      ),
      kind
    )
    let store = fixture.store()
    try store.write { try $0.add(CollectionHolder(value: ["toys": [CollectionToy(1), CollectionToy(2)]])) }
    let toys = try #require(store.objects(CollectionHolder.self).first).toys
    #expect(toys.map(\.realm) == [store, store])
    let changes: [(List<CollectionToy>) -> Void] = [{ $0.append($0[0]) }, { $0[1] = $0[0] }]
    for change in changes {
      let code = errorCode {
        try store.write { _ = store.objects(CollectionHolder.self).first.map { change($0.toys) } }
      }
      #expect(code == .embeddedObjectHasOwner)
    }
    try store.write {
      let toys = try #require(store.objects(CollectionHolder.self).first).toys
      let (old, new) = (toys[0], CollectionToy(3))
      toys[0] = new
      #expect(toys[0].isSameObject(as: new) && new.price == 3 && old.price == 1)
    }
    #expect(store.objects(CollectionHolder.self).first?.toys.map(\.price) == [3, 2])
    fixture.end()
  }

  @Test(
    "results, results of places and lists of objects that have lists",
    arguments: CollectionSetting.allCases
  )
  func nested(setting: CollectionSetting) throws {
    try setting.with { holder in
      holder.cats.append(objectsIn: (0..<10).map { CollectionCat("\($0)", $0) })
      #expect(holder.cats.index(matching: { $0.age == 7 && $0.name == "7" }) == 7)
      #expect(holder.cats.index(matching: "age == 9") == 9 && holder.cats.index(matching: "age == 10") == nil)
      holder.cats.replaceSubrange(holder.cats.indices, with: holder.cats.filter { $0.age > 7 })
      holder.int.append(objectsIn: [5, 6, 7, 8])
      #expect(
        holder.int.index(matching: { $0 == 7 && $0 < 456 }) == 2
          && holder.int.index(matching: { $0 == 9 }) == nil
      )
      holder.int.removeSubrange(holder.int.indices)
    } then: {
      #expect(
        $0.cats.map(\.age) == [8, 9] && $0.int.isEmpty && $0.cats.allSatisfy { !$0.description.isEmpty }
      )
    }
  }

  @Test("lists are equal by their elements")
  func equality() {
    let cats = [CollectionCat("1"), CollectionCat("2"), CollectionCat("3")]
    let (first, second, third) = (List(cats), List(cats), List(cats.prefix(2)))
    #expect(first == second && first !== second && first != third && List<CollectionCat>() == [])
    #expect(first.isEqual(second) && !first.isEqual(third) && !first.isEqual(cats) && !first.isEqual(nil))
    third.append(cats[2])
    #expect(first == third)
  }

  @Test("an assigned list takes the place of the elements", arguments: CollectionSetting.allCases)
  func assigning(setting: CollectionSetting) throws {
    try setting.with { holder in
      let list = holder.int
      holder.int = List([1])
      list.append(3)
      #expect(holder.int == [1, 3])
    } then: {
      #expect($0.int == [1, 3])
    }
  }
}
