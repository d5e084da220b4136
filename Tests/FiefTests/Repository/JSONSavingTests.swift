import Fief
import Foundation
import TestEffort
import Testing

@Suite("Saving JSON documents")
struct JSONSavingTests {
  private func pets(_ place: TypedPlace = .memory) throws -> TypedStore {
    try TypedStore(place, TypedPet.types, embedded: TypedPet.embedded)
  }

  @Test("an array of objects with everything nested in it", arguments: TypedPlace.inClear)
  func nested(place: TypedPlace) throws {
    let store = try pets(place)
    try store.putJSON(
      TypedPet.self,
      """
      \u{FEFF}[
        {"id": 1, "name": "Lulu \\u00e9\\ud83d\\ude00\\n", "age": 3, "friend": 2, "unknown": [1, {"x": 2}],
         "favourite": {"name": "ball", "price": 12345678901234567890.123456789},
         "toys": ["ball", {"name": "bone", "price": 1}, "rope"],
         "toySet": [{"name": "ring"}], "toyMap": {"best": "ball", "none": null},
         "collar": {"color": "blue", "tag": {"text": "L", "lines": ["a", "b"]}, "maker": "ball"},
         "collars": [{}, {"color": "green"}], "collarMap": {"x": {"color": "white"}}},
        {"id": 2, "name": "Rex", "age": null, "toys": null}
      ]
      """,
      update: .error
    )
    store.reopen()
    let lulu = try store.get(TypedPet.self, 1)
    #expect(lulu.name == "Lulu é😀\n" && lulu.age == 3)
    #expect(lulu.friend?.name == "Rex" && lulu.friend?.age == nil && lulu.friend?.toys.isEmpty == true)
    #expect(lulu.favourite?.price == Decimal(string: "12345678901234567890.123456789"))
    #expect(lulu.toys.map(\.name) == ["ball", "bone", "rope"])
    #expect(lulu.toys[0].price == lulu.favourite?.price)
    #expect(lulu.toySet.map(\.name) == ["ring"])
    #expect(lulu.toyMap["best"]??.name == "ball")
    #expect(lulu.collar?.color == "blue" && lulu.collar?.tag?.lines.map { $0 } == ["a", "b"])
    #expect(lulu.collar?.maker?.name == "ball")
    #expect(lulu.collars.map(\.color) == ["red", "green"])
    #expect(lulu.collarMap["x"]??.color == "white")
    // The bare key of a toy that is nowhere else made one.
    #expect(try store.get(TypedToy.self, "rope").price == 0)
    #expect(try store.count(TypedToy.self) == 4)
    #expect(try store.count(TypedPet.self) == 2)
    #expect(try store.get(TypedToy.self, "ball").owners.map(\.id) == [1])
  }

  @Test("every type of value")
  func values() throws {
    let store = try TypedStore(.memory, [TypedScalars.self, TypedOptionals.self])
    try store.putJSON(
      TypedScalars.self,
      """
      {"id": -9223372036854775808, "bool": true, "int": 9223372036854775807, "int8": -128, "int16": 3.2e4,
       "int32": 1.0, "int64": -0, "float": 0.1, "double": 1e3, "string": "", "data": "AQID",
       "date": "2024-02-29T12:30:00.125+01:00", "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
       "objectId": "507f1f77bcf86cd799439011", "decimal": 0.1000000000000000000000000000000000001,
       "any": 1.5, "size": "large", "level": -1, "cents": 7}
      """
    )
    let found = try store.get(TypedScalars.self, Int.min)
    #expect(found.bool && found.int == .max && found.int8 == -128 && found.int16 == 32_000)
    #expect(found.int32 == 1 && found.int64 == 0 && found.float == 0.1 && found.double == 1000)
    #expect(found.data == Data([1, 2, 3]))
    #expect(found.date.timeIntervalSince1970 == 1_709_206_200.125)
    #expect(found.uuid.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    #expect(found.objectId.stringValue == "507f1f77bcf86cd799439011")
    #expect("\(found.decimal)" == "0.1000000000000000000000000000000000001")
    #expect(
      found.any == .double(1.5) && found.size == .large && found.level == .low && found.cents.amount == 7
    )
    try store.putJSON(
      TypedOptionals.self,
      #"[{"id": 1, "double": -0, "date": 0.5, "even": 4, "int": null}]"#
    )
    let optionals = try store.get(TypedOptionals.self, 1)
    #expect(optionals.double?.sign == .minus && optionals.date?.timeIntervalSince1970 == 0.5)
    #expect(optionals.even?.number == 4 && optionals.int == nil)
    let milliseconds = JSONOptions(epochInMilliseconds: true)
    try store.putJSON(TypedOptionals.self, #"{"id": 2, "date": 1500}"#, options: milliseconds)
    #expect(try store.get(TypedOptionals.self, 2).date?.timeIntervalSince1970 == 1.5)
  }

