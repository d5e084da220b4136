import Fief
import Foundation
import Testing

final class MisfitAuthor: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var birthYear: Int?
  @Persisted var books: List<MisfitBook>
  @Persisted var address: MisfitAddress?
}

final class MisfitBook: Object {
  @Persisted(primaryKey: true) var isbn = ""
  @Persisted var title = ""
  @Persisted(originProperty: "books") var authors: LinkingObjects<MisfitAuthor>
}

final class MisfitAddress: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var city = ""
}

class MisfitDog: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
}

final class MisfitPerson: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var dogs: List<MisfitDog>
}

final class MisfitSeven: Object {
  @Persisted(primaryKey: true) var a = 0
  @Persisted var b = "b"
  @Persisted var c = 3
  @Persisted var d: String?
  @Persisted var e = 5.5
  @Persisted var f = true
  @Persisted var g: Date?
}

@Suite("Values that do not fit")
struct MisfitTests {
  private func store(_ place: TypedPlace) throws -> TypedStore {
    try TypedStore(
      place,
      [MisfitAuthor.self, MisfitBook.self, MisfitDog.self, MisfitPerson.self, MisfitSeven.self],
      embedded: [MisfitAddress.self]
    )
  }

  private static let failures: [(String, @Sendable () -> MisfitAuthor, FiefError.Code, String, String?)] = [
    ("name", { MisfitAuthor(value: ["id": 1, "nmae": "x"]) }, .unknownProperty, "MisfitAuthor", "nmae"),
    ("type", { MisfitAuthor(value: ["id": 1, "name": 5]) }, .invalidValue, "MisfitAuthor", "name"),
    ("nil", { MisfitAuthor(value: ["id": 1, "name": NSNull()]) }, .missingValue, "MisfitAuthor", "name"),
    (
      "inverse", { MisfitAuthor(value: ["books": [["isbn": "1", "authors": [1]]]]) }, .unknownProperty,
      "MisfitBook", "authors"
    ),
    (
      "nested", { MisfitAuthor(value: ["books": [["isbn": "1", "tilte": "x"]]]) }, .unknownProperty,
      "MisfitBook", "tilte"
    ),
    (
      "nested object", { MisfitAuthor(value: ["books": [MisfitBook(value: ["isbn": "1", "title": 1])]]) },
      .invalidValue,
      "MisfitBook", "title"
    ),
    (
      "embedded", { MisfitAuthor(value: ["address": ["town": "x"]]) }, .unknownProperty, "MisfitAddress",
      "town"
    ),
    (
      "embedded object", { MisfitAuthor(value: ["address": MisfitAddress(value: ["city": 1])]) },
      .invalidValue,
      "MisfitAddress", "city"
    ),
    ("no values", { MisfitAuthor(value: 5) }, .invalidValue, "MisfitAuthor", nil),
    (
      "too many", { MisfitAuthor(value: [1, "x", 1900, [Any](), NSNull(), 6]) }, .invalidValue,
      "MisfitAuthor", nil
    ),
    (
      "too many nested", { MisfitAuthor(value: [1, "x", 1900, [["1", "t", "more"]]]) }, .invalidValue,
      "MisfitBook", nil
    ),
    (
      "copied", { MisfitAuthor(value: MisfitAuthor(value: ["id": 1, "name": 5])) }, .invalidValue,
      "MisfitAuthor", "name"
    ),
    (
      "detached", { MisfitAuthor(value: ["id": 1, "name": 5]).detached() }, .invalidValue, "MisfitAuthor",
      "name"
    ),
  ]

  @Test("fail each way of saving, and nothing is stored", arguments: failures.indices, TypedPlace.allCases)
  func saving(index: Int, place: TypedPlace) async throws {
    let (label, make, code, type, property) = Self.failures[index]
    let store = try store(place)
    let ways: [() throws -> Void] = [
      { try store.put(make()) },
      { try store.put(make(), update: .modified) },
      { try store.write { try $0.add(make()) } },
    ]
    for (way, save) in ways.enumerated() {
      let error = #expect(throws: FiefError.self, "\(label), way \(way)") { try save() }
      #expect(
        error?.code == code && error?.type == type,
        "\(label), way \(way): \(String(describing: error))"
      )
      if let property { #expect(error?.property == property, "\(label), way \(way)") }
      #expect(error?.store == "model", "\(label), way \(way)")
    }
    let object = make()
    await #expect(throws: FiefError.self) { try await store.save(entity: object, update: .all) }
    #expect(try store.count(MisfitAuthor.self) == 0 && store.count(MisfitBook.self) == 0)
  }

