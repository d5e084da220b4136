import FiefRealm
import FiefTesting
import Foundation
import Testing

enum CodableKind: Int, PersistableEnum, Codable { case first = 1, second }

final class CodableLink: Object, Codable {
  @Persisted var value: Int
}

final class CodablePart: EmbeddedObject, Codable {
  @Persisted var value: Int
}

final class CodableEverything: Object, Codable {
  @Persisted var bool: Bool
  @Persisted var int: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var decimal: Decimal128
  @Persisted var objectId: ObjectId
  @Persisted var uuid: UUID
  @Persisted var kind: CodableKind
  @Persisted var any: AnyRealmValue

  @Persisted var boolOpt: Bool?
  @Persisted var intOpt: Int?
  @Persisted var floatOpt: Float?
  @Persisted var doubleOpt: Double?
  @Persisted var stringOpt: String?
  @Persisted var dataOpt: Data?
  @Persisted var dateOpt: Date?
  @Persisted var decimalOpt: Decimal128?
  @Persisted var objectIdOpt: ObjectId?
  @Persisted var uuidOpt: UUID?
  @Persisted var kindOpt: CodableKind?
  @Persisted var objectOpt: CodableLink?
  @Persisted var embeddedOpt: CodablePart?

  @Persisted var intList: List<Int>
  @Persisted var doubleOptList: List<Double?>
  @Persisted var stringList: List<String>
  @Persisted var dateList: List<Date>
  @Persisted var dateOptList: List<Date?>
  @Persisted var dataList: List<Data>
  @Persisted var decimalList: List<Decimal128>
  @Persisted var decimalOptList: List<Decimal128?>
  @Persisted var objectIdList: List<ObjectId>
  @Persisted var objectList: List<CodableLink>
  @Persisted var embeddedList: List<CodablePart>
  @Persisted var anyList: List<AnyRealmValue>

  @Persisted var intSet: MutableSet<Int>
  @Persisted var stringOptSet: MutableSet<String?>
  @Persisted var dateSet: MutableSet<Date>
  @Persisted var dataSet: MutableSet<Data>
  @Persisted var decimalSet: MutableSet<Decimal128>
  @Persisted var uuidSet: MutableSet<UUID>
  @Persisted var objectSet: MutableSet<CodableLink>

  @Persisted var intMap: Map<String, Int>
  @Persisted var boolOptMap: Map<String, Bool?>
  @Persisted var dateMap: Map<String, Date>
  @Persisted var dataMap: Map<String, Data>
  @Persisted var decimalMap: Map<String, Decimal128>
  @Persisted var decimalOptMap: Map<String, Decimal128?>
  @Persisted var objectOptMap: Map<String, CodableLink?>
  @Persisted var embeddedOptMap: Map<String, CodablePart?>
}

@Suite("Codable objects as Realm has them")
struct CodableBehaviourTests {
  private static let uuid = "00000000-0000-0000-0000-000000000000"
  private static let id = "1234567890abcdef12345678"

  /// A document with every property; those that may be nil as given.
  private func document(optional: (String) -> String, decimal: String = "1.5E2") -> String {
    let d = decimal
    return """
      {"bool": true, "int": 123, "int8": 123, "int16": 123, "int32": 123, "int64": 123, "float": 2.5, "double": 2.5,
      "string": "abc", "data": "ZGVm", "date": 2.5, "decimal": \(d), "objectId": "\(Self.id)", "uuid": "\(Self.uuid)",
      "kind": 2, "any": [1, "a", null, {"dictionary": {"b": true}}],
      \(optional("Opt"))
      "intList": [123], "doubleOptList": \(optional("[2.5]")), "stringList": ["abc"], "dateList": [2.5],
      "dateOptList": \(optional("[2.5]")), "dataList": ["ZGVm"], "decimalList": [\(d), 2],
      "decimalOptList": \(optional("[\(d)]")), "objectIdList": ["\(Self.id)"], "objectList": [{"value": 2}, {"value": 3}],
      "embeddedList": [{"value": 4}], "anyList": [1, true, null],
      "intSet": [123], "stringOptSet": \(optional("[\"abc\"]")), "dateSet": [2.5], "dataSet": ["ZGVm"],
      "decimalSet": [\(d)], "uuidSet": ["\(Self.uuid)"], "objectSet": [{"value": 5}],
      "intMap": {"foo": 123}, "boolOptMap": {"foo": \(optional("true"))}, "dateMap": {"foo": 2.5},
      "dataMap": {"foo": "ZGVm"}, "decimalMap": {"foo": \(d)}, "decimalOptMap": {"foo": \(optional(d))},
      "objectOptMap": {"foo": \(optional("{\"value\": 6}"))}, "embeddedOptMap": {"foo": \(optional("{\"value\": 7}"))}}
      """
  }

