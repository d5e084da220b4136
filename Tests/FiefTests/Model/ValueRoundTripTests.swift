import Fief
import Foundation
import Testing

@Suite("Values are read back bit for bit")
struct ValueRoundTripTests {
  typealias Samples = TypedSamples

  static func scalars(_ index: Int) -> TypedScalars {
    let object = TypedScalars()
    object.id = index
    object.bool = Samples.pick(Samples.bools, index)
    object.int = Samples.pick(Samples.ints, index)
    object.int8 = Samples.pick(Samples.int8s, index)
    object.int16 = Samples.pick(Samples.int16s, index)
    object.int32 = Samples.pick(Samples.int32s, index)
    object.int64 = Samples.pick(Samples.int64s, index)
    object.float = Samples.pick(Samples.floats, index)
    object.double = Samples.pick(Samples.doubles, index)
    object.string = Samples.pick(Samples.strings, index)
    object.data = Samples.pick(Samples.data, index)
    object.date = Samples.pick(Samples.dates, index)
    object.uuid = Samples.pick(Samples.uuids, index)
    object.objectId = Samples.pick(Samples.objectIds, index)
    object.decimal = Samples.pick(Samples.decimals, index)
    object.any = Samples.pick(Samples.anys, index)
    object.size = Samples.pick(Samples.sizes, index)
    object.level = Samples.pick(Samples.levels, index)
    object.cents = Samples.pick(Samples.cents, index)
    return object
  }

  static func bits(_ object: TypedScalars) -> [AnyHashable] {
    let values: [Any] = [
      object.id, object.bool, object.int, object.int8, object.int16, object.int32, object.int64,
      object.float, object.double, object.string, object.data, object.date, object.uuid, object.objectId,
      object.decimal, object.any, object.size, object.level, object.cents,
    ]
    return values.map { typedBits($0) }
  }

  @Test("single values", arguments: TypedPlace.allCases)
  func scalars(place: TypedPlace) throws {
    let store = try TypedStore(place, [TypedScalars.self])
    let objects = (0..<Samples.count).map(Self.scalars)
    try store.put(objects)
    store.reopen()
    for (index, object) in objects.enumerated() {
      let found = try store.get(TypedScalars.self, index)
      #expect(Self.bits(found) == Self.bits(object), "object \(index)")
      // Written back unchanged, and again.
      try store.put(found)
      #expect(Self.bits(try store.get(TypedScalars.self, index)) == Self.bits(object), "object \(index)")
    }
  }

  static func optionals(_ index: Int) -> TypedOptionals {
    let object = TypedOptionals()
    object.id = index
    guard index >= 0 else { return object }
    let full = scalars(index)
    object.bool = full.bool
    object.int = full.int
    object.int8 = full.int8
    object.int16 = full.int16
    object.int32 = full.int32
    object.int64 = full.int64
    object.float = full.float
    object.double = full.double
    object.string = full.string
    object.data = full.data
    object.date = full.date
    object.uuid = full.uuid
    object.objectId = full.objectId
    object.decimal = full.decimal
    object.size = full.size
    object.level = full.level
    object.cents = full.cents
    object.even = TypedEven(persistedValue: index * 2)
    return object
  }

  static func bits(_ object: TypedOptionals) -> [AnyHashable?] {
    let values: [Any?] = [
      object.id, object.bool, object.int, object.int8, object.int16, object.int32, object.int64,
      object.float, object.double, object.string, object.data, object.date, object.uuid, object.objectId,
      object.decimal, object.size, object.level, object.cents, object.even,
    ]
    return values.map { $0.map { typedBits($0) } }
  }

  @Test("optional values, nil among them", arguments: TypedPlace.allCases)
  func optionals(place: TypedPlace) throws {
    let store = try TypedStore(place, [TypedOptionals.self])
    let objects = (-1..<Samples.count).map(Self.optionals)
    try store.put(objects)
    store.reopen()
    for object in objects {
      let found = try store.get(TypedOptionals.self, object.id)
      #expect(Self.bits(found) == Self.bits(object), "object \(object.id)")
    }
    #expect(Self.bits(try store.get(TypedOptionals.self, -1)).dropFirst().allSatisfy { $0 == nil })
    let cleared = Self.optionals(-1)
    cleared.id = 3
    try store.put(cleared)
    #expect(Self.bits(try store.get(TypedOptionals.self, 3)).dropFirst().allSatisfy { $0 == nil })
  }

