import Fief
import Foundation
import Testing

final class TypedCodable: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var nick: String?
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId
  @Persisted var size: TypedSize
  @Persisted var decimal: Decimal
  @Persisted var any: AnyRealmValue
  @Persisted var tags: List<String>
  @Persisted var numbers: MutableSet<Int>
  @Persisted var scores: Map<String, Double?>
  @Persisted var part: TypedCodablePart?
  @Persisted var parts: List<TypedCodablePart>
  @Persisted var parent: TypedCodable?
  @Persisted(originProperty: "parent") var children: LinkingObjects<TypedCodable>

  enum CodingKeys: String, CodingKey {
    case id, name, uuid, objectId, size, decimal, any, tags, numbers, scores, part, parts, parent
    case nick = "nick_name"
  }
}

final class TypedCodablePart: EmbeddedObject, Codable {
  @Persisted var text = ""
  @Persisted var lines: List<String>
}

class TypedCodableBase: Object, Codable {
  @Persisted(primaryKey: true) var key = ""
  @Persisted var count: Int?
}

@Suite("Codable objects")
struct CodableTests {
  private func sample() -> TypedCodable {
    let object = TypedCodable()
    object.id = 1
    object.name = "n"
    object.nick = "nn"
    object.decimal = TypedSamples.decimals[6]
    object.size = .large
    object.any = .date(Date(timeIntervalSinceReferenceDate: 5))
    object.tags.append(objectsIn: ["a", "b"])
    object.numbers.insert(objectsIn: [1, 2])
    object.scores.merge(["x": 0.5, "y": nil])
    object.part = TypedCodablePart(value: ["text": "p", "lines": ["1"]])
    object.parts.append(TypedCodablePart(value: ["text": "q"]))
    object.parent = TypedCodable(value: ["id": 2, "tags": ["z"]])
    return object
  }

  private func check(_ object: TypedCodable, like other: TypedCodable) {
    #expect(object.id == other.id && object.name == other.name && object.nick == other.nick)
    #expect(object.uuid == other.uuid && object.objectId == other.objectId && object.size == other.size)
    #expect(object.decimal == other.decimal && object.any == other.any)
    #expect(Array(object.tags) == ["a", "b"] && Set(object.numbers) == [1, 2])
    #expect(object.scores.dictionary == ["x": 0.5, "y": nil])
    #expect(object.part?.text == "p" && object.part?.lines.map { $0 } == ["1"])
    #expect(object.parts.map(\.text) == ["q"] && object.parent?.tags.map { $0 } == ["z"])
  }