  static let dates: [(String, Double?)] = [
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29", 951_782_400), ("2001-02-29", nil), ("1900-02-29", nil),
    ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ("2024-01-01T00:00:00", nil), ("2024-01-01T24:00:00Z", nil), ("2024-13-01", nil), ("2024-1-1", nil),
    ("1969-12-31T23:59:59.5Z", -0.5), ("2024-01-01T01:00:00+0100", 1_704_067_200),
    ("2024-01-01t00:00z", 1_704_067_200), ("2023-12-31 19:00:00-05", 1_704_067_200), ("", nil),
    ("2024-01-01T00:00:00.Z", nil), ("2024-01-01T00:00:00Zx", nil),
  ]

  @Test("dates in ISO 8601", arguments: dates)
  func date(text: String, seconds: Double?) throws {
    let store = try TypedStore(.memory, [TypedOptionals.self])
    let document = #"{"id": 1, "date": "\#(text)"}"#
    guard let seconds else {
      let error = try typedError { try store.putJSON(TypedOptionals.self, document) }
      #expect(error.code == .invalidValue && error.path == "$.date")
      return
    }
    try store.putJSON(TypedOptionals.self, document)
    #expect(try store.get(TypedOptionals.self, 1).date?.timeIntervalSince1970 == seconds)
  }

