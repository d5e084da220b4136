import Fief
import Testing

/// A number that not every stored integer can represent.
struct RankedEven: FailableCustomPersistable, Hashable, Comparable {
  var number: Int

  init(_ number: Int) { self.number = number }

  init?(persistedValue: Int) {
    guard persistedValue.isMultiple(of: 2) else { return nil }
    number = persistedValue
  }

  var persistableValue: Int { number }

  static func < (first: RankedEven, second: RankedEven) -> Bool { first.number < second.number }
}

final class RankedBox: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var weight = 0.0
  @Persisted var evens: Map<String, RankedEven>
  @Persisted var numbers: Map<String, Int?>
}

/// The compiler chooses the extreme for the type that it knows: a type parameter, or a type without a column.
@Suite("Extremes of values whose type is a parameter")
struct GenericExtremeTests {
  private func filled(_ place: TypedPlace) throws -> TypedStore {
    let store = try TypedStore(place, [RankedBox.self])
    try store.write { transaction in
      for id in 1...3 {
        let box = RankedBox()
        (box.id, box.weight) = (id, Double(id) / 2)
        for key in 0..<id { box.evens["\(key)"] = RankedEven(2 * key) }
        box.numbers["a"] = .some(id)
        box.numbers["b"] = .some(nil)
        try transaction.add(box)
      }
    }
    return store
  }

  private func extremes<Value: RealmCollectionValue & Comparable>(_ map: Map<String, Value>) -> [Value?] {
    [map.min(), map.max()]
  }

  private func extremes<Value: Persistable & RealmCollectionValue>(
    _ boxes: Results<RankedBox>,
    _ keyPath: KeyPath<RankedBox, Value>
  ) -> [Value?] {
    let least: Value? = boxes.min(of: keyPath)
    return [least, boxes.max(of: keyPath)]
  }

  private func scalarExtremes<Value: PersistableScalar>(
    _ boxes: Results<RankedBox>,
    _ keyPath: KeyPath<RankedBox, Value>
  ) throws -> [Value?] {
    [boxes.min(of: keyPath), try boxes.fetchMax(of: keyPath)]
  }

  @Test("a map of required values that may be unknown", arguments: TypedPlace.allCases)
  func maps(place: TypedPlace) throws {
    let box = try filled(place).get(RankedBox.self, 3)
    #expect(box.evens.min() == RankedEven(0) && box.evens.max()?.number == 4)
    #expect(extremes(box.evens).map { $0?.number } == [0, 4])
    #expect(Map<String, RankedEven>().min() == nil && Map<String, RankedEven>().max() == nil)
    // Values that may be nil are left out, and the result is optional once.
    let most: Int? = box.numbers.max()
    #expect(most == 3 && box.numbers.min() == 3)
  }

  @Test("a property of results", arguments: TypedPlace.allCases)
  func results(place: TypedPlace) throws {
    let store = try filled(place)
    let boxes = store.store().objects(RankedBox.self)
    #expect(extremes(boxes, \.weight) == [0.5, 1.5] && extremes(boxes, \.id) == [1, 3])
    #expect(try scalarExtremes(boxes, \.weight) == [0.5, 1.5])
    #expect(extremes(boxes.where { $0.id > 9 }, \.id) == [nil, nil])
  }
}
