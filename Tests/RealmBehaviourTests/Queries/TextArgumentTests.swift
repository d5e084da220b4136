import FiefRealm
import FiefTesting
import Foundation
import Testing

/// The arguments of text queries, in the forms that code for Realm has them.
struct TextArgumentTests {
  private func withPersons(_ kind: StoreKind, _ body: (Store, Results<QueriedPerson>) throws -> Void) throws {
    try withQueriedStore(kind) { transaction in
      let dogs = [QueriedDog("Rex", 3), QueriedDog("Pluto", 8), QueriedDog("Idefix", 5)]
      for id in 1...4 {
        let person = QueriedPerson(id)
        person.isActive = id % 2 == 0
        person.isKnown = id == 1 ? nil : id == 2
        person.small = Int8(id)
        person.large = Int64(id) << 40
        person.weight = Float(id) * 0.1
        person.height = Double(id) * 0.5
        person.price = Decimal(id)
        person.🐶 = id == 3 ? "🦮 guide" : nil
        person.numbers.append(objectsIn: [id, id * 10])
        person.dogs.append(objectsIn: dogs.prefix(id - 1))
        person.dog = id == 4 ? dogs[1] : nil
        person.home = QueriedPlace("Main Street", id, in: id == 3 ? "DE" : nil)
        person.places.append(QueriedPlace("Side Street", id))
        try transaction.add(person)
      }
    } body: {
      try body($0, $0.objects(QueriedPerson.self))
    }
  }

  @Test(arguments: StoreKind.allCases) func formatsOfNumbersTakeArguments(_ kind: StoreKind) throws {
    try withPersons(kind) { store, persons in
      for format in ["%d", "%i", "%u", "%ld", "%li", "%lu", "%lld", "%lli", "%llu", "%zd", "%hhd", "%@"] {
        try expect(persons.filter("id == \(format)", 2), [2], "\(format)")
        try expect(persons.filter("small > \(format) AND id<\(format)", 1, 4), [2, 3], "\(format)")
      }
      try expect(persons.filter("large == %lld", Int64(3) << 40), [3])
      try expect(persons.filter("id IN {%d, %ld}", 1, 4), [1, 4])
      try expect(persons.filter("id BETWEEN {%d, %d}", 2, 3), [2, 3])
      for format in ["%f", "%lf", "%g", "%e", "%@"] {
        try expect(persons.filter("height == \(format)", 1.5), [3], "\(format)")
        try expect(persons.filter("weight == \(format)", 0.2), [2], "\(format)")
        try expect(persons.filter("price >= \(format)", 3), [3, 4], "\(format)")
      }
      try expect(persons.filter("name == %s", "person 2"), [2])
      try expect(persons.filter("%K == %d", "id", 3), [3])
      try expect(persons.filter("ANY numbers == %d", 20), [2])
    }
  }

  /// An argument that C would read as other bits is an error here.
  @Test func anArgumentOfAnotherKindIsAnError() throws {
    try withPersons(.inMemory) { store, persons in
      for (text, argument) in [
        ("id == %d", 1.5 as Any), ("id == %d", "1"), ("height == %f", "1"), ("name == %s", 1),
        ("id IN %d", [1, 2]),
      ] {
        let error = #expect(throws: FiefError.self) { try persons.query(text, arguments: [argument]) }
        #expect(error?.code == .invalidQuery, "\(text)")
      }
      #expect(throws: FiefError.self) { try persons.query("id == %d") }
      #expect(throws: FiefError.self) { try persons.query("id == %d AND small == $0", arguments: [1]) }
    }
  }

  /// A sign behind an operand is that of a division, as before.
  @Test func theSignBehindAnOperandDivides() throws {
    try withPersons(.inMemory) { store, persons in
      try expect(persons.filter("id % 2 == 1"), [1, 3])
      try expect(persons.filter("id %small == 0"), [1, 2, 3, 4])
      try expect(persons.filter("id % %d == %d", 3, 0), [3])
      try expect(persons.filter("id %id == 0 AND (id)%2 == %d", 0), [2, 4])
    }
  }

  @Test(arguments: StoreKind.allCases) func truthValuesAreOneAndZero(_ kind: StoreKind) throws {
    try withPersons(kind) { store, persons in
      try expect(persons.filter("isActive == 1"), [2, 4])
      try expect(persons.filter("isActive == 0"), [1, 3])
      try expect(persons.filter("isActive != 1"), [1, 3])
      try expect(persons.filter("1 == isActive"), [2, 4])
      try expect(persons.filter("isActive == %@", 1), [2, 4])
      try expect(persons.filter("isActive == %d", 0), [1, 3])
      try expect(persons.filter("isActive == %d", true), [2, 4])
      try expect(persons.filter("isActive == YES AND isKnown == 1"), [2])
      try expect(persons.filter("isKnown == 0"), [3, 4])
      try expect(persons.filter("isKnown IN {0, nil}"), [1, 3, 4])
      #expect(throws: FiefError.self) { try persons.query("isActive == 2") }
    }
  }

