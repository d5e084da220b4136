import FiefRealm
import FiefTesting
import Foundation
import Testing

extension ViewedPerson {
  fileprivate var letter: String { String(firstName.prefix(1)) }
}

extension PersonView {
  fileprivate var letter: String { String(firstName.prefix(1)) }
}

/// Sections of one state, sections that are compared and observed one by one, and sections of projections.
@Suite(.timeLimit(.minutes(20)))
struct FrozenSectionTests {
  private func add(_ name: String, to realm: Realm) throws {
    try realm.write { realm.add(ViewedPerson(name, "Moor", age: 1, city: "Lima")) }
  }

  @Test(arguments: StoreKind.allCases) func frozenSectionsStay(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let persons = realm.objects(ViewedPerson.self)
      for sections in [
        persons.sectioned(by: \.firstName), persons.sectioned(by: { $0.letter }),
        persons.sectioned(by: \.letter),
      ] {
        let frozen = sections.freeze()
        #expect(!sections.isFrozen && frozen.isFrozen && frozen.freeze() == frozen && frozen.count == 3)
        let keys = frozen.allKeys
        try add("A" + UUID().uuidString, to: realm)
        #expect(frozen.allKeys == keys && frozen.map(\.count) == [1, 1, 1])
        #expect(frozen[0][0].firstName == "Ann" && frozen[2].map(\.firstName) == ["Cid"])
        #expect(frozen[IndexPath(indexes: [1, 0])]?.firstName == "Bob")
        #expect(frozen[IndexPath(indexes: [1, 1])] == nil && frozen[IndexPath(indexes: [3, 0])] == nil)
        #expect(frozen != sections.freeze())
        #expect(frozen.thaw() == sections && !frozen.thaw().isFrozen)
        try realm.write { realm.delete(realm.objects(ViewedPerson.self).filter("age == 1")) }
        #expect(frozen == sections.freeze())
      }
    }
  }

  @Test(arguments: StoreKind.allCases) func frozenSectionsOfFrozenResults(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let frozen = try realm.objects(ViewedPerson.self).sorted(byKeyPath: "firstName").fetchFrozen()
      try add("Abe", to: realm)
      let sections = frozen.sectioned(by: { $0.letter })
      #expect(sections.isFrozen && sections.allKeys == ["A", "B", "C"] && sections[0].count == 1)
      #expect(frozen.sectioned(by: \.letter).allKeys == ["A", "B", "C"])
      let thawed = try #require(sections[0].thaw())
      #expect(thawed.count == 2 && sections.thaw().count == 3)
    }
  }

  @Test(arguments: StoreKind.allCases) func oneSectionIsFrozen(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let section = realm.objects(ViewedPerson.self).sectioned(by: \.letter)[0]
      let frozen = try #require(section.freeze())
      try add("Abe", to: realm)
      #expect(!section.isFrozen && frozen.isFrozen && frozen.freeze() == frozen)
      #expect(frozen.count == 1 && frozen.key == "A" && frozen.index == 0 && frozen.id == "A")
      let thawed = try #require(frozen.thaw())
      #expect(thawed.count == 2 && thawed.key == "A" && !thawed.isFrozen)
      try realm.write { realm.deleteAll() }
      #expect(frozen.thaw() == nil && section.freeze() == nil && frozen.count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases) func sectionsAreCompared(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let persons = realm.objects(ViewedPerson.self)
      let sections = persons.sectioned(by: { $0.letter })
      let copy = sections
      #expect(sections == copy && sections != persons.sectioned(by: { $0.letter }))
      #expect(persons.sectioned(by: \.letter) == persons.sectioned(by: \.letter))
      #expect(persons.sectioned(by: \.letter) != persons.sectioned(by: \.letter, ascending: false))
      #expect(persons.sectioned(by: \.firstName) != persons.sectioned(by: \.lastName))
      let byName = persons.sectioned(by: \.firstName)
      #expect(byName[0] == persons.sectioned(by: \.firstName)[0] && byName[0] != byName[1])
    }
  }

  private func text<Section>(
    _ change: SectionedResultsChange<Section>,
    _ names: (Section) -> [String]
  ) -> String {
    func places(_ paths: [IndexPath]) -> String { "\(paths.map { [$0[0], $0[1]] })" }
    switch change {
    case .initial(let section): return "initial \(names(section))"
    case .update(let section, let deletions, let insertions, let modifications, let inserted, let deleted):
      return "\(names(section)) - \(places(deletions)) + \(places(insertions)) * \(places(modifications)) "
        + "+ \(Array(inserted)) - \(Array(deleted))"
    case .error(let error): return "error \((error as? FiefError)?.code.rawValue ?? "")"
    }
  }

  @Test(arguments: StoreKind.allCases) func oneSectionIsObserved(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let persons = realm.objects(ViewedPerson.self).sorted(byKeyPath: "firstName")
      let section = persons.sectioned(by: \.letter)[1]
      let told = Tellings()
      let token = section.observe(keyPaths: [\.firstName]) { told.take(text($0) { $0.map(\.firstName) }) }
      #expect(told.next() == #"initial ["Bob"]"#)
      try add("Cato", to: realm)  // another section
      try add("Ben", to: realm)
      #expect(told.next() == #"["Ben", "Bob"] - [] + [[1, 0]] * [] + [] - []"#)
      try realm.write { persons.filter("firstName == 'Bob'").first?.firstName = "Bo" }
      #expect(told.next() == #"["Ben", "Bo"] - [] + [] * [[1, 1]] + [] - []"#)
      try realm.write { realm.delete(persons.filter("firstName BEGINSWITH 'B'")) }
      #expect(told.next() == "[] - [] + [] * [] + [] - [1]")
      try add("Bea", to: realm)
      #expect(told.next() == #"["Bea"] - [] + [[1, 0]] * [] + [1] - []"#)
      token.invalidate()
      let wrong = section.observe(keyPaths: ["nmae"]) { told.take(text($0) { $0.map(\.firstName) }) }
      #expect(told.next() == "error unknownProperty")
      wrong.invalidate()
    }
  }

  @Test(arguments: StoreKind.allCases) func projectionsAreInSections(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      try add("Abe", to: realm)
      let views = realm.objects(PersonView.self)
      let sections = views.sectioned(by: \.letter)
      #expect(sections.allKeys == ["A", "B", "C"] && sections.count == 3 && !sections.isEmpty)
      #expect(sections[0]?.map(\.firstName) == ["Abe", "Ann"] && sections[0]?[1]?.years == 30)
      #expect(sections[0].count == 2 && sections[0].key == "A" && sections.count == 3)
      #expect(sections[IndexPath(indexes: [1, 0])]?.firstName == "Bob")
      #expect(sections.map { $0.objects.count } == [2, 1, 1])
      #expect(views.sectioned(by: \.letter, ascending: false).allKeys == ["C", "B", "A"])
      #expect(views.sectioned(by: \.firstName, ascending: false).allKeys == ["Cid", "Bob", "Ann", "Abe"])
      let byAge = views.sectioned(by: { $0.years < 30 }, sortDescriptors: ["age"])
      #expect(byAge.allKeys == [true, false] && byAge[0]?.map(\.years) == [1, 20])
    }
  }

  @Test(arguments: StoreKind.allCases) func sectionsOfProjectionsAreFrozen(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let views = realm.objects(PersonView.self)
      let sections = views.sectioned(by: \.letter)
      let frozen = sections.freeze()
      let section = try #require(sections[0]?.freeze())
      let results = views.sorted(byKeyPath: "firstName").freeze().sectioned(by: { $0.letter })
      try add("Abe", to: realm)
      #expect(frozen.isFrozen && !sections.isFrozen && frozen.allKeys == ["A", "B", "C"])
      #expect(frozen[0].map(\.firstName) == ["Ann"] && frozen[0].key == "A" && frozen.thaw()[0]?.count == 2)
      #expect(section.isFrozen && section.count == 1 && section[0].firstName == "Ann")
      let thawed = try #require(section.thaw())
      #expect(thawed.count == 2 && !thawed.isFrozen)
      #expect(results.map(\.count) == [1, 1, 1])
    }
  }

  @Test(arguments: StoreKind.allCases) func sectionsOfProjectionsAreObserved(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let sections = realm.objects(PersonView.self).sectioned(by: \.letter)
      let told = Tellings()
      let token = sections.observe { told.take(text($0) { $0.map(\.key) }) }
      #expect(told.next() == #"initial ["A", "B", "C"]"#)
      try realm.write { realm.objects(ViewedPerson.self).filter("age == 20").first?.address?.country = "D" }
      try realm.write { realm.objects(ViewedPerson.self).filter("age == 20").first?.lastName = "Moor" }
      #expect(told.next() == #"["A", "B", "C"] - [] + [] * [[1, 0]] + [] - []"#)
      token.invalidate()
      let own = sections[0]?.observe(keyPaths: ["firstName"]) { told.take(text($0) { $0.map(\.firstName) }) }
      #expect(told.next() == #"initial ["Ann"]"#)
      try add("Abe", to: realm)
      #expect(told.next() == #"["Abe", "Ann"] - [] + [[0, 0]] * [] + [] - []"#)
      own?.invalidate()
    }
  }
}
