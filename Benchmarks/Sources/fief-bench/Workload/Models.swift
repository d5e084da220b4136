import Fief
import Foundation

/// The classes of the stores, as an application would have them.
final class StoredPerson: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var email = ""
  @Persisted var age = 0
  @Persisted var balance = 0.0
  @Persisted var active = false
  @Persisted var createdAt: Date
  @Persisted var note = ""
}

/// A person with two indexes. An entry is the value and then the object's key, so that the index of
/// `createdAt` is one of (createdAt, id).
final class IndexedPerson: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var email = ""
  @Persisted(indexed: true) var age = 0
  @Persisted var balance = 0.0
  @Persisted var active = false
  @Persisted(indexed: true) var createdAt: Date
  @Persisted var note = ""
}

/// A person with dogs.
final class Owner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var email = ""
  @Persisted var age = 0
  @Persisted var balance = 0.0
  @Persisted var active = false
  @Persisted var createdAt: Date
  @Persisted var note = ""
  @Persisted var dogs: List<Dog>
}

final class Dog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0

  convenience init(_ values: DogValues) {
    self.init()
    id = values.id
    name = values.name
    age = values.age
  }
}

/// The classes of persons, for what the rows have in common.
protocol PersonObject: Object, PersonProperties {
  var id: Int { get set }
  var name: String { get set }
  var email: String { get set }
  var age: Int { get set }
  var balance: Double { get set }
  var active: Bool { get set }
  var createdAt: Date { get set }
  var note: String { get set }
}

extension PersonObject {
  var createdAtSeconds: Double { createdAt.timeIntervalSince1970 }

  init(_ person: Person) {
    self.init()
    id = person.id
    name = person.name
    email = person.email
    age = person.age
    balance = person.balance
    active = person.active
    createdAt = Date(timeIntervalSince1970: person.createdAt)
    note = person.note
  }
}

extension StoredPerson: PersonObject {}
extension IndexedPerson: PersonObject {}
extension Owner: PersonObject {}

extension Owner {
  /// The person with its dogs, none of which is in a store yet.
  convenience init(withDogs person: Person) {
    self.init(person)
    dogs.append(objectsIn: DogValues.ids(ofOwner: person.id).map { Dog(DogValues(id: $0)) })
  }
}
