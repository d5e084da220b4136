import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Orders by the names that code for Realm has.
struct SortDescriptorTests {
  private func withPersons(_ kind: StoreKind, _ body: (Store, Results<QueriedPerson>) throws -> Void) throws {
    try withQueriedStore(kind) { transaction in
      for id in 1...4 {
        let person = QueriedPerson(id)
        person.name = ["Bob", "Ann", "Bob", "Cid"][id - 1]
        person.height = Double(id)
        person.home = QueriedPlace("Street", 10 - id)
        person.dog = QueriedDog("dog \(id)", id % 3)
        person.dogs.append(objectsIn: [QueriedDog("a\(id)", 2), QueriedDog("b\(id)", 1)])
        try transaction.add(person)
      }
    } body: {
      try body($0, $0.objects(QueriedPerson.self))
    }
  }

  @Test func aDescriptorHasAPropertyAndADirection() {
    let descriptor = SortDescriptor(keyPath: "name")
    #expect(descriptor.keyPath == "name" && descriptor.ascending)
    #expect(!SortDescriptor(keyPath: "name", ascending: false).ascending)
    #expect(descriptor.reversed() == SortDescriptor(keyPath: "name", ascending: false))
    #expect(descriptor.reversed().reversed() == descriptor)
    #expect(descriptor != SortDescriptor(keyPath: "height") && descriptor != descriptor.reversed())
    #expect("\(descriptor)" == "SortDescriptor(keyPath: name, direction: ascending)")
    #expect("\(descriptor.reversed())" == "SortDescriptor(keyPath: name, direction: descending)")
    let literal: PropertyOrder = "name"
    #expect(literal == descriptor)
    #expect(SortDescriptor(keyPath: \QueriedPerson.name) == descriptor)
    #expect(SortDescriptor(keyPath: \QueriedPerson.home?.street).keyPath == "home.street")
    #expect(SortDescriptor(keyPath: \QueriedPerson.dog?.age, ascending: false).keyPath == "dog.age")
  }

  /// The names of the properties of key paths, at the top, through links and embedded objects, and of each type.
  @Test func keyPathsHaveNames() {
    let paths: [(PartialKeyPath<QueriedPerson>, String)] = [
      (\.id, "id"), (\.isActive, "isActive"), (\.isKnown, "isKnown"), (\.weight, "weight"),
      (\.price, "price"),
      (\.born, "born"), (\.size, "size"), (\.optSize, "optSize"), (\.word, "word"), (\.cents, "cents"),
      (\.🐶, "🐶"), (\.numbers, "numbers"), (\.numberSet, "numberSet"), (\.scores, "scores"), (\.home, "home"),
      (\.places, "places"), (\.dog, "dog"), (\.dogs, "dogs"), (\.dogMap, "dogMap"), (\.dog?.name, "dog.name"),
      (\.dog?.toys, "dog.toys"), (\.dog?.size, "dog.size"), (\.dog?.owners, "dog.owners"),
      (\.home?.country, "home.country"), (\.home?.country?.code, "home.country.code"),
    ]
    for (keyPath, name) in paths { #expect(SortDescriptor(keyPath: keyPath).keyPath == name) }
  }

  @Test(arguments: StoreKind.allCases) func descriptorsOrder(_ kind: StoreKind) throws {
    try withPersons(kind) { _, persons in
      try expect(
        persons.sorted(by: [SortDescriptor(keyPath: "name"), SortDescriptor(keyPath: "id")]),
        [2, 1, 3, 4]
      )
      try expect(
        persons.sorted(by: [
          SortDescriptor(keyPath: "name", ascending: false),
          SortDescriptor(keyPath: \QueriedPerson.height, ascending: false),
        ]),
        [4, 3, 1, 2]
      )
      try expect(
        persons.sorted(by: ["name", SortDescriptor(keyPath: "height", ascending: false)]),
        [2, 3, 1, 4]
      )
      try expect(persons.sorted(by: [SortDescriptor(keyPath: "home.number")]), [4, 3, 2, 1])
      try expect(persons.sorted(by: [SortDescriptor(keyPath: "dog.age"), "id"]), [3, 1, 4, 2])
      let descriptors = [SortDescriptor(keyPath: "height")]
      try expect(persons.sorted(by: descriptors.map { $0.reversed() }), [4, 3, 2, 1])
      try expect(persons.sorted(by: [SortDescriptor(\QueriedPerson.height, order: .reverse)]), [4, 3, 2, 1])
    }
  }

  @Test(arguments: StoreKind.allCases) func keyPathsOrder(_ kind: StoreKind) throws {
    try withPersons(kind) { _, persons in
      try expect(persons.sorted(by: \.height, ascending: false), [4, 3, 2, 1])
      try expect(persons.sorted(by: \.name), [2, 1, 3, 4])
      try expect(persons.sorted(by: \.home?.number), [4, 3, 2, 1])
      try expect(persons.sorted(byKeyPath: "height", ascending: false), [4, 3, 2, 1])
      let person = try #require(persons.first)
      #expect(person.dogs.sorted(by: \.age).map(\.name) == ["b1", "a1"])
      #expect(person.dogs.sorted(by: \.age, ascending: false).map(\.name) == ["a1", "b1"])
      #expect(person.dogs.sorted(by: [SortDescriptor(keyPath: "age")]).map(\.name) == ["b1", "a1"])
    }
  }

  @Test func whatIsNoPropertyIsAnError() throws {
    try withPersons(.inMemory) { _, persons in
      for order in [SortDescriptor(keyPath: "nmae"), SortDescriptor(keyPath: \QueriedPerson.name.count)] {
        let error = #expect(throws: FiefError.self) { try persons.sorted(by: [order]).all() }
        #expect(error?.code == .unknownProperty)
      }
      let events = withExpectedEvents { #expect(persons.sorted(by: ["nmae"]).first == nil) }
      #expect(events.first?.failure?.code == .unknownProperty)
    }
  }
}
