import FiefRealm
import FiefTesting
import Foundation
import Testing

/// A phone with those who have it, and what a projection shows of them.
final class SharedPhone: Object {
  @Persisted(primaryKey: true) var number = ""
  @Persisted(originProperty: "phone") var owners: LinkingObjects<PhoneOwner>
}

final class PhoneOwner: Object {
  @Persisted var name = ""
  @Persisted var phone: SharedPhone?
}

final class SharedPhoneView: Projection<SharedPhone> {
  @Projected(\SharedPhone.owners.count) var ownerCount
}

final class PartlyStoredView: Projection<ViewedPerson> {
  @Projected(\ViewedPerson.firstName) var firstName
  @Projected(\ViewedPerson.unstored) var unstored
  var letter: String { String(firstName.prefix(1)) }
}

/// Projections of what others have deleted meanwhile, of what nothing holds, and of what is not stored.
@Suite(.timeLimit(.minutes(20)))
struct GoneElementTests {
  @Test(arguments: StoreKind.allCases) func deletedElementsAreLeftOut(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let view = try #require(realm.objects(PersonView.self).filter("lastName == 'Snow'").first)
      try realm.write { realm.delete(realm.objects(ViewedPerson.self).filter("firstName == 'Bob'")) }
      let events = withExpectedEvents {
        #expect(Array(view.friendNames) == ["Cid"] && view.friendNames.map { $0 } == ["Cid"])
        #expect(view.friendNames.sorted() == ["Cid"] && view.friendNames.contains("Cid"))
        #expect(Array(view.kinGreetings).isEmpty && view.kinGreetings.description.contains("{"))
        // Every counted element has a place: that of an object of no store.
        for index in view.kinGreetings.indices { #expect(view.kinGreetings[index] == "Hello ") }
        for index in view.friendNames.indices { _ = view.friendNames[index] }
      }
      #expect(events.allSatisfy { $0.failure?.code == .objectNotFound })
    }
  }

  @Test(arguments: StoreKind.allCases) func aCollectionWithoutItsObjectKnowsItsStore(_ kind: StoreKind) throws
  {
    try withPersons(kind) { realm in
      func names() throws -> ProjectedCollection<String> {
        try #require(realm.objects(PersonView.self).filter("lastName == 'Snow'").first).friendNames
      }
      let names = try names()
      #expect(names.realm == realm && !names.isInvalidated && Array(names) == ["Bob", "Cid"])
      #expect(Array(names.freeze()) == ["Bob", "Cid"] && names.freeze().thaw()?.count == 2)
      try realm.write { realm.delete(realm.objects(ViewedPerson.self).filter("lastName == 'Snow'")) }
      #expect(names.isInvalidated)
    }
  }

  @Test(arguments: StoreKind.allCases) func unstoredPropertiesOfObservedSectionsAreAnError(_ kind: StoreKind)
    throws
  {
    try withPersons(kind) { realm in
      let told = Tellings()
      let sections = realm.objects(PartlyStoredView.self).sectioned(by: \.letter)
      let section = sections[0]
      @Sendable func code<Some>(_ change: SectionedResultsChange<Some>) -> String {
        if case .error(let error) = change { return (error as? FiefError)?.code.rawValue ?? "\(error)" }
        return "told"
      }
      let tokens = [
        sections.observe { told.take(code($0)) },
        sections.observe(keyPaths: [\.unstored]) { told.take(code($0)) },
        section.observe { told.take(code($0)) },
      ]
      #expect(Set((0..<3).map { _ in told.next() }).isSubset(of: ["invalidQuery", "unknownProperty"]))
      tokens.forEach { $0.invalidate() }
      let firstNames = sections.observe(keyPaths: [\.firstName]) { told.take(code($0)) }
      #expect(told.next() == "told")
      try realm.write { realm.objects(ViewedPerson.self).first?.firstName = "Alf" }
      #expect(told.next() == "told")
      firstNames.invalidate()
    }
  }

  @Test(arguments: StoreKind.allCases) func sectionsByTheCountOfAList(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let sections = realm.objects(PersonView.self).sectioned(by: \.reviewCount)
      #expect(Set(sections.allKeys) == [0, 2] && sections.count == 2)
    }
  }

  @Test(arguments: StoreKind.allCases) func inversesAreObserved(_ kind: StoreKind) throws {
    try withFreshStores(kind) {
      let repository = TestRepository(objectTypes: [SharedPhone.self, PhoneOwner.self])
      let realm = repository.store()
      try realm.write { realm.add(SharedPhone(value: ["number": "1"])) }
      let told = Tellings()
      let phone = try #require(realm.objects(SharedPhone.self).first)
      let token = SharedPhoneView(projecting: phone).observe { change in
        if case .change(_, let properties) = change {
          told.take(properties.map { "\($0.name) \($0.newValue ?? "-")" }.joined(separator: ", "))
        } else {
          told.take("\(change)")
        }
      }
      try realm.write { _ = realm.create(PhoneOwner.self, value: ["name": "Ann", "phone": phone]) }
      #expect(told.next() == "ownerCount 1")
      token.invalidate()
    }
  }

  @Test(arguments: StoreKind.allCases) func conditionsAreAboutPropertiesOfTheProjection(_ kind: StoreKind)
    throws
  {
    try withPersons(kind) { realm in
      let views = realm.objects(PersonView.self)
      #expect(views.where { $0.years > 25 }.sorted(by: \.years).map(\.firstName) == ["Ann", "Cid"])
      #expect(views.where { $0.homeCity == "Oslo" && $0.years < 40 }.map(\.firstName) == ["Ann"])
      #expect(views.where { $0.number == "555" }.count == 1 && views.where { $0.number == nil }.count == 2)
      #expect(views.where { $0.friendNames == "Cid" }.map(\.firstName) == ["Ann"])
      #expect(views.where { $0.friendNames.starts(with: "X") }.isEmpty)
      #expect(views.where { $0.reviews.contains("good") }.count == 1)
      // A name that the object has too means the object's property.
      #expect(views.where { $0.firstName == "Bob" && $0.age == 20 }.count == 1)
      #expect(
        views.where { (view: Query<PersonView>) in view.firstName == "Bob" && view.years == 20 }.count == 1
      )
      #expect(throws: FiefError.self) { try views.where { $0.lastNameCaps == "SNOW" }.all() }
      #expect(throws: FiefError.self) { try views.where { $0.kinGreetings == "Hello Bob" }.all() }
    }
  }
}
