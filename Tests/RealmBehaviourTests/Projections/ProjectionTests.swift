import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Projections that are queried, read and written through.
struct ProjectionTests {
  @Test(arguments: StoreKind.allCases) func valuesAreThoseOfTheObject(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let ann = try #require(realm.objects(ViewedPerson.self).filter("lastName == 'Snow'").first)
      let view = PersonView(projecting: ann)
      #expect(view.firstName == "Ann" && view.lastNameCaps == "SNOW" && view.years == 30)
      #expect(view.homeCity == "Oslo" && view.number == "555")
      #expect(Array(view.friendNames) == ["Bob", "Cid"] && Array(view.kinGreetings) == ["Hello Bob"])
      #expect(Array(view.reviews) == ["good", "bad"] && view.reviewCount == 2)
      #expect(view.realm == realm && !view.isInvalidated)
      let address = AddressView(projecting: try #require(ann.address))
      #expect(address.city == "Oslo")
      #expect(PersonView(projecting: ViewedPerson()).realm == nil)
      #expect(UnstoredView(projecting: ann).unstored == 7)
    }
  }

  @Test(arguments: StoreKind.allCases) func resultsAreQueried(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let views = realm.objects(PersonView.self)
      #expect(views.count == 3 && !views.isEmpty)
      #expect(views.filter("lastName == %@", "Snow").first?.firstName == "Ann")
      #expect(views.where { $0.age > 25 }.count == 2)
      #expect(
        views.sorted(byKeyPath: "firstName", ascending: false).map(\.firstName) == ["Cid", "Bob", "Ann"]
      )
      #expect(views.sorted(by: \.years).map(\.firstName) == ["Bob", "Ann", "Cid"])
      #expect(views.sorted(by: \.homeCity).map(\.homeCity) == ["Bonn", "Oslo", "Rome"])
      let byAge = views.sorted(by: [SortDescriptor(keyPath: "age")])
      #expect(byAge.last?.years == 40 && byAge[1].firstName == "Ann")
      let events = withExpectedEvents { #expect(byAge[3].rootObject.realm == nil) }
      #expect(events.count == 1)
      #expect(byAge.index(of: byAge[1]) == 1 && byAge.index(matching: "age == 40") == 2)
      #expect(byAge.contains(try #require(views.first)))
      #expect(views.distinct(by: ["firstName"]).count == 3)
      #expect(views.sum(ofProperty: "age") == 90 && views.average(ofProperty: "age") == 30)
      #expect(views.min(ofProperty: "age") == 20 && views.max(ofProperty: "age") == 40)
      #expect(try byAge.all().map(\.years) == [20, 30, 40])
      #expect(throws: FiefError.self) { try views.sorted(by: \.lastNameCaps).all() }
      #expect(throws: FiefError.self) { try views.filter("nmae == 'a'").all() }
      let read = try realm.read { scope in scope.objects(PersonView.self).sorted(by: \.years).map(\.years) }
      #expect(read == [20, 30, 40])
    }
  }

  @Test(arguments: StoreKind.allCases) func frozenResultsStayThoseOfOneState(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let views = realm.objects(PersonView.self).sorted(by: \.years)
      let frozen = views.freeze()
      try realm.write { realm.add(ViewedPerson("Dan", "Moor", age: 1, city: "Lima")) }
      #expect(views.count == 4 && frozen.count == 3 && frozen[0].firstName == "Bob")
      #expect(frozen.map(\.firstName) == ["Bob", "Ann", "Cid"] && frozen.isFrozen && !views.isFrozen)
      #expect(frozen.thaw().count == 4)
    }
  }

  @Test(arguments: StoreKind.allCases) func projectionsAreEqualByTheirObjects(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let ann = try #require(realm.objects(ViewedPerson.self).filter("age == 30").first)
      let view = try #require(realm.objects(PersonView.self).filter("age == 30").first)
      let other = try #require(realm.objects(PersonView.self).filter("age == 20").first)
      #expect(PersonView(projecting: ann) == view && view != other)
      #expect(Set([view, PersonView(projecting: ann), other]).count == 2)
    }
  }

  @Test(arguments: StoreKind.allCases) func assignmentsJoinTheWrite(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let view = try #require(realm.objects(PersonView.self).filter("age == 30").first)
      try realm.write {
        view.firstName = "Eve"
        view.years = 31
        view.reviews.append("fair")
        view.friendNames[1] = "Fay"
        #expect(view.firstName == "Eve" && view.reviewCount == 3 && view.friendNames[1] == "Fay")
      }
      let stored = try #require(realm.objects(ViewedPerson.self).filter("firstName == 'Eve'").first)
      #expect(
        stored.age == 31 && stored.lastName == "Snow" && Array(stored.reviews) == ["good", "bad", "fair"]
      )
      #expect(stored.friends.map(\.firstName) == ["Bob", "Fay"])
      #expect(realm.objects(PersonView.self).filter("firstName == 'Fay'").first?.years == 40)
    }
  }

  @Test(arguments: StoreKind.allCases) func outsideOfAWriteTheCopyChanges(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let view = try #require(realm.objects(PersonView.self).filter("age == 30").first)
      view.firstName = "Eve"
      #expect(view.firstName == "Eve" && view.rootObject.firstName == "Eve")
      #expect(realm.objects(PersonView.self).filter("firstName == 'Eve'").isEmpty)
      let plain = ViewedPerson()
      PersonView(projecting: plain).years = 5
      #expect(plain.age == 5)
    }
  }

  @Test(arguments: StoreKind.allCases) func whatCannotBeAssignedIsReported(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let view = try #require(realm.objects(PersonView.self).filter("age == 30").first)
      let events = try withExpectedEvents {
        try realm.write {
          view.lastNameCaps = "OTHER"
          view.homeCity = "Lima"
          view.kinGreetings[0] = "Bye"
        }
      }
      #expect(events.count == 3)
      for event in events {
        guard case .misuse(let error) = event else {
          Issue.record("another event: \(event)")
          continue
        }
        #expect(error.code == .invalidValue && error.type == "ViewedPerson")
      }
      #expect(view.lastNameCaps == "SNOW" && view.homeCity == "Oslo" && view.kinGreetings[0] == "Hello Bob")
    }
  }

  @Test(arguments: StoreKind.allCases) func projectedCollectionsAreCollections(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let view = try #require(realm.objects(PersonView.self).filter("age == 30").first)
      let names = view.friendNames
      #expect(names.count == 2 && names[0] == names.first && names[1] == names.last)
      #expect(names.index(of: "Cid") == 1 && names.firstIndex(of: "nobody") == nil && names.contains("Bob"))
      #expect(names.filter { $0 > "Bz" } == ["Cid"] && names.sorted(by: >) == ["Cid", "Bob"])
      #expect(names.description == "ProjectedCollection<String> {\n\t[0] Bob\n\t[1] Cid\n}")
      #expect(names.realm == realm && view.kinGreetings.realm == realm)
      try realm.write { view.rootObject.friends.removeFirst() }
      #expect(Array(view.friendNames) == ["Cid"])
      #expect(PersonView(projecting: ViewedPerson()).friendNames.isEmpty)
      #expect(!names.isInvalidated)
      try realm.write { realm.delete(view.rootObject) }
      #expect(names.isInvalidated && view.isInvalidated)
    }
  }

  @Test(arguments: StoreKind.allCases) func theDescriptionHasNamesOriginsAndValues(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let view = try #require(realm.objects(PersonView.self).filter("age == 30").first)
      let text = view.description
      for line in [
        "PersonView<ViewedPerson> {", "firstName(firstName) = Ann;", "lastNameCaps(lastName) = SNOW;",
        "homeCity(address.city) = Oslo;", "number(phone.number) = 555;",
        "friendNames(friends.firstName) = ProjectedCollection<String> {", "reviewCount(reviews) = 2;",
      ] { #expect(text.contains(line)) }
    }
  }
}
