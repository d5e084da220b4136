import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Objects that are frozen and thawed.
@Suite(.timeLimit(.minutes(20)))
struct FreezingTests {
  private func ann(_ realm: Realm) throws -> ViewedPerson {
    try #require(realm.objects(ViewedPerson.self).filter("lastName == 'Snow'").first)
  }

  @Test(arguments: StoreKind.allCases) func aFrozenObjectStaysAsItIs(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let ann = try ann(realm)
      let frozen = ann.freeze()
      #expect(frozen.isFrozen && !ann.isFrozen && frozen.freeze() === frozen && !realm.isFrozen)
      #expect(frozen.realm == realm && frozen.isSameObject(as: ann))
      try realm.write {
        ann.firstName = "Eve"
        ann.reviews.append("fair")
        ann.address?.city = "Lima"
        ann.phone?.number = "777"
      }
      #expect(ann.firstName == "Eve" && frozen.firstName == "Ann")
      #expect(Array(frozen.reviews) == ["good", "bad"] && frozen.reviews.isFrozen && !ann.reviews.isFrozen)
      #expect(frozen.address?.city == "Oslo" && frozen.address?.isFrozen == true)
      // A link is followed when it is read.
      #expect(frozen.phone?.number == "777" && frozen.phone?.isFrozen == true)
      #expect(frozen.friends.first?.isFrozen == true)
      try realm.write { realm.delete(ann) }
      #expect(frozen.firstName == "Ann" && frozen.thaw() == nil && frozen.isFrozen)
    }
  }

  @Test(arguments: StoreKind.allCases) func aRealmFreezesWhatItHas(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let ann = try ann(realm)
      let (frozen, friends) = (realm.freeze(ann), realm.freeze(ann.friends))
      let persons = realm.freeze(realm.objects(ViewedPerson.self))
      #expect(frozen.isFrozen && friends.isFrozen && persons.isFrozen)
      let (count, friendCount) = (persons.count, friends.count)
      try realm.write {
        ann.firstName = "Eve"
        ann.friends.removeAll()
        realm.create(ViewedPerson.self)
      }
      #expect(frozen.firstName == "Ann" && friends.count == friendCount && persons.count == count)
      #expect(realm.thaw(frozen)?.firstName == "Eve" && realm.thaw(friends)?.isEmpty == true)
      #expect(realm.thaw(persons)?.count == count + 1)
      try realm.write { realm.delete(ann) }
      #expect(realm.thaw(frozen) == nil)
    }
  }

  @Test(arguments: StoreKind.allCases) func aThawedObjectIsLive(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let ann = try ann(realm)
      #expect(ann.thaw() === ann)
      let frozen = ann.freeze()
      try realm.write { ann.firstName = "Eve" }
      let thawed = try #require(frozen.thaw())
      #expect(!thawed.isFrozen && thawed.firstName == "Eve")
      try realm.write {
        // The thawed object in a write is the instance of the write.
        let live = try #require(frozen.thaw())
        live.firstName = "Fay"
      }
      #expect(try self.ann(realm).firstName == "Fay" && frozen.firstName == "Ann")
    }
  }

  @Test(arguments: StoreKind.allCases) func aStateBeforeTheWriteIsFrozenInIt(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      try realm.write {
        let ann = try ann(realm)
        ann.firstName = "Eve"
        #expect(ann.freeze().firstName == "Ann")
      }
      try realm.read { snapshot in
        let ann = try #require(snapshot.objects(ViewedPerson.self).filter("lastName == 'Snow'").first)
        #expect(ann.freeze().firstName == "Eve" && ann.freeze().isFrozen)
      }
    }
  }

  @Test(arguments: StoreKind.allCases) func changesOfAFrozenObjectFailTheWrite(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let frozen = try ann(realm).freeze()
      let changes: [(ViewedPerson) -> Void] = [
        { $0.firstName = "Eve" }, { $0.reviews.append("fair") }, { $0.phone?.number = "777" },
        { $0.friends.first?.firstName = "Fay" },
      ]
      for change in changes {
        #expect(throws: FiefError.self) {
          try realm.write {
            realm.add(ViewedPerson("Dan", "Wood", age: 1, city: "Oslo"))
            change(frozen)
          }
        }
        #expect(realm.objects(ViewedPerson.self).count == 3)
      }
      #expect(try ann(realm).firstName == "Ann" && ann(realm).reviews.count == 2)
    }
  }

  @Test(arguments: StoreKind.allCases) func aFrozenObjectIsNotSaved(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let ann = try ann(realm)
      let frozen = ann.freeze()
      try realm.write { ann.firstName = "Eve" }
      for policy in [UpdatePolicy.all, .modified, .error] {
        #expect(throws: FiefError.self) { try realm.write { realm.add(frozen, update: policy) } }
        #expect(frozen.isFrozen && frozen.firstName == "Ann")
      }
      #expect(throws: FiefError.self) { try realm.write { ann.friends.append(frozen) } }
      #expect(try self.ann(realm).friends.count == 2 && self.ann(realm).firstName == "Eve")
    }
  }

  @Test(arguments: StoreKind.allCases) func linksOfOneThatWasFrozenInAReadAreFrozen(_ kind: StoreKind) throws
  {
    try withPersons(kind) { realm in
      var frozen: ViewedPerson?
      try realm.read { snapshot in
        frozen = snapshot.objects(ViewedPerson.self).filter("lastName == 'Snow'").first?.freeze()
        #expect(frozen?.phone?.isFrozen == true && frozen?.friends.first?.isFrozen == true)
      }
      #expect(throws: FiefError.self) { try realm.write { frozen?.phone?.number = "777" } }
      #expect(try ann(realm).phone?.number == "555")
    }
  }

  @Test(arguments: StoreKind.allCases) func misuseIsReported(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let frozen = try ann(realm).freeze()
      let events = try withExpectedEvents {
        frozen.firstName = "Eve"
        try realm.write {
          let dan = ViewedPerson("Dan", "Wood", age: 1, city: "Oslo")
          realm.add(dan)
          #expect(!dan.freeze().isFrozen)
        }
        #expect(!ViewedPerson().freeze().isFrozen)
      }
      let codes = events.map { event -> FiefError.Code? in
        guard case .misuse(let error) = event else { return nil }
        return error.code
      }
      #expect(codes == [.invalidValue, .objectNotFound, .foreignObject])
      #expect(try ann(realm).firstName == "Ann")
    }
  }

  @Test(arguments: StoreKind.allCases) func sectionsOfNoNumberAreTheirOwn(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let sections = realm.objects(ViewedPerson.self).sorted(byKeyPath: "age")
        .sectioned(by: { $0.age > 25 ? Double.nan : 1 }).freeze()
      #expect(sections.first?.map(\.firstName) == ["Bob"])
      #expect(sections.allSatisfy { !$0.isEmpty } && sections.reduce(0) { $0 + $1.count } == 3)
    }
  }

  @Test(arguments: StoreKind.allCases) func aFrozenObjectIsNotObserved(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let told = Tellings()
      let token = try ann(realm).freeze().observe { change in
        guard case .error(let error as FiefError) = change else { return told.take("\(change)") }
        told.take("\(error.code)")
      }
      #expect(told.next() == "invalidValue")
      token.invalidate()
    }
  }
}
