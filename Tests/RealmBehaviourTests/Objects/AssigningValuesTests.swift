import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Values that are assigned to an object in no store, to one that was created, and to one that was added.
struct AssigningValuesTests {
  private func withObjects(_ kind: StoreKind, _ body: (CreatedObject, CreatedOptionals) throws -> Void) throws
  {
    try body(CreatedObject(), CreatedOptionals())
    let types: [Object.Type] = [CreatedObject.self, CreatedOptionals.self, MadeToy.self, MadeDog.self]
    let fixture = try StoreFixture(TestRepository("assigned", objectTypes: types), kind)
    let store = fixture.store()
    try store.write { try body(store.create(CreatedObject.self), store.create(CreatedOptionals.self)) }
    let (object, optionals) = (CreatedObject(), CreatedOptionals())
    try store.write {
      store.add(object)
      store.add(optionals)
      try body(object, optionals)
    }
    try store.write { try body(object, optionals) }
    fixture.end()
  }

  private func expect<Owner: Object, Value: Equatable>(
    _ object: Owner,
    _ keyPath: ReferenceWritableKeyPath<Owner, Value>,
    _ values: Value...
  ) {
    for value in values {
      object[keyPath: keyPath] = value
      #expect(object[keyPath: keyPath] == value)
    }
  }

  @Test(arguments: StoreKind.allCases) func singleValues(_ kind: StoreKind) throws {
    try withObjects(kind) { object, optionals in
      expect(object, \.bool, true, false)
      expect(object, \.int, -1, 0, 1, .min, .max)
      expect(object, \.int8, .min, 0, .max)
      expect(object, \.int16, .min, 0, .max)
      expect(object, \.int32, .min, 0, .max)
      expect(object, \.int64, .min, 0, .max)
      expect(object, \.float, -.greatestFiniteMagnitude, 0, .infinity, .leastNormalMagnitude)
      expect(object, \.double, -.greatestFiniteMagnitude, 0, .infinity, .leastNormalMagnitude)
      expect(object, \.text, "", "utf8 ¶ 🙂", "a\0b")
      expect(object, \.data, Data(), Data([0, 1]))
      expect(object, \.date, .distantPast, .distantFuture, Date(timeIntervalSince1970: 0.25))
      expect(object, \.decimal, Decimal(1) / 8, .zero, -5)
      expect(object, \.objectId, CreatedObject.id(7))
      expect(object, \.uuid, UUID())
      expect(object, \.any, .none, .int(1), .bool(true), .double(1.5), .string("a"), .data(Data([1])))
      expect(object, \.kind, .second, .first)
      expect(object, \.color, .green, .red)
      expect(object, \.word, CreatedWord("a"), CreatedWord(""))
      expect(optionals, \.bool, nil, true)
      expect(optionals, \.int, nil, 1)
      expect(optionals, \.int8, nil, 1)
      expect(optionals, \.float, nil, 1)
      expect(optionals, \.double, nil, 1)
      expect(optionals, \.text, nil, "")
      expect(optionals, \.data, nil, Data())
      expect(optionals, \.date, nil, .distantPast)
      expect(optionals, \.decimal, nil, 1)
      expect(optionals, \.objectId, nil, CreatedObject.id(7))
      expect(optionals, \.uuid, nil, UUID())
      expect(optionals, \.kind, nil, .second)
      expect(optionals, \.color, nil, .green)
      expect(optionals, \.word, nil, CreatedWord("a"))
      object.double = .nan
      #expect(object.double.isNaN)
      object.decimal = .nan
      #expect(object.decimal.isNaN)
    }
  }

  @Test(arguments: StoreKind.allCases) func collectionsTakeOverContents(_ kind: StoreKind) throws {
    try withObjects(kind) { object, _ in
      let (list, set, map) = (object.numbers, object.dates, object.scores)
      let (otherList, otherSet, otherMap) = (
        List([1, 2]), MutableSet([Date.distantPast]), Map<String, Double?>()
      )
      otherMap["k"] = 1.5
      object.numbers = otherList
      object.dates = otherSet
      object.scores = otherMap
      #expect(Array(object.numbers) == [1, 2] && object.dates.count == 1 && object.scores["k"] == .some(1.5))
      otherList.append(3)
      otherSet.removeAll()
      otherMap.removeAll()
      #expect(object.numbers.count == 2 && object.dates.count == 1 && object.scores.count == 1)
      // Assigning what a property has changes nothing.
      object.numbers = object.numbers
      object.dates = object.dates
      object.scores = object.scores
      #expect(Array(object.numbers) == [1, 2] && object.dates.count == 1 && object.scores.count == 1)
      _ = (list, set, map)
    }
  }

  @Test(arguments: StoreKind.allCases) func linksAndParts(_ kind: StoreKind) throws {
    try withObjects(kind) { object, _ in
      let toy = MadeToy(value: ["name": UUID().uuidString])
      object.toy = toy
      #expect(object.toy === toy)
      object.toy = nil
      #expect(object.toy == nil)
      let tag = MadeTag("tag")
      object.tag = tag
      tag.text = "changed"
      #expect(object.tag === tag && object.tag?.text == "changed")
      object.tag = nil
      #expect(object.tag == nil)
    }
  }
}
