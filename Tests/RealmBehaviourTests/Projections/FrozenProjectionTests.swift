import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Projections and projected collections of one state.
@Suite(.timeLimit(.minutes(20)))
struct FrozenProjectionTests {
  private func ann(_ realm: Realm) throws -> PersonView {
    try #require(realm.objects(PersonView.self).filter("lastName == 'Snow'").first)
  }

  @Test(arguments: StoreKind.allCases) func aFrozenProjectionStaysAsItIs(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let view = try ann(realm)
      let frozen = view.freeze()
      #expect(!view.isFrozen && frozen.isFrozen && frozen.freeze() === frozen && view.thaw() === view)
      #expect(frozen.realm == realm && !frozen.isInvalidated)
      try realm.write {
        view.firstName = "Eve"
        view.reviews.append("fair")
        view.rootObject.phone?.number = "777"
        view.rootObject.address?.city = "Lima"
        view.friendNames[0] = "Fay"
      }
      #expect(view.firstName == "Eve" && view.reviewCount == 3)
      #expect(frozen.firstName == "Ann" && frozen.lastNameCaps == "SNOW" && frozen.years == 30)
      #expect(frozen.homeCity == "Oslo" && frozen.number == "555")
      #expect(Array(frozen.friendNames) == ["Bob", "Cid"] && frozen.friendNames.isFrozen)
      #expect(Array(frozen.reviews) == ["good", "bad"] && frozen.reviewCount == 2)
      #expect(frozen.description.contains("firstName(firstName) = Ann;"))
      try realm.write { realm.deleteAll() }
      #expect(frozen.number == "555" && Array(frozen.kinGreetings) == ["Hello Bob"] && !frozen.isInvalidated)
    }
  }

  @Test(arguments: StoreKind.allCases) func frozenProjectionsAreEqualByTheirValues(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let view = try ann(realm)
      let frozen = view.freeze()
      #expect(frozen != view && frozen == view.freeze() && Set([frozen, view.freeze()]).count == 1)
      #expect(frozen != (try #require(realm.objects(PersonView.self).filter("age == 20").first)).freeze())
      try realm.write { view.years = 31 }
      #expect(frozen != view.freeze())
    }
  }

  @Test(arguments: StoreKind.allCases) func aThawedProjectionIsAsTheStoreHasIt(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let frozen = try ann(realm).freeze()
      try realm.write { try ann(realm).years = 31 }
      let thawed = try #require(frozen.thaw())
      #expect(!thawed.isFrozen && thawed.years == 31 && frozen.years == 30)
      try realm.write { thawed.years = 32 }
      #expect(try ann(realm).years == 32 && frozen.thaw()?.years == 32)
      try realm.write { realm.deleteAll() }
      #expect(frozen.thaw() == nil && frozen.years == 30)
    }
  }

  @Test(arguments: StoreKind.allCases) func inAWriteItIsTheStateBeforeIt(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let view = try ann(realm)
      try realm.write {
        view.years = 31
        view.friendNames[0] = "Fay"
        view.rootObject.phone?.number = "777"
        view.rootObject.friends.removeLast()
        let frozen = view.freeze()
        #expect(frozen.years == 30 && frozen.number == "555" && Array(frozen.friendNames) == ["Bob", "Cid"])
        #expect(Array(view.friendNames.freeze()) == ["Bob", "Cid"] && view.years == 31)
        #expect(frozen.thaw()?.years == 31)
      }
      let events = try withExpectedEvents {
        try realm.write {
          let made = ViewedPerson("Dan", "Moor", age: 1, city: "Lima")
          realm.add(made)
          #expect(PersonView(projecting: made).freeze().firstName == "Dan")
        }
      }
      #expect(events.compactMap { $0.failure?.code } == [.objectNotFound])
    }
  }

  @Test(arguments: StoreKind.allCases) func whatIsFrozenCannotBeChanged(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let frozen = try ann(realm).freeze()
      let events = try withExpectedEvents {
        frozen.years = 1
        try realm.write {
          frozen.firstName = "Eve"
          frozen.friendNames[0] = "Fay"
        }
      }
      #expect(events.compactMap { $0.failure?.code } == [.invalidValue, .invalidValue, .invalidValue])
      for change in [
        { frozen.reviews.append("fair") }, { frozen.rootObject.age = 5 },
        { frozen.rootObject.phone?.number = "1" }, { frozen.rootObject.friends[0].age = 5 },
      ] as [() -> Void] {
        let error = #expect(throws: FiefError.self) { try realm.write { change() } }
        #expect(error?.code == .invalidValue)
      }
      #expect(frozen.years == 30 && frozen.friendNames[0] == "Bob" && frozen.reviewCount == 2)
      #expect(frozen.rootObject.age == 30 && frozen.rootObject.phone?.number == "555")
      let view = try ann(realm)
      #expect(view.years == 30 && view.firstName == "Ann" && view.reviewCount == 2 && view.number == "555")
      #expect(Array(view.friendNames) == ["Bob", "Cid"] && Array(frozen.reviews) == ["good", "bad"])
    }
  }

  @Test(arguments: StoreKind.allCases) func whatIsFrozenCannotBeObserved(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let frozen = try ann(realm).freeze()
      let told = Tellings()
      @Sendable func code(_ error: any Error) -> String { (error as? FiefError)?.code.rawValue ?? "\(error)" }
      let tokens = [
        frozen.observe { if case .error(let error) = $0 { told.take(code(error)) } },
        frozen.friendNames.observe { if case .error(let error) = $0 { told.take(code(error)) } },
        try ann(realm).friendNames.freeze().observe {
          if case .error(let error) = $0 { told.take(code(error)) }
        },
      ]
      #expect((0..<3).map { _ in told.next() } == ["invalidValue", "invalidValue", "invalidValue"])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test(arguments: StoreKind.allCases) func whatIsInNoStoreIsReported(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let plain = ViewedPerson("Dan", "Moor", age: 1, city: "Lima")
      plain.friends.append(ViewedPerson("Eve", "Moor", age: 1, city: "Lima"))
      let view = try ann(realm)
      try realm.write { realm.delete(view.rootObject) }
      let events = withExpectedEvents {
        let frozen = PersonView(projecting: plain).freeze()
        plain.firstName = "changed"
        plain.friends[0].firstName = "changed"
        #expect(frozen.isFrozen && frozen.firstName == "Dan" && Array(frozen.friendNames) == ["Eve"])
        #expect(frozen.thaw() == nil && frozen.friendNames.thaw() == nil)
        #expect(view.freeze().firstName == "Ann")
      }
      #expect(events.compactMap { $0.failure?.code } == [.foreignObject, .objectNotFound])
    }
  }

  @Test(arguments: StoreKind.allCases) func projectedCollectionsAreFrozen(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let view = try ann(realm)
      for names in [view.friendNames, view.kinGreetings] {
        let frozen = names.freeze()
        let values = Array(frozen)
        #expect(!names.isFrozen && frozen.isFrozen && frozen.freeze().isFrozen && frozen.realm == realm)
        try realm.write { realm.objects(ViewedPerson.self).forEach { $0.firstName = "n" + $0.firstName } }
        #expect(Array(frozen) == values && frozen.count == values.count && frozen.first == values.first)
        let thawed = try #require(frozen.thaw())
        #expect(!thawed.isFrozen && Array(thawed) != values && thawed.count == values.count)
        #expect(frozen.filter { $0 == values[0] }.count == 1 && frozen.index(of: values[0]) == 0)
      }
      let frozen = view.friendNames.freeze()
      let thawed = try #require(frozen.thaw())
      try realm.write { realm.delete(view.rootObject) }
      #expect(thawed.isInvalidated && !frozen.isInvalidated && !frozen.isEmpty && frozen.thaw() == nil)
    }
  }

  @Test(arguments: StoreKind.allCases) func projectionsOfEmbeddedObjectsAreFrozen(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let person = try ann(realm).rootObject
      let view = AddressView(projecting: try #require(person.address))
      let frozen = view.freeze()
      try realm.write { person.address?.city = "Lima" }
      #expect(frozen.isFrozen && frozen.city == "Oslo" && frozen.thaw()?.city == "Lima")
      try realm.write { person.address = nil }
      #expect(frozen.thaw() == nil && frozen.city == "Oslo")
    }
  }

  @Test(arguments: StoreKind.allCases) func aReadIsOneState(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let person = try ann(realm).rootObject
      let frozen = try realm.read { scope in
        let view = try #require(scope.objects(PersonView.self).filter("lastName == 'Snow'").first)
        DispatchQueue.global().sync {}
        return view.freeze()
      }
      try realm.write { person.phone?.number = "777" }
      #expect(frozen.number == "555" && frozen.years == 30)
    }
  }
}
