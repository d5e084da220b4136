import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Projections, results of them and projected collections that are observed.
@Suite(.timeLimit(.minutes(20)))
struct ProjectionObservingTests {
  private func text<View: Projection<ViewedPerson>>(_ change: ObjectChange<View>) -> String {
    switch change {
    case .change(_, let properties):
      properties.map { "\($0.name): \($0.oldValue ?? "-") \($0.newValue ?? "-")" }.joined(separator: ", ")
    case .deleted: "deleted"
    case .error(let error): "error \((error as? FiefError)?.code.rawValue ?? "")"
    }
  }

  private func ann(_ realm: Realm) throws -> ViewedPerson {
    try #require(realm.objects(ViewedPerson.self).filter("lastName == 'Snow'").first)
  }

  @Test(arguments: StoreKind.allCases) func changesHaveTheNamesOfTheProjection(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let person = try ann(realm)
      let told = Tellings()
      let token = PersonView(projecting: person).observe { told.take(text($0)) }
      try realm.write { person.age = 31 }
      #expect(told.next() == "years: 30 31")
      try realm.write { person.address?.city = "Lima" }
      #expect(told.next() == "homeCity: Oslo Lima")
      try realm.write { person.phone?.number = "666" }
      #expect(told.next() == "number: - 666")
      // A property that the projection does not have is nothing, and a property of a collection's elements is.
      try realm.write {
        person.address?.country = "Peru"
        person.friends[0].firstName = "Eve"
      }
      #expect(told.next().hasPrefix("friendNames: - ProjectedCollection<String>"))
      try realm.write { person.lastName = "Moor" }
      #expect(told.next() == "lastNameCaps: SNOW MOOR")
      try realm.write { realm.delete(person) }
      #expect(told.next() == "deleted")
      token.invalidate()
    }
  }

  @Test(arguments: StoreKind.allCases) func someOfThePropertiesAreObserved(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let person = try ann(realm)
      let view = PersonView(projecting: person)
      let told = Tellings()
      let ways = [
        view.observe(keyPaths: ["lastNameCaps"]) { told.take(text($0)) },
        view.observe(keyPaths: ["lastName"]) { told.take(text($0)) },
        view.observe(keyPaths: [\.lastNameCaps]) { told.take(text($0)) },
      ]
      try realm.write { person.firstName = "Eve" }
      try realm.write { person.lastName = "Moor" }
      for _ in ways { #expect(told.next() == "lastNameCaps: SNOW MOOR") }
      ways.forEach { $0.invalidate() }
      let nested = view.observe(keyPaths: [\.number]) { told.take(text($0)) }
      try realm.write { person.phone?.number = "777" }
      #expect(told.next() == "number: - 777")
      nested.invalidate()
    }
  }

  @Test(arguments: StoreKind.allCases) func propertiesOfOneOriginAreAllTold(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let person = try ann(realm)
      let told = Tellings()
      let token = AgeView(projecting: person).observe { told.take(text($0)) }
      try realm.write { person.age = 31 }
      #expect(told.next() == "age1: 30 31, age2: 30 31")
      token.invalidate()
    }
  }

  @Test(arguments: StoreKind.allCases) func whatCannotBeObservedIsAnError(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let person = try ann(realm)
      let told = Tellings()
      let tokens = [
        PersonView(projecting: person).observe(keyPaths: ["nmae"]) { told.take(text($0)) },
        PersonView(projecting: ViewedPerson()).observe { told.take(text($0)) },
        UnstoredView(projecting: person).observe { told.take(text($0)) },
      ]
      let texts = Set((0..<3).map { _ in told.next() })
      #expect(texts == ["error unknownProperty", "error objectNotFound", "error invalidQuery"])
      tokens.forEach { $0.invalidate() }
    }
  }

  private func text<Views: Sequence<PersonView>>(_ change: RealmCollectionChange<Views>) -> String {
    switch change {
    case .initial(let views): "initial \(views.map(\.firstName))"
    case .update(let views, let deletions, let insertions, let modifications):
      "\(views.map(\.firstName)) \(deletions) \(insertions) \(modifications)"
    case .error(let error): "error \((error as? FiefError)?.code.rawValue ?? "")"
    }
  }

  @Test(arguments: StoreKind.allCases) func resultsOfProjectionsAreObserved(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let person = try ann(realm)
      let told = Tellings()
      let views = realm.objects(PersonView.self).sorted(by: \.firstName)
      let token = views.observe { told.take(text($0)) }
      #expect(told.next() == #"initial ["Ann", "Bob", "Cid"]"#)
      try realm.write { person.address?.country = "Peru" }
      try realm.write { person.address?.city = "Lima" }
      #expect(told.next() == #"["Ann", "Bob", "Cid"] [] [] [0]"#)
      try realm.write { realm.add(ViewedPerson("Abe", "Moor", age: 1, city: "Lima")) }
      #expect(told.next() == #"["Abe", "Ann", "Bob", "Cid"] [] [0] []"#)
      token.invalidate()
      let ages = views.observe(keyPaths: [\.years]) { told.take(text($0)) }
      #expect(told.next().hasPrefix("initial"))
      try realm.write { person.address?.city = "Rome" }
      try realm.write { person.age = 50 }
      #expect(told.next() == #"["Abe", "Ann", "Bob", "Cid"] [] [] [1]"#)
      ages.invalidate()
      let wrong = views.observe(keyPaths: ["nmae"]) { told.take(text($0)) }
      #expect(told.next() == "error unknownProperty")
      wrong.invalidate()
    }
  }

  @Test(arguments: StoreKind.allCases) func projectedCollectionsAreObserved(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let person = try ann(realm)
      let told = Tellings()
      let token = PersonView(projecting: person).friendNames.observe(keyPaths: ["firstName"]) { change in
        switch change {
        case .initial(let names): told.take("initial \(Array(names))")
        case .update(let names, let deletions, let insertions, let modifications):
          told.take("\(Array(names)) \(deletions) \(insertions) \(modifications)")
        case .error(let error): told.take("\(error)")
        }
      }
      #expect(told.next() == #"initial ["Bob", "Cid"]"#)
      try realm.write { person.friends[0].firstName = "Eve" }
      #expect(told.next() == #"["Eve", "Cid"] [] [] [0]"#)
      try realm.write { person.friends.append(ViewedPerson("Dan", "Moor", age: 1, city: "Lima")) }
      #expect(told.next() == #"["Eve", "Cid", "Dan"] [] [2] []"#)
      token.invalidate()
    }
  }
}
