import Fief
import Foundation
import Testing

final class ModelCodable: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var nick: String?
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId
  @Persisted var size: ModelSize
  @Persisted var decimal: Decimal
  @Persisted var any: AnyRealmValue
  @Persisted var tags: List<String>
  @Persisted var numbers: MutableSet<Int>
  @Persisted var scores: Map<String, Double?>
  @Persisted var part: ModelCodablePart?
  @Persisted var parts: List<ModelCodablePart>
  @Persisted var parent: ModelCodable?
  @Persisted(originProperty: "parent") var children: LinkingObjects<ModelCodable>

  enum CodingKeys: String, CodingKey {
    case id, name, uuid, objectId, size, decimal, any, tags, numbers, scores, part, parts, parent
    case nick = "nick_name"
  }
}

final class ModelCodablePart: EmbeddedObject, Codable {
  @Persisted var text = ""
  @Persisted var lines: List<String>
}

class ModelCodableBase: Object, Codable {
  @Persisted(primaryKey: true) var key = ""
  @Persisted var count: Int?
}

@Suite("Codable objects")
struct CodableTests {
  private func sample() -> ModelCodable {
    let object = ModelCodable()
    object.id = 1
    object.name = "n"
    object.nick = "nn"
    object.decimal = ModelSamples.decimals[6]
    object.size = .large
    object.any = .date(Date(timeIntervalSinceReferenceDate: 5))
    object.tags.append(objectsIn: ["a", "b"])
    object.numbers.insert(objectsIn: [1, 2])
    object.scores.merge(["x": 0.5, "y": nil])
    object.part = ModelCodablePart(value: ["text": "p", "lines": ["1"]])
    object.parts.append(ModelCodablePart(value: ["text": "q"]))
    object.parent = ModelCodable(value: ["id": 2, "tags": ["z"]])
    return object
  }

  private func check(_ object: ModelCodable, like other: ModelCodable) {
    #expect(object.id == other.id && object.name == other.name && object.nick == other.nick)
    #expect(object.uuid == other.uuid && object.objectId == other.objectId && object.size == other.size)
    #expect(object.decimal == other.decimal && object.any == other.any)
    #expect(Array(object.tags) == ["a", "b"] && Set(object.numbers) == [1, 2])
    #expect(object.scores.dictionary == ["x": 0.5, "y": nil])
    #expect(object.part?.text == "p" && object.part?.lines.map { $0 } == ["1"])
    #expect(object.parts.map(\.text) == ["q"] && object.parent?.tags.map { $0 } == ["z"])
  }

