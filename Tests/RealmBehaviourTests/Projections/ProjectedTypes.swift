import FiefRealm
import FiefTesting
import Foundation
import Testing

final class ViewedAddress: EmbeddedObject {
  @Persisted var city = ""
  @Persisted var country = ""
}

final class ViewedPhone: Object {
  @Persisted var number = ""
}

final class ViewedPerson: Object {
  @Persisted var firstName = ""
  @Persisted var lastName = ""
  @Persisted var age = 0
  @Persisted var address: ViewedAddress?
  @Persisted var phone: ViewedPhone?
  @Persisted var friends: List<ViewedPerson>
  @Persisted var kin: MutableSet<ViewedPerson>
  @Persisted var reviews: List<String>

  var unstored = 7
  var greeting: String { "Hello \(firstName)" }

  convenience init(_ firstName: String, _ lastName: String, age: Int, city: String) {
    self.init()
    self.firstName = firstName
    self.lastName = lastName
    self.age = age
    address = ViewedAddress()
    address?.city = city
  }
}

/// A projection as code for Realm declares it.
final class PersonView: Projection<ViewedPerson> {
  @Projected(\ViewedPerson.firstName) var firstName
  @Projected(\ViewedPerson.lastName.localizedUppercase) var lastNameCaps
  @Projected(\ViewedPerson.age) var years
  @Projected(\ViewedPerson.address?.city) var homeCity
  @Projected(\ViewedPerson.phone?.number) var number
  @Projected(\ViewedPerson.friends.projectTo.firstName) var friendNames: ProjectedCollection<String>
  @Projected(\ViewedPerson.kin.projectTo.greeting) var kinGreetings: ProjectedCollection<String>
  @Projected(\ViewedPerson.reviews) var reviews
  @Projected(\ViewedPerson.reviews.count) var reviewCount
}

final class AgeView: Projection<ViewedPerson> {
  @Projected(\ViewedPerson.age) var age1
  @Projected(\ViewedPerson.age) var age2
}

final class UnstoredView: Projection<ViewedPerson> {
  @Projected(\ViewedPerson.unstored) var unstored
}

final class AddressView: Projection<ViewedAddress> {
  @Projected(\ViewedAddress.city) var city
}

/// A store with Ann, who is a friend of Bob and Cid, and has Bob as kin.
func withPersons(_ kind: StoreKind, _ body: (Realm) throws -> Void) throws {
  try withFreshStores(kind) {
    let repository = TestRepository(objectTypes: [ViewedPerson.self, ViewedPhone.self])
    let realm = repository.store()
    try realm.write {
      let ann = ViewedPerson("Ann", "Snow", age: 30, city: "Oslo")
      let bob = ViewedPerson("Bob", "Lake", age: 20, city: "Bonn")
      let cid = ViewedPerson("Cid", "Hill", age: 40, city: "Rome")
      ann.friends.append(objectsIn: [bob, cid])
      ann.kin.insert(bob)
      ann.reviews.append(objectsIn: ["good", "bad"])
      ann.phone = ViewedPhone()
      ann.phone?.number = "555"
      for person in [ann, bob, cid] { realm.add(person) }
    }
    try body(realm)
    #expect(try repository.check().problems == [])
  }
}

/// The changes that handlers got, one text after another.
final class Tellings: @unchecked Sendable {
  private let condition = NSCondition()
  private var texts: [String] = []

  func take(_ text: String) {
    condition.withLock {
      texts.append(text)
      condition.broadcast()
    }
  }

  /// The next text, for which it waits.
  func next() -> String {
    condition.withLock {
      while texts.isEmpty { condition.wait() }
      return texts.removeFirst()
    }
  }
}
