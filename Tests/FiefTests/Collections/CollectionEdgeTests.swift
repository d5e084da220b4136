import Fief
import FiefTesting
import TestEffort
import Testing

/// Lists, sets and maps at their edges: of their indexes, of their keys, and between small and large.
@Suite(.timeLimit(.minutes(20))) struct CollectionEdgeTests {
  private static let types: [Object.Type] = [EdgeHolder.self, Shelf.self, ShelfItem.self]

  private func with(_ place: TypedPlace, _ body: (ShelfStore) throws -> Void) throws {
    try ShelfStore.with(place, Self.types) { store in
      try store.write { try $0.add(EdgeHolder(value: ["id": 1])) }
      try body(store)
    }
  }

  private func write(_ store: ShelfStore, _ body: (EdgeHolder, WriteTransaction) throws -> Void) throws {
    try store.write { try body(try #require(try $0.object(ofType: EdgeHolder.self, forPrimaryKey: 1)), $0) }
  }

  private func holder(_ store: ShelfStore) throws -> EdgeHolder {
    try #require(store.store().object(ofType: EdgeHolder.self, forPrimaryKey: 1))
  }

  @Test(arguments: TypedPlace.allCases) func oneMoreAndOneLessAroundTheLimit(place: TypedPlace) throws {
    try with(place) { store in
      // 498 numbers take less than 4,000 bytes, 500 more; a large list comes back below a half of that.
      var model = Array(0..<496)
      try write(store) { holder, _ in holder.numbers.append(objectsIn: model) }
      func expectSame(_ comment: Comment) throws {
        #expect(Array(try holder(store).numbers) == model, comment)
        try store.read { snapshot in
          let found = try #require(try snapshot.object(ofType: EdgeHolder.self, forPrimaryKey: 1))
          #expect(Array(found.numbers) == model && found.numbers.count == model.count, comment)
          #expect(found.numbers.last == model.last, comment)
        }
        expectWhole(store.store())
      }
      for round in 0..<10 {
        try write(store) { holder, _ in
          let number = 10_000 + round
          holder.numbers.insert(number, at: model.count / 2)
          model.insert(number, at: model.count / 2)
          holder.numbers.move(from: 0, to: model.count - 1)
          model.append(model.removeFirst())
          #expect(Array(holder.numbers) == model)
        }
        try expectSame("grown to \(model.count)")
      }
      store.reopen()
      try write(store) { holder, _ in
        while model.count > 254 {
          holder.numbers.removeLast()
          model.removeLast()
        }
      }
      for _ in 0..<10 {
        try write(store) { holder, _ in
          holder.numbers.remove(at: 3)
          model.remove(at: 3)
          holder.numbers.swapAt(0, model.count - 1)
          model.swapAt(0, model.count - 1)
        }
        try expectSame("shrunk to \(model.count)")
      }
      // There and back in one write, again and again.
      try write(store) { holder, _ in
        for _ in 0..<3 {
          holder.numbers.append(objectsIn: 0..<1_000)
          #expect(holder.numbers.count == model.count + 1_000)
          for _ in 0..<1_000 { holder.numbers.removeLast() }
          #expect(Array(holder.numbers) == model)
        }
      }
      try expectSame("there and back")
    }
  }

  @Test(arguments: TestEffort.pairs(TypedPlace.allCases, [4, 3_000])) func indexesBeyondTheEndsChangeNothing(
    place: TypedPlace,
    count: Int
  ) throws {
    try with(place) { store in
      let model = Array(0..<count)
      try write(store) { holder, _ in holder.numbers.append(objectsIn: model) }
      try write(store) { holder, _ in
        let list = holder.numbers
        for index in [-1, count, count + 1, Int.max, Int.min] {
          list.remove(at: index)
          list.move(from: index, to: 0)
          list.move(from: 0, to: index)
          list.swapAt(index, 0)
          if index != count { list.insert(7, at: index) }
        }
        list.move(from: 2, to: 2)
        list.swapAt(1, 1)
        #expect(
          Array(list) == model && list.index(of: count) == nil && list.index(of: count - 1) == count - 1
        )
        list.insert(-1, at: count)
        list.removeLast()
        list.removeAll { _ in false }
        // The closure may read the list, and may throw.
        list.removeAll { $0 == list.count }
        struct Refused: Error {}
        #expect(throws: Refused.self) {
          try list.removeAll { if $0 == 2 { throw Refused() } else { return true } }
        }
        #expect(Array(list) == model)
      }
      let detached = List(model)
      detached.removeAll { $0 + 1 == detached.count }
      #expect(detached.count == count - 1)
      detached.removeAll()
      detached.removeLast()
      #expect(detached.first == nil && detached.last == nil)
      #expect(Array(try holder(store).numbers) == model)
    }
  }

  @Test(arguments: TestEffort.pairs(TypedPlace.allCases, [4, TestEffort.count(1_500, more: 3_000)]))
  func aListMayChangeWhileItIsGoneThrough(
    place: TypedPlace,
    count: Int
  ) throws {
    // Each removal from a large list costs, and each deletion more.
    let every = count == 4 ? 2 : TestEffort.count(10, more: 2)
    try with(place) { store in
      try write(store) { holder, tx in
        holder.numbers.append(objectsIn: 0..<count)
        for id in 0..<count { holder.items.append(ShelfItem(value: ["id": id])) }
      }
      try write(store) { holder, tx in
        var seen = 0
        for number in holder.numbers {
          seen += 1
          // Those before it that were removed are not there any more.
          if number.isMultiple(of: every) { holder.numbers.remove(at: number - number / every) }
        }
        #expect(seen == count)
        #expect(Array(holder.numbers) == (0..<count).filter { !$0.isMultiple(of: every) })
        for item in holder.items where item.id.isMultiple(of: every) { try tx.delete(item) }
        for _ in holder.items { holder.items.removeAll() }
        #expect(holder.items.isEmpty)
      }
      try write(store) { holder, tx in
        #expect(tx.objects(ShelfItem.self).allSatisfy { !$0.id.isMultiple(of: every) })
      }
    }
  }

  @Test(arguments: TestEffort.pairs(TypedPlace.allCases, [5, 3_001]))
  func whatHasNoDefaultIsInTheListWhereItIsCounted(
    place: TypedPlace,
    count: Int
  ) throws {
    try with(place) { store in
      try write(store) { holder, _ in holder.odds.append(objectsIn: (0..<count).map { EdgeOdd($0) }) }
      let wanted = stride(from: 1, to: count, by: 2).map { EdgeOdd($0) }
      func check(_ odds: List<EdgeOdd>) {
        #expect(odds.count == wanted.count && Array(odds) == wanted)
        #expect(odds.indices.map { odds[$0] } == wanted && odds.last == wanted.last)
      }
      check(try holder(store).odds)
      try store.read { snapshot in
        check(try #require(try snapshot.object(ofType: EdgeHolder.self, forPrimaryKey: 1)).odds)
      }
      let error = #expect(throws: FiefError.self) {
        try write(store) { holder, _ in
          check(holder.odds)
          holder.odds.append(EdgeOdd(1))
        }
      }
      #expect(error?.code == .invalidValue && error?.property == "odds")
      try write(store) { holder, _ in holder.odds = List(wanted) }
      try write(store) { holder, _ in
        check(holder.odds)
        holder.odds.removeLast()
        holder.odds.insert(EdgeOdd(-1), at: 0)
      }
      #expect(Array(try holder(store).odds) == [EdgeOdd(-1)] + wanted.dropLast())
      expectWhole(store.store())
    }
  }

  @Test(arguments: TestEffort.pairs(TypedPlace.allCases, [5, 3_001])) func whatCannotBeMadeOfAValueIsLeftOut(
    place: TypedPlace,
    count: Int
  ) throws {
    try with(place) { store in
      try write(store) { holder, _ in
        for number in 0..<count { holder.evens.append(EdgeEven(number)) }
      }
      let wanted = stride(from: 0, to: count, by: 2).map { EdgeEven($0) }
      #expect(Array(try holder(store).evens) == wanted)
      try store.read { snapshot in
        let found = try #require(try snapshot.object(ofType: EdgeHolder.self, forPrimaryKey: 1))
        #expect(Array(found.evens) == wanted)
        for index in 0..<min(found.evens.count, 20) { _ = found.evens[index] }
        _ = found.evens[count - 1]
        #expect(found.evens.first == EdgeEven(0))
      }
      if count == 5 {
        // A list in the record is written as a whole, and what was left out is not lost with that.
        let error = #expect(throws: FiefError.self) {
          try write(store) { holder, _ in holder.evens.append(EdgeEven(count * 2)) }
        }
        #expect(error?.code == .invalidValue && error?.property == "evens")
        #expect(Array(try holder(store).evens) == wanted)
        try write(store) { holder, _ in holder.evens = List(wanted) }
        #expect(Array(try holder(store).evens) == wanted)
      }
      try write(store) { holder, _ in
        holder.evens.append(EdgeEven(count * 2))
        #expect(
          holder.evens.last == EdgeEven(count * 2) && Array(holder.evens) == wanted + [EdgeEven(count * 2)]
        )
        holder.evens.removeAll { $0.number < 4 }
      }
      #expect(Array(try holder(store).evens) == wanted.dropFirst(2) + [EdgeEven(count * 2)])
    }
  }

  @Test(arguments: TestEffort.pairs(TypedPlace.allCases, [10, 2_500])) func keysOfEveryKind(
    place: TypedPlace,
    count: Int
  )
    throws
  {
    try with(place) { store in
      let long = String(repeating: "k", count: 1_000)
      var model: [String: Int?] = [
        "": 1, "a.b": 2, "a.b.c": nil, "$": 4, long: 5, long + "2": 6, "ü\u{0}x": 7, " ": 8,
      ]
      try write(store) { holder, _ in
        for index in 0..<count { model["key \(index)"] = .some(index.isMultiple(of: 3) ? nil : index) }
        holder.values.merge(model)
        holder.values.merge(["": 10, "a.b": nil])
        model["" as String] = .some(10)
        model["a.b"] = .some(nil)
        #expect(holder.values.count == model.count)
      }
      store.reopen()
      let found = try holder(store)
      #expect(found.values.dictionary == model && found.values.keys == model.keys.sorted())
      try write(store) { holder, _ in
        for (key, value) in model { #expect(holder.values[key] == .some(value)) }
        #expect(holder.values["none"] == nil && holder.values[long + "3"] == nil)
        holder.values.removeObject(for: "none")
        holder.values[long] = nil
        holder.values["a.b"] = .some(nil)
        #expect(holder.values.count == model.count - 1)
        for key in model.keys where key.hasPrefix("key") { holder.values[key] = nil }
      }
      #expect(Set(try holder(store).values.keys) == ["", "a.b", "a.b.c", "$", long + "2", "ü\u{0}x", " "])
    }
  }

  @Test(arguments: TestEffort.pairs(TypedPlace.allCases, [6, 2_000])) func setsAreCombined(
    place: TypedPlace,
    count: Int
  ) throws {
    try with(place) { store in
      let words = (0..<count).map { "word \($0)" }
      try write(store) { holder, _ in
        holder.texts.insert(objectsIn: words)
        let other = MutableSet(words.prefix(3) + ["else"])
        #expect(holder.texts.union(other).count == count + 1 && holder.texts.intersection(other).count == 3)
        #expect(Set(holder.texts.subtracting(other)) == Set(words.dropFirst(3)))
        #expect(!holder.texts.isSubset(of: other) && holder.texts.intersects(other))
        #expect(other.intersection(holder.texts).isSubset(of: holder.texts))
        holder.texts.formUnion(holder.texts)
        holder.texts.formIntersection(holder.texts)
        #expect(holder.texts.count == count)
        holder.texts.formUnion(other)
        holder.texts.subtract(MutableSet(words.prefix(2)))
        holder.texts.remove("none")
        #expect(holder.texts.count == count - 1)
        holder.texts.formIntersection(other)
        #expect(Set(holder.texts) == ["else", words[2]])
      }
      #expect(Set(try holder(store).texts) == ["else", words[2]])
      try write(store) { holder, _ in
        holder.texts.subtract(holder.texts)
        #expect(holder.texts.isEmpty)
        holder.optionals.append(objectsIn: (0..<count).map { $0 % 2 == 0 ? nil : $0 })
        #expect(holder.optionals[0] == nil && holder.optionals.index(of: nil) == 0)
        holder.optionals[1] = nil
        holder.optionals[0] = 4
        holder.optionals[0] = nil
        #expect(holder.optionals.count == count && holder.optionals[0] == nil && holder.optionals[1] == nil)
        holder.optionals.removeAll { $0 == nil }
        #expect(holder.optionals.first == .some(3))
      }
    }
  }

  @Test func aLongListIsChangedWhereItIs() throws {
    let count = TestEffort.count(8_000, more: 20_000)
    try with(.memory) { store in
      var model = Array(0..<count)
      try write(store) { holder, tx in
        holder.items.append(objectsIn: model.map { ShelfItem(value: ["id": $0]) })
      }
      try write(store) { holder, tx in
        let foreign = ShelfItem(value: ["id": -1])
        try tx.add(foreign)
        // The backlinks show that it is not in the list.
        for _ in 0..<500 { #expect(holder.items.index(of: foreign) == nil) }
        foreign.shelves.removeAll()
        let (middle, late) = (count / 2, count / 4 * 3)
        holder.items.insert(foreign, at: middle)
        model.insert(-1, at: middle)
        #expect(holder.items.index(of: foreign) == middle)
        holder.items.move(from: count - 1, to: 1)
        model.insert(model.remove(at: count - 1), at: 1)
        holder.items.swapAt(0, late)
        model.swapAt(0, late)
        holder.items.remove(at: count / 6)
        model.remove(at: count / 6)
        #expect(holder.items[late].id == model[late] && holder.items[1].id == model[1])
        try tx.delete(foreign)
        model.removeAll { $0 == -1 }
        #expect(holder.items.count == model.count)
      }
      #expect(try holder(store).items.map(\.id) == model)
    }
  }
}