  private static let optionals = """
    "boolOpt": true, "intOpt": 123, "floatOpt": 2.5, "doubleOpt": 2.5, "stringOpt": "abc", "dataOpt": "ZGVm",
    "dateOpt": 2.5, "decimalOpt": 150, "objectIdOpt": "\(id)", "uuidOpt": "\(uuid)", "kindOpt": 1,
    "objectOpt": {"value": 8}, "embeddedOpt": {"value": 9},
    """
  private static let names = [
    "bool", "int", "float", "double", "string", "data", "date", "decimal", "objectId", "uuid", "kind",
    "object",
    "embedded",
  ]

  private func decode(_ text: String) throws -> CodableEverything {
    try JSONDecoder().decode(CodableEverything.self, from: Data(text.utf8))
  }

  private func check(_ object: CodableEverything) {
    let date = Date(timeIntervalSinceReferenceDate: 2.5)
    #expect(
      object.bool && object.int == 123 && object.int8 == 123 && object.int16 == 123 && object.int32 == 123
    )
    #expect(object.int64 == 123 && object.float == 2.5 && object.double == 2.5 && object.string == "abc")
    #expect(object.data == Data("def".utf8) && object.date == date && object.decimal == "1.5e2")
    #expect(object.objectId == ObjectId("1234567890abcdef12345678") && object.uuid.uuidString == Self.uuid)
    #expect(object.kind == .second && object.any == [1, "a", nil, ["b": true]])
    #expect(
      Array(object.intList) == [123] && Array(object.stringList) == ["abc"]
        && Array(object.dateList) == [date]
    )
    #expect(Array(object.dataList) == [Data("def".utf8)] && Array(object.decimalList) == [150, 2])
    #expect(object.objectIdList.map(\.stringValue) == [Self.id] && object.objectList.map(\.value) == [2, 3])
    #expect(object.embeddedList.map(\.value) == [4] && Array(object.anyList) == [1, true, nil])
    #expect(Array(object.intSet) == [123] && Array(object.dateSet) == [date] && object.dataSet.count == 1)
    #expect(
      Array(object.decimalSet) == [150] && object.uuidSet.count == 1 && object.objectSet.map(\.value) == [5]
    )
    #expect(object.intMap["foo"] == 123 && object.dateMap["foo"] == date && object.dataMap["foo"]?.count == 3)
    #expect(object.decimalMap["foo"] == 150)
  }

  private func checkOptionals(_ object: CodableEverything) {
    #expect(
      object.boolOpt == true && object.intOpt == 123 && object.floatOpt == 2.5 && object.doubleOpt == 2.5
    )
    #expect(object.stringOpt == "abc" && object.dataOpt?.count == 3 && object.decimalOpt == 150)
    #expect(
      object.dateOpt == Date(timeIntervalSinceReferenceDate: 2.5) && object.objectIdOpt == object.objectId
    )
    #expect(object.uuidOpt == object.uuid && object.kindOpt == .first)
    #expect(object.objectOpt?.value == 8 && object.embeddedOpt?.value == 9)
    #expect(Array(object.doubleOptList) == [2.5] && object.dateOptList.count == 1)
    #expect(Array(object.decimalOptList) == [150] && Array(object.stringOptSet) == ["abc"])
    #expect(object.boolOptMap["foo"] == true && object.decimalOptMap["foo"] == 150)
    #expect(object.objectOptMap["foo"]??.value == 6 && object.embeddedOptMap["foo"]??.value == 7)
  }

  private func checkNil(_ object: CodableEverything) {
    #expect(
      object.boolOpt == nil && object.intOpt == nil && object.floatOpt == nil && object.doubleOpt == nil
    )
    #expect(
      object.stringOpt == nil && object.dataOpt == nil && object.dateOpt == nil && object.decimalOpt == nil
    )
    #expect(object.objectIdOpt == nil && object.uuidOpt == nil && object.kindOpt == nil)
    #expect(object.objectOpt == nil && object.embeddedOpt == nil)
  }

  private func json(_ data: Data) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
  }

  /// The object itself, and what a store gives back of it.
  private func each(
    _ kind: StoreKind,
    _ object: CodableEverything,
    _ body: (CodableEverything) throws -> Void
  ) throws {
    try body(object)
    let fixture = try StoreFixture(
      TestRepository(
        "coded",
        objectTypes: [CodableEverything.self, CodableLink.self],
        embedded: [CodablePart.self]
      ),
      kind
    )
    let store = fixture.store()
    try store.write { store.add(object) }
    try body(object)
    try body(try #require(store.objects(CodableEverything.self).first))
    fixture.end()
  }

  @Test("have every value of a document, and write it", arguments: StoreKind.allCases)
  func values(_ kind: StoreKind) throws {
    let text = document(optional: { $0 == "Opt" ? Self.optionals : $0 }, decimal: "150")
    try each(kind, try decode(text)) { object in
      check(object)
      checkOptionals(object)
      let encoded = try JSONEncoder().encode(object)
      let again = try decode(String(decoding: encoded, as: UTF8.self))
      check(again)
      checkOptionals(again)
      #expect(try json(encoded) == json(Data(text.utf8)))
    }
  }

  @Test(
    "take decimals that Realm has written, which are texts",
    arguments: ["\"1.5E2\"", "\"150\"", "1.5e2"]
  )
  func decimals(_ decimal: String) throws {
    let object = try decode(
      document(
        optional: { $0 == "Opt" ? Self.optionals.replacingOccurrences(of: "150", with: decimal) : $0 },
        decimal: decimal
      )
    )
    check(object)
    checkOptionals(object)
    #expect(throws: DecodingError.self) {
      try decode(document(optional: { $0 == "Opt" ? "" : $0 }, decimal: "\"1.5 e\""))
    }
    #expect(throws: DecodingError.self) {
      try decode(document(optional: { $0 == "Opt" ? "" : $0 }, decimal: "\"1e500\""))
    }
  }

  @Test(
    "have nil for null and for what is missing, and write null",
    arguments: StoreKind.allCases,
    [true, false]
  )
  func nils(_ kind: StoreKind, _ isMissing: Bool) throws {
    let nulls = Self.names.map { "\"\($0)Opt\": null," }.joined()
    let text = document { value in
      if value == "Opt" { return isMissing ? "" : nulls }
      return value.hasPrefix("[") ? "[null]" : "null"
    }
    try each(kind, try decode(text.replacingOccurrences(of: "1.5E2", with: "150"))) { object in
      check(object)
      checkNil(object)
      #expect(Array(object.doubleOptList) == [nil] && Array(object.stringOptSet) == [nil])
      #expect(object.boolOptMap["foo"] == .some(nil) && object.objectOptMap["foo"] == .some(nil))
      #expect(object.embeddedOptMap["foo"].map { $0 == nil } == true && Array(object.decimalOptList) == [nil])
      let encoded = try json(JSONEncoder().encode(object))
      for name in Self.names { #expect(encoded["\(name)Opt"] is NSNull, "\(name)") }
      #expect((encoded["boolOptMap"] as? NSDictionary)?["foo"] is NSNull)
    }
  }

  @Test("follow the coder's strategies for dates and data, in collections too")
  func strategies() throws {
    let object = CodableEverything()
    object.date = Date(timeIntervalSince1970: 1)
    object.dateOpt = Date(timeIntervalSince1970: 2)
    object.dateList.append(Date(timeIntervalSince1970: 3))
    object.dateOptList.append(Date(timeIntervalSince1970: 4))
    object.dateSet.insert(Date(timeIntervalSince1970: 5))
    object.dateMap["a"] = Date(timeIntervalSince1970: 6)
    object.data = Data(count: 1)
    object.dataOpt = Data(count: 2)
    object.dataList.append(Data(count: 3))
    object.dataSet.insert(Data(count: 4))
    object.dataMap["b"] = Data(count: 5)
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      try "custom: \(date.timeIntervalSince1970)".encode(to: encoder)
    }
    encoder.dataEncodingStrategy = .custom { data, encoder in try "length: \(data.count)".encode(to: encoder)
    }
    let encoded = try json(encoder.encode(object))
    #expect(encoded["date"] as? String == "custom: 1.0" && encoded["dateOpt"] as? String == "custom: 2.0")
    #expect(encoded["dateList"] as? [String] == ["custom: 3.0"])
    #expect(encoded["dateOptList"] as? [String] == ["custom: 4.0"])
    #expect(encoded["dateSet"] as? [String] == ["custom: 5.0"])
    #expect(encoded["dateMap"] as? [String: String] == ["a": "custom: 6.0"])
    #expect(encoded["data"] as? String == "length: 1" && encoded["dataOpt"] as? String == "length: 2")
    #expect(
      encoded["dataList"] as? [String] == ["length: 3"] && encoded["dataSet"] as? [String] == ["length: 4"]
    )
    #expect(encoded["dataMap"] as? [String: String] == ["b": "length: 5"])
  }

  @Test("follow the coder's strategy for keys, which leaves those of maps")
  func keys() throws {
    let object = CodableEverything()
    object.intMap["aKey"] = 1
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let encoded = try encoder.encode(object)
    let document = try json(encoded)
    #expect(document["int_opt"] is NSNull && document["int"] as? Int == 0)
    #expect(document["int_map"] as? [String: Int] == ["aKey": 1] && document["intMap"] == nil)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try decoder.decode(CodableEverything.self, from: encoded).intMap["aKey"] == 1)
  }
}