  @Test("new ones both ways, unset ids included", arguments: TypedPlace.allCases)
  func plain(place: TypedPlace) throws {
    let object = sample()
    let document = try JSONEncoder().encode(object)
    let decoded = try JSONDecoder().decode(TypedCodable.self, from: document)
    check(decoded, like: object)
    let json = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
    #expect(json["nick_name"] as? String == "nn" && json["nick"] == nil && json["children"] == nil)
    let store = try TypedStore(place, [TypedCodable.self], embedded: [TypedCodablePart.self])
    try store.put(decoded)
    store.reopen()
    check(try store.get(TypedCodable.self, 1), like: object)
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: TypedCodable.self, forPrimaryKey: 1))
      live.part?.lines.append("2")
    }
    #expect(try store.get(TypedCodable.self, 1).part?.lines.count == 2)
  }

  @Test("fetched ones, of which nothing was read yet", arguments: TypedPlace.allCases)
  func fetched(place: TypedPlace) throws {
    let store = try TypedStore(place, [TypedCodable.self], embedded: [TypedCodablePart.self])
    let object = sample()
    try store.put(object)
    store.reopen()
    let found = try store.get(TypedCodable.self, 1)
    let decoded = try JSONDecoder().decode(TypedCodable.self, from: JSONEncoder().encode(found))
    check(decoded, like: object)
    // Still unread, and still what it was.
    check(found, like: object)
    #expect(found.parent?.children.map(\.id) == [1])
    found.tags.append("c")
    try store.put(found, update: .modified)
    let again = try store.get(TypedCodable.self, 1)
    let document = try JSONEncoder().encode(again)
    #expect(try JSONDecoder().decode(TypedCodable.self, from: document).tags.count == 3)
    try store.write { transaction in
      let live = try #require(try transaction.object(ofType: TypedCodable.self, forPrimaryKey: 1))
      live.tags.removeAll()
      #expect(try JSONDecoder().decode(TypedCodable.self, from: JSONEncoder().encode(live)).tags.isEmpty)
    }
  }

  @Test("missing keys: nil for an optional, an error for others")
  func missingKeys() throws {
    let decoded = try JSONDecoder().decode(TypedCodableBase.self, from: Data(#"{"key": "k"}"#.utf8))
    #expect(decoded.key == "k" && decoded.count == nil)
    let null = try JSONDecoder().decode(
      TypedCodableBase.self,
      from: Data(#"{"key": "k", "count": null}"#.utf8)
    )
    #expect(null.count == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(TypedCodableBase.self, from: Data(#"{"count": 1}"#.utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(TypedCodableBase.self, from: Data(#"{"key": 5}"#.utf8))
    }
  }

  @Test("decoded properties count as assigned")
  func assigned() throws {
    let store = try TypedStore(.memory, [TypedCodableBase.self])
    try store.put(TypedCodableBase(value: ["key": "k", "count": 1]))
    let decoded = try JSONDecoder().decode(TypedCodableBase.self, from: Data(#"{"key": "k"}"#.utf8))
    try store.put(decoded, update: .assigned)
    #expect(try store.get(TypedCodableBase.self, "k").count == 1)
    let null = try JSONDecoder().decode(TypedCodableBase.self, from: Data(#"{"key": "k", "count": 2}"#.utf8))
    try store.put(null, update: .assigned)
    #expect(try store.get(TypedCodableBase.self, "k").count == 2)
  }

  @Test("a circle of links is an error")
  func circle() throws {
    let store = try TypedStore(.memory, [TypedCodable.self], embedded: [TypedCodablePart.self])
    let object = TypedCodable(value: ["id": 1])
    object.parent = object
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(object) }
    try store.put(object)
    let found = try store.get(TypedCodable.self, 1)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(found) }
    object.parent = nil
  }

  @Test("what cannot be read is an error, not nothing")
  func closed() throws {
    let store = try TypedStore(.disk, [TypedCodable.self], embedded: [TypedCodablePart.self])
    try store.put(sample())
    let found = try store.get(TypedCodable.self, 1)
    store.close()
    #expect(throws: FiefError.self) { try JSONEncoder().encode(found) }
  }

  @Test("values of any type") func anyValues() throws {
    let values =
      TypedSamples.anys.filter { $0 != .double(.infinity) } + [
        .double(1), .double(-0.0), .double(0.1), .int(1), .string(""),
      ]
    for value in values {
      let decoded = try JSONDecoder().decode([AnyRealmValue].self, from: JSONEncoder().encode([value]))
      #expect(decoded == [value])
      #expect(decoded.first?.doubleValue?.sign == value.doubleValue?.sign)
    }
  }
}

final class TypedPetName: Projection<TypedPet> {
  @Projected(\TypedPet.name) var name
  @Projected(\TypedPet.collar?.tag?.text) var tag
  @Projected(\TypedPet.friend?.name) var friendName
  @Projected(\TypedPet.toys.count) var toyCount
}

@Suite("Projections")
struct ProjectionTests {
  @Test("read through to their objects", arguments: TypedPlace.allCases)
  func reading(place: TypedPlace) throws {
    let store = try TypedStore(place, TypedPet.types, embedded: TypedPet.embedded)
    for id in 1...3 {
      try store.put(
        TypedPet(value: [
          "id": id, "name": "p\(id)", "collar": ["tag": ["text": "t\(id)"]],
          "friend": ["id": 10, "name": "f"],
          "toys": [["name": "x"], ["name": "y"]],
        ])
      )
    }
    store.reopen()
    let all = try #require(store.queryAll(returningClass: TypedPet.self))
    let names = all.filter(#Predicate { $0.id < 10 }).sorted(byKeyPath: "name", ascending: false)
      .as(TypedPetName.self)
    #expect(names.map(\.name) == ["p3", "p2", "p1"] && names.count == 3 && !names.isEmpty)
    #expect(names.first?.tag == "t3" && names.last?.name == "p1" && names[1]?.friendName == "f")
    #expect(names[1]?.toyCount == 2 && names[3] == nil)
    #expect(try names.all().map(\.rootObject.id) == [3, 2, 1])
    let pet = TypedPet(value: ["name": "new"])
    let view = TypedPetName(projecting: pet)
    pet.name = "changed"
    #expect(view.name == "changed" && view.tag == nil && view.toyCount == 0)
  }
}