  static func lists(_ object: TypedLists) {
    object.bool.append(objectsIn: Samples.bools)
    object.int.append(objectsIn: Samples.ints)
    object.int8.append(objectsIn: Samples.int8s)
    object.int16.append(objectsIn: Samples.int16s)
    object.int32.append(objectsIn: Samples.int32s)
    object.int64.append(objectsIn: Samples.int64s)
    object.float.append(objectsIn: Samples.floats)
    object.double.append(objectsIn: Samples.doubles)
    object.string.append(objectsIn: Samples.strings)
    object.data.append(objectsIn: Samples.data)
    object.date.append(objectsIn: Samples.dates)
    object.uuid.append(objectsIn: Samples.uuids)
    object.objectId.append(objectsIn: Samples.objectIds)
    object.decimal.append(objectsIn: Samples.decimals)
    object.any.append(objectsIn: Samples.anys)
    object.size.append(objectsIn: Samples.sizes)
    object.level.append(objectsIn: Samples.levels)
    object.cents.append(objectsIn: Samples.cents)
    object.optionalInt.append(objectsIn: [1, nil, .min])
    object.optionalString.append(objectsIn: [nil, "", "x"])
    object.optionalDouble.append(objectsIn: [nil, -0.0])
    object.optionalUUID.append(objectsIn: [Samples.uuids[0], nil])
  }

  @Test("lists", arguments: TypedPlace.allCases)
  func lists(place: TypedPlace) throws {
    let store = try TypedStore(place, [TypedLists.self])
    let object = TypedLists()
    Self.lists(object)
    let empty = TypedLists()
    empty.id = 1
    try store.put(object, empty)
    store.reopen()
    let found = try store.get(TypedLists.self, 0)
    expectSame(found.bool, Samples.bools)
    expectSame(found.int, Samples.ints)
    expectSame(found.int8, Samples.int8s)
    expectSame(found.int16, Samples.int16s)
    expectSame(found.int32, Samples.int32s)
    expectSame(found.int64, Samples.int64s)
    expectSame(found.float, Samples.floats)
    expectSame(found.double, Samples.doubles)
    expectSame(found.string, Samples.strings)
    expectSame(found.data, Samples.data)
    expectSame(found.date, Samples.dates)
    expectSame(found.uuid, Samples.uuids)
    expectSame(found.objectId, Samples.objectIds)
    expectSame(found.decimal, Samples.decimals)
    expectSame(found.any, Samples.anys)
    expectSame(found.size, Samples.sizes)
    expectSame(found.level, Samples.levels)
    expectSame(found.cents, Samples.cents)
    #expect(Array(found.optionalInt) == [1, nil, .min])
    #expect(Array(found.optionalString) == [nil, "", "x"])
    #expect(Array(found.optionalDouble).map { $0?.bitPattern } == [nil, (-0.0).bitPattern])
    #expect(Array(found.optionalUUID) == [Samples.uuids[0], nil])
    let none = try store.get(TypedLists.self, 1)
    #expect(none.string.isEmpty && none.int.isEmpty && none.optionalInt.isEmpty)
    found.string.remove(at: 7)
    found.int.removeAll()
    try store.put(found)
    let again = try store.get(TypedLists.self, 0)
    #expect(typedBits(again.string) == typedBits(Samples.strings.dropLast()))
    #expect(again.int.isEmpty && again.double.count == Samples.doubles.count)
  }

  private func expectSame<Value>(
    _ found: List<Value>,
    _ expected: [Value],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(typedBits(found) == typedBits(expected), sourceLocation: sourceLocation)
  }