  static let failures: [(String, FiefError.Code, String, String?, String?)] = [
    (#"[{"id": 1}, {"id": 2, "age": "old"}]"#, .invalidValue, "$[1].age", "age", "2"),
    (
      #"[{"id": 1, "toys": [{"name": "a"}, {"name": "b", "price": true}]}]"#, .invalidValue,
      "$[0].toys[1].price", "price", "b"
    ),
    (
      #"{"id": 1, "toyMap": {"first half": {"price": 1}}}"#, .missingValue,
      #"$.toyMap["first half"].name"#, "name", nil
    ),
    (#"{"name": "x"}"#, .missingValue, "$.id", "id", nil),
    (#"{"id": null}"#, .missingValue, "$.id", "id", nil),
    (#"{"id": 1, "name": null}"#, .missingValue, "$.name", "name", "1"),
    (#"{"id": 9223372036854775808}"#, .invalidValue, "$.id", "id", nil),
    (#"{"id": 1.5}"#, .invalidValue, "$.id", "id", nil),
    (#"{"id": 1, "collar": {"color": 5}}"#, .invalidValue, "$.collar.color", "color", nil),
    (#"{"id": 1, "collar": 5}"#, .invalidValue, "$.collar", nil, nil),
    (#"{"id": 1, "friend": "x"}"#, .invalidValue, "$.friend", "friend", "1"),
    (#"{"id": 1, "friend": [2]}"#, .invalidValue, "$.friend", "friend", "1"),
    (#"{"id": 1, "toys": {}}"#, .invalidValue, "$.toys", "toys", "1"),
    (#"{"id": 1, "toys": [null]}"#, .missingValue, "$.toys[0]", nil, nil),
    (
      #"{"id": 1, "favourite": {"name": "a", "price": 1e200}}"#, .invalidValue, "$.favourite.price",
      "price", "a"
    ),
    (#"[[1]]"#, .invalidValue, "$[0]", nil, nil),
    ("17", .invalidValue, "$", nil, nil),
    (#"[{"id": 1}, {"id": 2}, {"id": 1}]"#, .duplicatePrimaryKey, "$[2]", nil, "1"),
    (#"[{"id": 5, "toys": [{"name": "a"}, {"name": "a"}]}]"#, .duplicatePrimaryKey, "$[0].toys[1]", nil, "a"),
  ]

  @Test("failures name the place, and nothing is saved", arguments: failures)
  func failure(
    document: String,
    code: FiefError.Code,
    path: String,
    property: String?,
    key: String?
  ) async throws {
    let store = try pets()
    let error = try typedError { try store.putJSON(TypedPet.self, document, update: .error) }
    #expect(error.code == code, "\(error)")
    #expect(
      error.path == path && error.store == "model" && error.type?.hasPrefix("Typed") == true,
      "\(error)"
    )
    if let property { #expect(error.property == property, "\(error)") }
    if let key { #expect(error.key == key, "\(error)") }
    let later = await #expect(throws: FiefError.self) {
      try await store.save(saveClass: TypedPet.self, jsonData: Data(document.utf8), update: .error)
    }
    #expect(later?.code == code && later?.path == path)
    #expect(try store.count(TypedPet.self) == 0)
    #expect(try store.count(TypedToy.self) == 0)
  }

  static let malformedDocuments: [(String, String)] = [
    ("", "line 1, column 1"), (#"[{"id": 1}"#, "line 1, column 11"),
    ("[\n  {\"id\": 1},\n]", "line 3, column 1"),
    (#"{"id": 1,}"#, "line 1, column 10"),
    (#"{"id": 01}"#, "line 1, column 8"), (#"{"id": 1.}"#, "line 1, column 10"),
    (#"{"id": +1}"#, "line 1, column 8"),
    (#"{"id": NaN}"#, "line 1, column 8"), (#"{"name": "\x"}"#, "line 1, column 12"),
    (#"{"name": "\ud800"}"#, "line 1, column 17"), (#"{"name": "a"#, "line 1, column 10"),
    ("{\"name\": \"a\nb\"}", "line 1, column 12"), ("[] x", "line 1, column 4"),
    ("{id: 1}", "line 1, column 2"),
    ("[tru]", "line 1, column 2"),
  ]

  @Test("malformed documents are refused with their place", arguments: malformedDocuments)
  func malformed(document: String, position: String) throws {
    let store = try pets()
    let error = try typedError { try store.putJSON(TypedPet.self, document) }
    #expect(error.code == .malformedJSON && error.details.first == position, "\(error)")
    #expect(try store.count(TypedPet.self) == 0)
  }

  @Test("text that is not UTF-8 is malformed")
  func encoding() throws {
    let store = try pets()
    var outcome: Result<Bool, any Error>?
    let document = Data("{\"id\": 1, \"name\": \"".utf8) + Data([0xC3, 0x28]) + Data("\"}".utf8)
    outcome = Result {
      try store.saveAndWait(saveClass: TypedPet.self, jsonData: document, update: true)
      return true
    }
    let error = try typedError { _ = try #require(outcome).get() }
    #expect(error.code == .malformedJSON)
  }

  @Test("a document of millions of brackets is refused, not followed")
  func depthBomb() throws {
    let store = try pets()
    let arrays = String(repeating: "[", count: 5_000_000)
    #expect(try typedError { try store.putJSON(TypedPet.self, arrays) }.details.first == "line 1, column 513")
    let objects = #"{"id": "# + String(repeating: #"{"a":"#, count: 2_000_000)
    let error = try typedError { try store.putJSON(TypedPet.self, objects) }
    #expect(error.code == .malformedJSON && error.details.first == "line 1, column 2563")
  }

  @Test("nested to the limit")
  func depth() throws {
    let store = try pets()
    let friends = String(repeating: #"{"id": 1, "friend": "#, count: 511)
    try store.putJSON(TypedPet.self, friends + #"{"id": 2}"# + String(repeating: "}", count: 511))
    #expect(try store.get(TypedPet.self, 1).friend != nil)
  }

  @Test("unknown keys are refused by option, with their path")
  func unknownKeys() throws {
    let store = try pets()
    let document = #"[{"id": 1, "collar": {"colour": "x"}}]"#
    let error = try typedError {
      try store.putJSON(TypedPet.self, document, options: JSONOptions(unknownKeys: .refuse))
    }
    #expect(
      error.code == .unknownProperty && error.path == "$[0].collar.colour" && error.property == "colour"
    )
    #expect(try store.count(TypedPet.self) == 0)
    try store.putJSON(TypedPet.self, document)
    #expect(try store.get(TypedPet.self, 1).collar?.color == "red")
  }

  @Test("policies", arguments: TypedPlace.inClear)
  func policies(place: TypedPlace) throws {
    let store = try pets(place)
    try store.putJSON(
      TypedPet.self,
      #"[{"id": 1, "name": "a", "age": 1, "toys": ["x"]}, {"id": 2, "age": 2}]"#
    )
    // Only the given keys are written; a bare key leaves its object as it is.
    try store.putJSON(TypedToy.self, #"{"name": "x", "price": 5}"#)
    try store.putJSON(
      TypedPet.self,
      #"[{"id": 1, "age": 9, "favourite": "x"}, {"id": 3}]"#,
      update: .modified
    )
    store.reopen()
    let first = try store.get(TypedPet.self, 1)
    #expect(first.name == "a" && first.age == 9 && first.toys.map(\.name) == ["x"])
    #expect(first.favourite?.price == 5)
    #expect(try store.exists(TypedPet.self, forPrimaryKey: 3))
    try store.putJSON(TypedPet.self, #"{"id": 1, "age": 10}"#, update: .all)
    let changed = try store.get(TypedPet.self, 1)
    #expect(changed.name == "a" && changed.age == 10 && changed.toys.map(\.name) == ["x"])
    #expect(changed.favourite?.price == 5)
    let error = try typedError {
      try store.putJSON(TypedPet.self, #"[{"id": 7}, {"id": 2}]"#, update: .error)
    }
    #expect(error.code == .duplicatePrimaryKey && error.path == "$[1]" && error.key == "2")
    #expect(try !store.exists(TypedPet.self, forPrimaryKey: 7))
    #expect(try store.get(TypedPet.self, 2).age == 2)
    // The last of equal keys counts where replacing is allowed.
    try store.putJSON(TypedPet.self, #"[{"id": 8, "age": 1}, {"id": 8, "age": 2}]"#, update: .all)
    #expect(try store.get(TypedPet.self, 8).age == 2)
  }

  @Test("a class that the store does not have")
  func unknownClass() throws {
    let store = try TypedStore(.memory, [TypedToy.self, TypedPet.self], embedded: TypedPet.embedded)
    let error = try typedError { try store.putJSON(TypedScalars.self, "[]") }
    #expect(error.code == .unknownType)
    try store.putJSON(TypedPet.self, "[]")
    #expect(try store.count(TypedPet.self) == 0)
  }

  @Test("Many objects without a primary key, and with one")
  func many() async throws {
    let store = try TypedStore(
      .memory,
      [TypedNote.self, TypedToy.self, TypedPet.self],
      embedded: TypedPet.embedded
    )
    let count = TestEffort.count(8_000, more: 40_000)
    let notes =
      "[" + (0..<count).map { #"{"text": "note \#($0)", "number": \#($0)}"# }.joined(separator: ",") + "]"
    try await store.save(saveClass: TypedNote.self, jsonData: Data(notes.utf8), update: false)
    #expect(try store.count(TypedNote.self) == count)
    let numbers = try #require(store.queryAll(returningClass: TypedNote.self)).map(\.number)
    #expect(numbers == Array(0..<count))
    let toys =
      "[" + (0..<count).map { #"{"name": "toy \#($0)", "price": \#($0).25}"# }.joined(separator: ",") + "]"
    try store.putJSON(TypedToy.self, toys)
    #expect(try store.count(TypedToy.self) == count)
    #expect("\(try store.get(TypedToy.self, "toy \(count - 1)").price)" == "\(count - 1).25")
  }
}