  @Test("the error names what was probably meant, and all that did not fit")
  func advice() throws {
    let store = try store(.memory)
    func error(_ value: [String: Any]) throws -> FiefError {
      let error = #expect(throws: FiefError.self) { try store.put(MisfitAuthor(value: value)) }
      return try #require(error)
    }
    #expect(try error(["nmae": "x"]).details == ["did you mean 'name'?"])
    #expect(try error(["birth_year": 1900]).details == ["did you mean 'birthYear'?"])
    #expect(try error(["x": 1]).details == ["the properties: id, name, birthYear, books, address"])
    let two = try error(["nmae": "x", "birthYear": "then"])
    #expect(two.property == "nmae" && two.details.contains { $0.contains("birthYear") }, "\(two)")
    let known = #expect(throws: FiefError.self) { try MisfitAuthor(validating: ["nmae": "x"]) }
    #expect(known?.details == ["did you mean 'name'?"])
  }

  @Test("a live object that gets one fails the write", arguments: TypedPlace.allCases)
  func live(place: TypedPlace) throws {
    let store = try store(place)
    try store.put(MisfitAuthor(value: ["id": 1, "name": "Ann"]))
    let error = #expect(throws: FiefError.self) {
      try store.write { transaction in
        let author = try #require(try transaction.object(ofType: MisfitAuthor.self, forPrimaryKey: 1))
        author.name = "Ben"
        author.books.append(MisfitBook(value: ["isbn": "1", "titel": "x"]))
      }
    }
    #expect(error?.property == "titel")
    #expect(try store.get(MisfitAuthor.self, 1).name == "Ann" && store.count(MisfitBook.self) == 0)
  }

  @Test("what is remembered ends with the object")
  func ending() throws {
    let store = try store(.memory)
    for index in 0..<200 {
      _ = MisfitAuthor(value: ["nmae": "x"])
      // The object may have the address of the one before.
      try store.put(MisfitAuthor(value: ["id": index]))
    }
    #expect(try store.count(MisfitAuthor.self) == 200)
  }

  // MARK: Arrays by position

  @Test("an array may have fewer values than there are properties", arguments: TypedPlace.allCases)
  func positions(place: TypedPlace) throws {
    let store = try store(place)
    let values: [Any] = [456, "Jane", [["Buster", 5], ["Buddy", 6]]]
    try store.put(MisfitPerson(value: values))
    try store.write { transaction in
      try transaction.create(MisfitPerson.self, value: [457] + values.dropFirst(), update: .all)
      try transaction.add(MisfitPerson(validating: [458] + values.dropFirst()), update: .all)
    }
    store.reopen()
    for id in 456...458 {
      let person = try store.get(MisfitPerson.self, id)
      #expect(person.name == "Jane" && person.dogs.map(\.name) == ["Buster", "Buddy"])
      #expect(person.dogs.map(\.age) == [5, 6])
    }
    try store.put(MisfitPerson(value: [1, "Ann", [["Rex"]]]))
    let ann = try store.get(MisfitPerson.self, 1)
    #expect(ann.dogs.map(\.name) == ["Rex"] && ann.dogs.map(\.age) == [0])
    // An inverse has no place among the values.
    #expect(try MisfitBook(validating: ["1", "t"]).title == "t")
  }

  @Test("seven properties take one to seven values, and no eighth")
  func counts() throws {
    let store = try store(.memory)
    let values: [Any] = [1, "x", 4, "y", 6.5, false, Date(timeIntervalSince1970: 1)]
    for count in 1...7 {
      let given = Array(values.prefix(count))
      for object in [MisfitSeven(value: given), try MisfitSeven(validating: given)] {
        try store.put(object)
        let found = try store.get(MisfitSeven.self, 1)
        #expect(found.b == (count > 1 ? "x" : "b") && found.c == (count > 2 ? 4 : 3))
        #expect(found.d == (count > 3 ? "y" : nil) && found.e == (count > 4 ? 6.5 : 5.5))
        #expect(found.f == (count < 6) && (found.g != nil) == (count > 6))
      }
    }
    let error = #expect(throws: FiefError.self) { try MisfitSeven(validating: values + [8]) }
    #expect(error?.code == .invalidValue && error?.details == ["more values (8) than properties (7)"])
  }
}
