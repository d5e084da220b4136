import FiefRealm
import FiefTesting
import Foundation
import Testing

/// The keys of results in one state, values of properties, and collections whose type is hidden.
struct FrozenResultsTests {
  private func withPersons(_ kind: StoreKind, _ body: (Store, Results<QueriedPerson>) throws -> Void) throws {
    try withQueriedStore(kind) { transaction in
      for id in 1...200 {
        let person = QueriedPerson(id)
        person.height = Double(200 - id)
        person.born = id % 2 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(id))
        person.home = id > 100 ? QueriedPlace("Street", id) : nil
        if id == 1 {
          person.dogs.append(objectsIn: [QueriedDog("Rex", 3), QueriedDog("Pluto", 8)])
          person.dogSet.insert(objectsIn: person.dogs)
          person.numbers.append(objectsIn: [3, 1, 2])
        }
        try transaction.add(person)
      }
    } body: {
      try body($0, $0.objects(QueriedPerson.self))
    }
  }

  @Test(arguments: StoreKind.allCases) func frozenResultsAreACollection(_ kind: StoreKind) throws {
    try withPersons(kind) { _, persons in
      let frozen = try persons.where { $0.id > 10 }.sorted(by: \.height).fetchFrozen()
      #expect(frozen.count == 190 && !frozen.isEmpty && frozen.isFrozen)
      #expect(frozen[0].id == 200 && frozen[189].id == 11)
      #expect(frozen.first?.id == 200 && frozen.last?.id == 11)
      #expect(frozen.map(\.id) == Array((11...200).reversed()))
      #expect(frozen[10..<13].map(\.id) == [190, 189, 188])
      #expect(frozen.reversed().first?.id == 11 && frozen.prefix(2).map(\.id) == [200, 199])
      #expect(frozen.indices == 0..<190 && frozen.randomElement() != nil)
      #expect(frozen.firstIndex { $0.id == 150 } == 50)
      let person = try #require(persons.where { $0.id == 150 }.first)
      #expect(frozen.index(of: person) == 50 && frozen.contains(person))
      #expect(frozen.index(of: try #require(persons.first)) == nil)
      #expect(try frozen == persons.where { $0.id > 10 }.sorted(by: \.height).fetchFrozen())
      #expect(try frozen != persons.where { $0.id > 10 }.fetchFrozen())
      #expect(try persons.where { $0.id > 1000 }.fetchFrozen().isEmpty)
      #expect(!persons.isFrozen && frozen.freeze() == frozen && frozen.thaw().count == 190)
    }
  }

  @Test(arguments: StoreKind.allCases) func whatIsWrittenChangesNoFrozenResults(_ kind: StoreKind) throws {
    try withPersons(kind) { store, persons in
      let results = persons.where { $0.id <= 3 }.sorted(by: \.height)
      let frozen = try results.fetchFrozen()
      try store.write { transaction in
        try transaction.add(QueriedPerson(0))
        try #require(try transaction.object(ofType: QueriedPerson.self, forPrimaryKey: 1)).height = -1
      }
      #expect(results.map(\.id) == [1, 0, 3, 2])
      #expect(frozen.map(\.id) == [3, 2, 1] && frozen.count == 3)
      // The objects are read as they are now.
      #expect(frozen[2].height == -1)
    }
  }

  /// Results and objects in a scope are of one state.
  @Test(arguments: StoreKind.allCases) func aScopeHasOneState(_ kind: StoreKind) throws {
    try withPersons(kind) { store, _ in
      try store.read { snapshot in
        let frozen = try snapshot.objects(QueriedPerson.self).sorted(by: \.height).fetchFrozen()
        let thread = Thread {
          try? store.write { try $0.deleteAll() }
        }
        let before = frozen[199].height
        thread.start()
        while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
        #expect(frozen.count == 200 && frozen[199].height == before && frozen.map(\.id).count == 200)
      }
      #expect(store.objects(QueriedPerson.self).isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases) func anObjectThatIsGoneIsReported(_ kind: StoreKind) throws {
    try withPersons(kind) { store, persons in
      let frozen = try persons.where { $0.id <= 2 }.fetchFrozen()
      try store.write { transaction in
        try transaction.delete(#require(try transaction.object(ofType: QueriedPerson.self, forPrimaryKey: 2)))
      }
      #expect(frozen.count == 2 && frozen[0].id == 1)
      let events = withExpectedEvents { #expect(frozen[1].id == 2 && frozen[1].name == "") }
      #expect(events.first?.failure?.code == .objectNotFound)
      let gone = withExpectedEvents { #expect(frozen.map(\.id) == [1, 2]) }
      #expect(gone.count == 1)
    }
  }

  @Test func whatCannotBeFrozenIsReported() throws {
    try withPersons(.inMemory) { _, persons in
      let wrong = persons.filter("nmae == 1")
      let events = withExpectedEvents { #expect(wrong.freeze().isEmpty) }
      #expect(events.first?.failure?.code == .unknownProperty)
      #expect(throws: FiefError.self) { try wrong.fetchFrozen() }
    }
  }

  @Test(arguments: StoreKind.allCases) func valuesOfAPropertyAreACollection(_ kind: StoreKind) throws {
    try withPersons(kind) { _, persons in
      let ids = persons.sorted(by: \.height).value(of: \.id)
      #expect(ids.count == 200 && ids[0] == 200 && ids.last == 1 && ids.contains(17))
      #expect(ids.sum() == 20_100 && ids.average() == 100.5 && ids.min() == 1 && ids.max() == 200)
      #expect(ids.sorted(ascending: true).first == 1)
      let dates = persons.value(of: \.born)
      #expect(dates.count == 200 && dates.compactMap(\.self).count == 100)
      #expect(persons.value(of: \.home?.street).distinct() == [nil, "Street"])
      let names = try persons.limit(2).fetchValue(of: \.name)
      #expect(names == persons.limit(2).value(of: \.name))
      let wrong = persons.filter("nmae == 1")
      let events = withExpectedEvents { #expect(wrong.value(of: \.id).isEmpty) }
      #expect(events.first?.failure?.code == .unknownProperty)
    }
  }

  @Test(arguments: StoreKind.allCases) func collectionsHideTheirTypes(_ kind: StoreKind) throws {
    try withPersons(kind) { _, persons in
      let person = try #require(persons.first)
      let dog = try #require(person.dogs.first)
      func names(_ dogs: AnyRealmCollection<QueriedDog>) -> [String] { dogs.map(\.name).sorted() }
      for dogs in [
        AnyRealmCollection(person.dogs), AnyRealmCollection(person.dogSet),
        AnyRealmCollection(person.dogs.results),
      ] {
        #expect(names(dogs) == ["Pluto", "Rex"] && dogs.count == 2 && !dogs.isEmpty)
        #expect(dogs.where { $0.age > 4 }.map(\.name) == ["Pluto"])
        #expect(dogs.filter("age < 4").map(\.name) == ["Rex"])
        #expect(dogs.sorted(byKeyPath: "name").map(\.name) == ["Pluto", "Rex"])
        #expect(dogs.sum(of: \.age) == 11 && dogs[1].realm != nil)
        let events = withExpectedEvents { #expect(dogs[2].realm == nil && dogs[-1].realm == nil) }
        #expect(events.count == 2)
      }
      #expect(
        AnyRealmCollection(person.dogs).first?.name == "Rex"
          && AnyRealmCollection(person.dogs).last?.name == "Pluto"
      )
      #expect(AnyRealmCollection(dog.owners).map(\.id) == [1])
      let numbers = AnyRealmCollection(person.numbers)
      #expect(Array(numbers) == [3, 1, 2] && numbers.first == 3 && numbers[1] == 1 && numbers.last == 2)
    }
  }
}