  @Test("new ones both ways, unset ids included", arguments: ModelPlace.allCases)
  func plain(place: ModelPlace) throws {
    let object = sample()
    let document = try JSONEncoder().encode(object)
    let decoded = try JSONDecoder().decode(ModelCodable.self, from: document)
    check(decoded, like: object)
    let json = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
    #expect(json["nick_name"] as? String == "nn" && json["nick"] == nil && json["children"] == nil)
    let store = try ModelStore(place, [ModelCodable.self], embedded: [ModelCodablePart.self])
    try store.put(decoded)
    store.reopen()
    check(try store.get(ModelCodable.self, 1), like: object)
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: ModelCodable.self, forPrimaryKey: 1))
      live.part?.lines.append("2")
    }
    #expect(try store.get(ModelCodable.self, 1).part?.lines.count == 2)
  }

  @Test("fetched ones, of which nothing was read yet", arguments: ModelPlace.allCases)
  func fetched(place: ModelPlace) throws {
    let store = try ModelStore(place, [ModelCodable.self], embedded: [ModelCodablePart.self])
    let object = sample()
    try store.put(object)
    store.reopen()
    let found = try store.get(ModelCodable.self, 1)
    let decoded = try JSONDecoder().decode(ModelCodable.self, from: JSONEncoder().encode(found))
    check(decoded, like: object)
    // Still unread, and still what it was.
    check(found, like: object)
    #expect(found.parent?.children.map(\.id) == [1])
    found.tags.append("c")
    try store.put(found, update: .modified)
    let again = try store.get(ModelCodable.self, 1)
    let document = try JSONEncoder().encode(again)
    #expect(try JSONDecoder().decode(ModelCodable.self, from: document).tags.count == 3)
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: ModelCodable.self, forPrimaryKey: 1))
      live.tags.removeAll()
      #expect(try JSONDecoder().decode(ModelCodable.self, from: JSONEncoder().encode(live)).tags.isEmpty)
    }
  }

  @Test("missing keys: nil for an optional, an error for others")
  func missingKeys() throws {
    let decoded = try JSONDecoder().decode(ModelCodableBase.self, from: Data(#"{"key": "k"}"#.utf8))
    #expect(decoded.key == "k" && decoded.count == nil)
    let null = try JSONDecoder().decode(
      ModelCodableBase.self,
      from: Data(#"{"key": "k", "count": null}"#.utf8)
    )
    #expect(null.count == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ModelCodableBase.self, from: Data(#"{"count": 1}"#.utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ModelCodableBase.self, from: Data(#"{"key": 5}"#.utf8))
    }
  }

  @Test("decoded properties count as assigned")
  func assigned() throws {
    let store = try ModelStore(.memory, [ModelCodableBase.self])
    try store.put(ModelCodableBase(value: ["key": "k", "count": 1]))
    let decoded = try JSONDecoder().decode(ModelCodableBase.self, from: Data(#"{"key": "k"}"#.utf8))
    try store.put(decoded, update: .modified)
    #expect(try store.get(ModelCodableBase.self, "k").count == 1)
    let null = try JSONDecoder().decode(ModelCodableBase.self, from: Data(#"{"key": "k", "count": 2}"#.utf8))
    try store.put(null, update: .modified)
    #expect(try store.get(ModelCodableBase.self, "k").count == 2)
  }

  @Test("a circle of links is an error")
  func circle() throws {
    let store = try ModelStore(.memory, [ModelCodable.self], embedded: [ModelCodablePart.self])
    let object = ModelCodable(value: ["id": 1])
    object.parent = object
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(object) }
    try store.put(object)
    let found = try store.get(ModelCodable.self, 1)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(found) }
    object.parent = nil
  }

  @Test("what cannot be read is an error, not nothing")
  func closed() throws {
    let store = try ModelStore(.disk, [ModelCodable.self], embedded: [ModelCodablePart.self])
    try store.put(sample())
    let found = try store.get(ModelCodable.self, 1)
    store.close()
    #expect(throws: FiefError.self) { try JSONEncoder().encode(found) }
  }

  @Test(
    "values of any type",
    arguments: ModelSamples.anys.filter { $0 != .double(.infinity) } + [
      .double(1), .double(-0.0), .double(0.1), .int(1), .string(""),
    ]
  )
  func anyValue(value: AnyRealmValue) throws {
    let decoded = try JSONDecoder().decode([AnyRealmValue].self, from: JSONEncoder().encode([value]))
    #expect(decoded == [value])
    #expect(decoded.first?.doubleValue?.sign == value.doubleValue?.sign)
  }
}

final class ModelPetName: Projection<ModelPet> {
  @Projected(\ModelPet.name) var name
  @Projected(\ModelPet.collar?.tag?.text) var tag
  @Projected(\ModelPet.friend?.name) var friendName
  @Projected(\ModelPet.toys.count) var toyCount
}

@Suite("Projections")
struct ProjectionTests {
  @Test("read through to their objects", arguments: ModelPlace.allCases)
  func reading(place: ModelPlace) throws {
    let store = try ModelStore(place, ModelPet.types, embedded: ModelPet.embedded)
    for id in 1...3 {
      try store.put(
        ModelPet(value: [
          "id": id, "name": "p\(id)", "collar": ["tag": ["text": "t\(id)"]],
          "friend": ["id": 10, "name": "f"],
          "toys": [["name": "x"], ["name": "y"]],
        ])
      )
    }
    store.reopen()
    let all = try #require(store.queryAll(returningClass: ModelPet.self))
    let names = all.filter(#Predicate { $0.id < 10 }).sorted(byKeyPath: "name", ascending: false)
      .as(ModelPetName.self)
    #expect(names.map(\.name) == ["p3", "p2", "p1"] && names.count == 3 && !names.isEmpty)
    #expect(names.first?.tag == "t3" && names.last?.name == "p1" && names[1]?.friendName == "f")
    #expect(names[1]?.toyCount == 2 && names[3] == nil)
    #expect(try names.all().map(\.rootObject.id) == [3, 2, 1])
    let pet = ModelPet(value: ["name": "new"])
    let view = ModelPetName(projecting: pet)
    pet.name = "changed"
    #expect(view.name == "changed" && view.tag == nil && view.toyCount == 0)
  }
}