  @Test(arguments: StoreKind.allCases) func resultsAndListsAreListsOfArguments(_ kind: StoreKind) throws {
    try withPersons(kind) { store, persons in
      let dogs = store.objects(QueriedDog.self)
      try expect(persons.filter("ANY dogs IN %@", dogs.where { $0.age > 4 }), [3, 4])
      try expect(persons.filter("ANY dogs IN %@", dogs.where { $0.age > 100 }), [])
      try expect(persons.filter("NONE dogs IN %@", dogs.filter("name == 'Rex'")), [1])
      try expect(persons.filter("dog IN %@", dogs), [4])
      try expect(persons.filter("NOT dog IN %@", dogs), [1, 2, 3])
      let last = try #require(persons.last)
      try expect(persons.filter("ANY dogs IN %@", last.dogs), [2, 3, 4])
      try expect(persons.filter("ANY dogs IN %@", Array(last.dogs)), [2, 3, 4])
      try expect(persons.filter("dog IN %@", last.dogs), [4])
      try expect(persons.filter("id IN %@", try #require(persons.first).numbers), [1])
      try expect(persons.filter("ANY numbers IN %@", try #require(persons.first).numbers), [1])
      try expect(persons.filter("id IN %@", Set([2, 3])), [2, 3])
      try expect(persons.filter("ANY dogs.owners IN %@", persons.where { $0.id == 4 }), [2, 3, 4])
    }
  }

  /// Results that cannot be asked make no list, and no empty one either.
  @Test func resultsThatFailAreAnError() throws {
    try withPersons(.inMemory) { store, persons in
      let wrong = store.objects(QueriedDog.self).filter("nmae == 'Rex'")
      let error = #expect(throws: FiefError.self) { try persons.query("ANY dogs IN %@", arguments: [wrong]) }
      #expect(error?.code == .unknownProperty)
    }
  }

  @Test(arguments: StoreKind.allCases) func embeddedObjectsAreComparedByTheirValues(_ kind: StoreKind) throws
  {
    try withPersons(kind) { store, persons in
      let home = QueriedPlace("Main Street", 2)
      try expect(persons.filter("home == %@", home), [2])
      try expect(persons.filter("%@ == home", home), [2])
      try expect(persons.filter("home != %@", home), [1, 3, 4])
      try expect(persons.filter("home == %@", QueriedPlace("Main Street", 3)), [])
      try expect(persons.filter("home == %@", QueriedPlace("Main Street", 3, in: "DE")), [3])
      try expect(persons.filter("ANY places == %@", QueriedPlace("Side Street", 4)), [4])
      try expect(persons.filter("%@ IN places", QueriedPlace("Side Street", 4)), [4])
      try expect(persons.filter("home IN %@", [home, QueriedPlace("Main Street", 4)]), [2, 4])
      try expect(persons.where { $0.home == home }, [2])
      try expect(persons.where { $0.home != home }, [1, 3, 4])
      try expect(persons.where { $0.home.in([home, QueriedPlace("Main Street", 4)]) }, [2, 4])
      try expect(persons.where { $0.places == QueriedPlace("Side Street", 4) }, [4])
      try expect(persons.where { $0.places.contains(QueriedPlace("Side Street", 4)) }, [4])
      let stored = try #require(persons.filter("id == 3").first?.home)
      try expect(persons.where { $0.home == stored }, [3])
      try expect(persons.where { $0.dog.name == "Pluto" && $0.home == stored }, [])
    }
  }

  /// A path behind nil is nil, but nil is no embedded object.
  @Test func nilIsNoEmbeddedObject() throws {
    try withQueriedStore(.inMemory) { transaction in
      try transaction.add(QueriedPerson(1))
    } body: { store in
      let persons = store.objects(QueriedPerson.self)
      try expect(persons.where { $0.home == QueriedPlace("") }, [])
      try expect(persons.where { $0.home != QueriedPlace("") }, [1])
      try expect(persons.where { $0.home == nil }, [1])
    }
  }

  @Test func embeddedObjectsThatCannotBeComparedAreErrors() throws {
    try withPersons(.inMemory) { store, persons in
      for (text, argument) in [
        ("home > %@", QueriedPlace("a") as Any), ("home == %@", QueriedCountry()),
        ("name == %@", QueriedPlace("a")),
        ("trip == %@", QueriedTrip()),
      ] {
        let error = #expect(throws: FiefError.self) { try persons.query(text, arguments: [argument]) }
        #expect(error?.code == .invalidQuery, "\(text)")
      }
      #expect(throws: FiefError.self) { try persons.where { $0.trip == QueriedTrip() }.ids() }
    }
  }

  @Test(arguments: StoreKind.allCases) func namesAndTextsMayHaveEmoji(_ kind: StoreKind) throws {
    try withPersons(kind) { store, persons in
      try expect(persons.filter("🐶 == '🦮 guide'"), [3])
      try expect(persons.filter("🐶 BEGINSWITH %@", "🦮"), [3])
      try expect(persons.filter("%K == nil", "🐶"), [1, 2, 4])
      try expect(persons.where { $0.🐶 == "🦮 guide" }, [3])
      try expect(persons.where { $0.🐶.contains("🦮") }, [3])
      #expect(persons.sorted(byKeyPath: "🐶", ascending: false).first?.id == 3)
    }
  }
}
