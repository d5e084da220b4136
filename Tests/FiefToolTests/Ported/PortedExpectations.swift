import FiefRealm
import Foundation
import Testing

/// What the objects of both exports in `Fixtures/RealmExports` have to be, written by hand.
struct PortedExpectations {
  let realm: Realm
  private let data = Data([1])
  private let first: ObjectId = ObjectId("507f1f77bcf86cd799439011")
  private let second: ObjectId = ObjectId("507f1f77bcf86cd799439012")
  private let uuid: UUID

  init(_ realm: Realm) throws {
    self.realm = realm
    uuid = try #require(UUID(uuidString: "F1EF0000-0000-4000-8000-00000000000B"))
  }

  func check() throws {
    try single()
    try maybe()
    try mixed()
    try links()
    try lists()
    try moreLists()
    try sets()
    try maps()
    try moreMaps()
  }

  private func after2001(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  private func object<Model: Object>(_ type: Model.Type, _ key: some Any) throws -> PortedValues<Model> {
    try PortedValues(realm.object(ofType: type, forPrimaryKey: key))
  }

  private func single() throws {
    let one = try object(Ported.Single.self, 1)
    one.has(\.bool, true)
    one.has(\.int, 9_223_372_036_854_775_807)
    one.has(\.int8, 127)
    one.has(\.int16, 32767)
    one.has(\.int32, 2_147_483_647)
    one.has(\.int64, -9_223_372_036_854_775_808)
    one.has(\.float, 0.1)
    one.has(\.double, 0.1)
    one.has(\.string, "a \"quoted\"\nüber 🐕 / \\")
    one.has(\.data, Data([0, 255, 16]))
    one.has(\.date, after2001(730_900_800.125))
    one.has(\.decimal, 12.5)
    one.has(\.objectId, first)
    one.has(\.uuid, uuid)
    one.has(\.mood, .wild)
    one.has(\.level, .high)
    one.has(\.any, .int(7))
    one.has(\.longName, "renamed")
    one.has(\.keyed?.name, "b")
    one.has(\.numbered?.name, "two")
    one.has(\.part?.name, "p")
    one.has(\.part?.size, 1.5)
    one.has(\.part?.keyed?.name, "a")
    #expect(one.model.part?.inner.map(\.date) == [after2001(0), Date(timeIntervalSince1970: 0)])
    #expect(one.model.part?.inner.map(\.any) == [.date(after2001(1.5)), .none])
    #expect(one.model.inverse.map(\.name) == ["a"])

    let two = try object(Ported.Single.self, 2)
    two.has(\.bool, false)
    two.has(\.int, -1)
    two.has(\.int8, -128)
    two.has(\.int16, -32768)
    two.has(\.int32, -2_147_483_648)
    two.has(\.int64, 9_007_199_254_740_993)
    two.has(\.float, .nan)
    two.has(\.double, -.infinity)
    two.has(\.string, "")
    two.has(\.data, Data())
    two.has(\.date, after2001(-0.5))
    two.has(\.decimal, -1500)
    two.has(\.objectId, second)
    two.has(\.uuid.uuidString, "F1EF0000-0000-4000-8000-00000000000C")
    two.has(\.mood, .calm)
    two.has(\.level, .low)
    two.has(\.any, .none)
    two.has(\.longName, "")
    two.has(\.keyed, nil)
    two.has(\.numbered, nil)
    #expect(two.model.part == nil)

    let three = try object(Ported.Single.self, -3)
    three.has(\.float, .infinity)
    three.has(\.double, .nan)
    three.has(\.string, "null")
    three.has(\.data, Data([0]))
    three.has(\.date, after2001(1e11))
    #expect(three.model.decimal.isNaN)
    three.has(\.objectId, ObjectId("000000000000000000000000"))
    three.has(\.any, .string("text"))
    three.has(\.part?.size, nil)
    three.has(\.part?.keyed, nil)
    #expect(three.model.part?.inner.isEmpty == true)
  }

  private func maybe() throws {
    let some = try object(Ported.Maybe.self, ObjectId("507f1f77bcf86cd7994390a1") as ObjectId)
    some.has(\.bool, false)
    some.has(\.int, 0)
    some.has(\.int8, -8)
    some.has(\.int16, 16)
    some.has(\.int32, -32)
    some.has(\.int64, 64)
    some.has(\.float, 1.5)
    some.has(\.double?.sign, .minus)
    some.has(\.double, 0)
    some.has(\.string, "")
    some.has(\.data, Data())
    some.has(\.date, after2001(0))
    some.has(\.decimal, 0.000001)
    some.has(\.objectId, first)
    some.has(\.uuid, uuid)
    some.has(\.mood, .calm)
    some.has(\.level, .low)

    let none = try object(Ported.Maybe.self, ObjectId("507f1f77bcf86cd7994390a2") as ObjectId)
    none.has(\.bool, nil)
    none.has(\.int, nil)
    none.has(\.int8, nil)
    none.has(\.int16, nil)
    none.has(\.int32, nil)
    none.has(\.int64, nil)
    none.has(\.float, nil)
    none.has(\.double, nil)
    none.has(\.string, nil)
    none.has(\.data, nil)
    none.has(\.date, nil)
    none.has(\.decimal, nil)
    none.has(\.objectId, nil)
    none.has(\.uuid, nil)
    none.has(\.mood, nil)
    none.has(\.level, nil)
  }

  private func mixed() throws {
    let a = try #require(realm.object(ofType: Ported.Keyed.self, forPrimaryKey: "a"))
    let b = try #require(realm.object(ofType: Ported.Keyed.self, forPrimaryKey: "b"))
    let two = try #require(realm.objects(Ported.Numbered.self).where { $0.name == "two" }.first)
    let expected: [AnyRealmValue] = [
      .bool(true), .int(-5), .float(1.5), .double(2), .string("text"), .data(Data([1, 2, 3])),
      .date(after2001(730_900_800.125)), .objectId(first), .decimal128(12.5), .uuid(uuid), .object(a),
      .object(two), .list([.int(1), .none, .list([.bool(true), .dictionary(["deep": .object(b)])])]),
      .dictionary([
        "list": .list([.float(0.5), .string("x")]), "none": .none, "map": .dictionary(["$date": .int(1)]),
      ]), .none, .list([]), .dictionary([:]),
    ]
    let found = Array(realm.objects(Ported.Mixed.self).sorted(byKeyPath: "_id").map(\.any))
    #expect(found.dropLast() == expected[...])
    guard case .double(let last) = found.last else { throw Unexpected() }
    #expect(last.isNaN)
  }

  private func links() throws {
    try object(Ported.Keyed.self, "a").has(\.single?._id, 1)
    try object(Ported.Keyed.self, "b").has(\.single, nil)
    let numbered = realm.objects(Ported.Numbered.self).sorted(byKeyPath: "name")
    #expect(numbered.map(\.name) == ["one", "two"])
    #expect(numbered.map(\.next?.name) == ["two", "one"])
  }

  private func lists() throws {
    let one = try object(Ported.Lists.self, 1)
    one.has(\.bool, [true, false, true])
    one.has(\.int, [3, 1, 3])
    one.has(\.int8, [-128, 127])
    one.has(\.int16, [-16])
    one.has(\.int32, [32])
    one.has(\.int64, [.min])
    one.has(\.float, [1.5, .nan, -.infinity])
    one.has(\.double, [0.1, .infinity, -2])
    one.has(\.string, ["b", "", "a", "b"])
    one.has(\.data, [data, Data()])
    one.has(\.date, [after2001(0.5), after2001(-1)])
    one.has(\.decimal, [1, 2.5, .nan])
    one.has(\.objectId, [first])
    one.has(\.uuid, [uuid])
    one.has(\.mood, [.wild, .calm])
    let a = try #require(realm.object(ofType: Ported.Keyed.self, forPrimaryKey: "a"))
    one.has(
      \.any,
      [
        .none, .bool(true), .int(1), .double(1), .float(1), .string("1"), .date(after2001(1)),
        .list([.int(1)]),
        .dictionary(["k": .string("v")]), .object(a),
      ]
    )
    // The kinds, too: numbers of several kinds can be equal.
    #expect(one.model.any.map { kind(of: $0) } == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  }

  private func kind(of value: AnyRealmValue) -> Int? {
    switch value {
    case .none: 0
    case .bool: 1
    case .int: 2
    case .double: 3
    case .float: 4
    case .string: 5
    case .date: 6
    case .list: 7
    case .dictionary: 8
    case .object: 9
    default: nil
    }
  }

  private func moreLists() throws {
    let one = try object(Ported.Lists.self, 1)
    one.has(\.maybeBool, [nil, true])
    one.has(\.maybeInt, [nil, 1, nil])
    one.has(\.maybeInt8, [8, nil])
    one.has(\.maybeDouble, [nil, .nan, 0.5])
    one.has(\.maybeString, ["", nil])
    one.has(\.maybeData, [nil, data])
    one.has(\.maybeDate, [after2001(1), nil])
    one.has(\.maybeDecimal, [nil, 0.1])
    one.has(\.maybeObjectId, [first, nil])
    one.has(\.maybeUUID, [nil, uuid])
    one.has(\.maybeLevel, [.high, nil, .low])
    #expect(one.model.keyed.map(\.name) == ["b", "a", "b"])
    #expect(one.model.numbered.map(\.name) == ["two", "one", "two"])
    #expect(one.model.part.map(\.name) == ["one", "two"])
    #expect(one.model.part.map(\.size) == [nil, 2])
    #expect(one.model.part.map(\.keyed?.name) == ["b", nil])
    #expect(one.model.part.map { $0.inner.map(\.any) } == [[], [.list([.int(1)])]])

    let two = try object(Ported.Lists.self, 2).model
    let counts = [
      two.bool.count, two.int.count, two.float.count, two.string.count, two.data.count, two.any.count,
      two.maybeInt.count, two.maybeLevel.count, two.keyed.count, two.numbered.count, two.part.count,
    ]
    #expect(counts.allSatisfy { $0 == 0 })
  }

  private func sets() throws {
    let key = try #require(UUID(uuidString: "F1EF0000-0000-4000-8000-0000000000A1"))
    let one = try object(Ported.Sets.self, key)
    one.has(\.bool, [true, false])
    one.has(\.int, [3, 1, -2])
    one.has(\.int8, [-128, 127])
    one.has(\.int16, [-16])
    one.has(\.int32, [32])
    one.has(\.int64, [.min, .max])
    one.has(\.float, [1.5, .infinity])
    one.has(\.double, [0.1, -.infinity])
    one.has(\.string, ["a", "b", ""])
    one.has(\.data, [data, Data()])
    one.has(\.date, [after2001(0.5), after2001(-1)])
    one.has(\.decimal, [1, 2.5])
    one.has(\.objectId, [first, second])
    one.has(\.uuid, [uuid])
    one.has(\.level, [.high, .low])
    let b = try #require(realm.object(ofType: Ported.Keyed.self, forPrimaryKey: "b"))
    one.has(\.any, [.none, .bool(true), .int(5), .string("five"), .decimal128(0.5), .object(b)])
    one.has(\.maybeInt, [nil, 0])
    one.has(\.maybeString, [nil, ""])
    one.has(\.maybeDate, [nil, after2001(1)])
    one.has(\.maybeUUID, [nil, uuid])
    one.has(\.maybeMood, [nil, .calm])
    #expect(one.model.keyed.map(\.name).sorted() == ["a", "b"])
    #expect(one.model.numbered.map(\.name).sorted() == ["one", "two"])
  }

  private func maps() throws {
    let one = try object(Ported.Maps.self, "m")
    one.has(\.bool, ["a": true])
    one.has(\.int, ["": -1, "b": 2])
    one.has(\.int8, ["a": -8])
    one.has(\.int16, ["a": 16])
    one.has(\.int32, ["a": -32])
    one.has(\.int64, ["a": .max])
    one.has(\.float, ["a": .nan, "b": 0.5])
    one.has(\.double, ["a": 0.1, "b": .infinity])
    one.has(\.string, ["key \"quoted\"": "value", "dot.ted": "", "$dollar": "d"])
    one.has(\.data, ["a": data])
    one.has(\.date, ["a": after2001(0.5)])
    one.has(\.decimal, ["a": -2.5])
    one.has(\.objectId, ["a": first])
    one.has(\.uuid, ["a": uuid])
    one.has(\.mood, ["a": .wild])
    let numbered = try #require(realm.objects(Ported.Numbered.self).where { $0.name == "one" }.first)
    one.has(
      \.any,
      [
        "none": .none, "bool": .bool(false), "list": .list([.int(1), .list([.int(2)])]),
        "object": .object(numbered), "id": .objectId(first),
      ]
    )
  }

  private func moreMaps() throws {
    let one = try object(Ported.Maps.self, "m")
    one.has(\.maybeInt, ["a": nil, "b": 1])
    one.has(\.maybeFloat, ["a": nil, "b": 1.5])
    one.has(\.maybeString, ["a": nil, "b": ""])
    one.has(\.maybeData, ["a": nil, "b": Data()])
    one.has(\.maybeDate, ["a": nil, "b": after2001(0)])
    one.has(\.maybeObjectId, ["a": nil, "b": first])
    one.has(\.maybeLevel, ["a": nil, "b": .high])
    #expect(one.model.keyed.dictionary.mapValues { $0?.name } == ["one": "a", "none": nil])
    #expect(one.model.numbered.dictionary.mapValues { $0?.name } == ["two": "two", "none": nil])
    #expect(one.model.part.dictionary.mapValues { $0?.name } == ["p": "in a map", "none": nil])
    #expect(one.model.part["p"]??.size == 0.25)
    #expect(one.model.part["p"]??.keyed?.name == "a")
  }

  private struct Unexpected: Error {}
}