  @Test("sets", arguments: TypedPlace.allCases)
  func sets(place: TypedPlace) throws {
    let store = try TypedStore(place, [TypedSets.self])
    let object = TypedSets()
    object.bool.insert(objectsIn: Samples.bools)
    object.int.insert(objectsIn: Samples.ints + Samples.ints)
    object.int8.insert(objectsIn: Samples.int8s)
    object.int16.insert(objectsIn: Samples.int16s)
    object.int32.insert(objectsIn: Samples.int32s)
    object.int64.insert(objectsIn: Samples.int64s)
    object.string.insert(objectsIn: Samples.strings)
    object.data.insert(objectsIn: Samples.data)
    object.date.insert(objectsIn: Samples.dates)
    object.uuid.insert(objectsIn: Samples.uuids)
    object.objectId.insert(objectsIn: Samples.objectIds)
    object.decimal.insert(objectsIn: Samples.decimals)
    object.any.insert(objectsIn: Samples.anys)
    object.size.insert(objectsIn: Samples.sizes)
    object.cents.insert(objectsIn: Samples.cents)
    object.optionalInt.insert(objectsIn: [nil, 1, nil])
    try store.put(object)
    store.reopen()
    let found = try store.get(TypedSets.self, 0)
    #expect(Set(found.bool) == Set(Samples.bools))
    #expect(found.int.count == Samples.ints.count && Set(found.int) == Set(Samples.ints))
    #expect(Set(found.int8) == Set(Samples.int8s) && Set(found.int16) == Set(Samples.int16s))
    #expect(Set(found.int32) == Set(Samples.int32s) && Set(found.int64) == Set(Samples.int64s))
    #expect(Set(found.string) == Set(Samples.strings))
    #expect(Set(found.data) == Set(Samples.data))
    #expect(Set(found.date) == Set(Samples.dates))
    #expect(Set(found.uuid) == Set(Samples.uuids))
    #expect(Set(found.objectId) == Set(Samples.objectIds))
    #expect(Set(found.decimal) == Set(Samples.decimals))
    #expect(Set(found.any) == Set(Samples.anys))
    #expect(Set(found.size) == Set(Samples.sizes) && Set(found.cents) == Set(Samples.cents))
    #expect(Set(found.optionalInt) == [nil, 1] && found.optionalInt.count == 2)
    found.int.remove(.min)
    found.int.insert(42)
    try store.put(found)
    #expect(Set(try store.get(TypedSets.self, 0).int) == Set(Samples.ints).subtracting([.min]).union([42]))
  }

  private func entries<Value>(_ values: [Value]) -> [String: Value] {
    let keys = [
      "", "k", "nul\u{0}", "👩‍🚀", String(repeating: "key", count: 1000), "a.b", "$", "z", "8", "9", "10",
    ]
    return Dictionary(uniqueKeysWithValues: zip(keys, values))
  }

  @Test("maps", arguments: TypedPlace.allCases)
  func maps(place: TypedPlace) throws {
    let store = try TypedStore(place, [TypedMaps.self])
    let object = TypedMaps()
    object.bool.merge(entries(Samples.bools))
    object.int.merge(entries(Samples.ints))
    object.int8.merge(entries(Samples.int8s))
    object.float.merge(entries(Samples.floats))
    object.double.merge(entries(Samples.doubles))
    object.string.merge(entries(Samples.strings))
    object.data.merge(entries(Samples.data))
    object.date.merge(entries(Samples.dates))
    object.uuid.merge(entries(Samples.uuids))
    object.objectId.merge(entries(Samples.objectIds))
    object.decimal.merge(entries(Samples.decimals))
    object.any.merge(entries(Samples.anys))
    object.level.merge(entries(Samples.levels))
    object.cents.merge(entries(Samples.cents))
    object.optionalInt.merge(["a": nil, "b": 1])
    object.optionalString.merge(["a": "", "b": nil])
    try store.put(object)
    store.reopen()
    let found = try store.get(TypedMaps.self, 0)
    func same<Value>(_ map: Map<String, Value>, _ values: [Value]) -> Bool {
      map.dictionary.mapValues { typedBits($0) } == entries(values).mapValues { typedBits($0) }
    }
    #expect(same(found.bool, Samples.bools) && same(found.int, Samples.ints))
    #expect(same(found.int8, Samples.int8s) && same(found.float, Samples.floats))
    #expect(same(found.double, Samples.doubles) && same(found.string, Samples.strings))
    #expect(same(found.data, Samples.data) && same(found.date, Samples.dates))
    #expect(same(found.uuid, Samples.uuids) && same(found.objectId, Samples.objectIds))
    #expect(same(found.decimal, Samples.decimals) && same(found.any, Samples.anys))
    #expect(same(found.level, Samples.levels) && same(found.cents, Samples.cents))
    #expect(found.optionalInt.dictionary == ["a": nil, "b": 1])
    #expect(found.optionalString.dictionary == ["a": "", "b": nil])
    found.int[""] = nil
    found.int["new"] = 5
    try store.put(found)
    let again = try store.get(TypedMaps.self, 0)
    #expect(again.int[""] == nil && again.int["new"] == 5 && again.int.count == Samples.ints.count)
  }
}
