import Fief
import Foundation
import Testing

@Suite("Objects from values")
struct ObjectValueTests {
  @Test("dictionaries, arrays by position, and objects, also nested")
  func forms() throws {
    let values: [String: Any] = [
      "id": 1, "name": "Lulu", "age": 3, "favourite": ["ball", Decimal(2)] as [Any],
      "friend": ["id": 2, "toys": [["name": "bone"]]] as [String: Any],
      "toys": [["name": "a"], ["b", 1], TypedToy(value: ["name": "c"])] as [Any],
      "toyMap": ["x": ["name": "d"], "y": NSNull()] as [String: Any],
      "collar": ["color": "blue", "tag": ["t", ["1", "2"]] as [Any]] as [String: Any],
      "collars": [[String: Any]()],
    ]
    let pet = try TypedPet(validating: values)
    #expect(pet.name == "Lulu" && pet.age == 3 && pet.favourite?.price == 2)
    #expect(pet.friend?.toys.map(\.name) == ["bone"] && pet.toys.map(\.name) == ["a", "b", "c"])
    #expect(pet.toyMap["x"]??.name == "d" && pet.toyMap.count == 2)
    #expect(pet.collar?.color == "blue" && pet.collar?.tag?.lines.map { $0 } == ["1", "2"])
    #expect(pet.collars.map(\.color) == ["red"])
    let copy = TypedPet(value: pet)
    #expect(copy.name == "Lulu" && copy.toys.count == 3 && copy.favourite === pet.favourite)
    let toy = TypedToy(value: ["ball", 5])
    #expect(toy.name == "ball" && toy.price == 5)
  }

  static let failures: [(String, @Sendable () -> Any, FiefError.Code, String?, String)] = [
    ("unknown", { ["id": 1, "colour": "x"] as [String: Any] }, .unknownProperty, "colour", "$.colour"),
    ("type", { ["name": 5] }, .invalidValue, "name", "$.name"),
    ("nil", { ["name": NSNull()] }, .missingValue, "name", "$.name"),
    ("nil in an optional", { ["name": Optional<String>.none as Any] }, .missingValue, "name", "$.name"),
    ("range", { ["id": UInt64.max] }, .invalidValue, "id", "$.id"),
    ("nested", { ["toys": [["name": "a"], ["name": true]]] }, .invalidValue, "name", "$.toys[1].name"),
    ("count", { [Any](repeating: 1, count: 99) }, .invalidValue, nil, "$"),
    ("nested count", { ["favourite": ["x", 1, 2] as [Any]] }, .invalidValue, nil, "$.favourite"),
    ("no values", { 5 }, .invalidValue, nil, "$"),
    ("other class", { TypedToy() }, .invalidValue, nil, "$"),
    ("inverse", { ["friends": [Int]()] }, .unknownProperty, "friends", "$.friends"),
    ("map", { ["toyMap": ["k": 1]] }, .invalidValue, nil, #"$.toyMap["k"]"#),
  ]

  @Test("what does not fit is an error with the property", arguments: failures)
  func failure(
    name: String,
    value: @Sendable () -> Any,
    code: FiefError.Code,
    property: String?,
    path: String
  ) throws {
    let error = try typedError { _ = try TypedPet(validating: value()) }
    #expect(error.code == code && error.path == path, "\(name): \(error)")
    #expect(error.type?.hasPrefix("Typed") == true, "\(name): \(error)")
    if let property { #expect(error.property == property, "\(name): \(error)") }
  }

  @Test("the plain form leaves out what does not fit until the object is saved")
  func lenient() {
    let pet = TypedPet(value: ["id": 1, "name": 5, "age": "x", "nothing": 1, "collar": ["color": "blue"]])
    #expect(pet.id == 1 && pet.name == "" && pet.age == nil && pet.collar?.color == "blue")
    #expect(TypedPet(value: 5).id == 0)
    #expect(TypedToy(value: ["ball"]).name == "ball")
  }

  @Test("numbers of other types fit where they lose nothing")
  func numbers() throws {
    let object = try TypedScalars(
      validating: [
        "id": Int8(5), "int8": 100, "float": 0.5, "double": 3, "decimal": 0.1, "int64": UInt32.max,
        "level": 9, "size": "large", "cents": 12, "any": 5, "date": Date(timeIntervalSince1970: 1),
      ])
    #expect(object.id == 5 && object.int8 == 100 && object.float == 0.5 && object.double == 3)
    #expect("\(object.decimal)" == "0.1" && object.int64 == Int64(UInt32.max) && object.level == .high)
    #expect(object.size == .large && object.cents.amount == 12 && object.any == .int(5))
    let values: [(String, Any)] = [
      ("int", 1.5), ("int", true), ("bool", 1), ("double", Int.max), ("float", 1e300), ("date", 5),
      ("decimal", "x"), ("decimal", "1" + String(repeating: "0", count: 38) + "1"), ("uuid", "x"),
      ("objectId", "x"), ("size", "none"), ("data", "AQID"),
    ]
    for (property, value) in values {
      let error = try typedError { _ = try TypedScalars(validating: [property: value]) }
      #expect(error.code == .invalidValue && error.property == property, "\(value)")
    }
  }
}
