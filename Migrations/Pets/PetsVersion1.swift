import Fief
import Foundation

/// The store of people and their dogs as it was first: its classes, frozen.
///
/// No plan lists it, since the first step begins with it.
package enum PetsVersion1: MigrationStep {
  package static let version: UInt64 = 1
  package static let name = "people, dogs, toys and clubs"
  package static let description = "What the store of pets began with."
  package static var objectTypes: [Object.Type]? {
    [Person.self, Dog.self, DogToy.self, DogClub.self]
  }

  package final class Person: Object {
    @Persisted(primaryKey: true) package var id: UUID
    @Persisted(indexed: true) package var name: String
    @Persisted package var userID: UUID?
    @Persisted package var dogs: List<Dog>
  }

  package final class Dog: Object {
    @Persisted(primaryKey: true) package var id: UUID
    @Persisted(indexed: true) package var name: String
    @Persisted(indexed: true) package var breed: String
    @Persisted package var age = 0
    @Persisted package var toys: List<DogToy>
    @Persisted(originProperty: "dogs") package var owners: LinkingObjects<Person>
    @Persisted(originProperty: "members") package var clubs: LinkingObjects<DogClub>
  }

  package final class DogToy: Object {
    package enum Kind: String, PersistableEnum { case ball, rope, bone, squeaky }

    @Persisted package var kind = Kind.ball
    @Persisted package var colour: String?
    @Persisted package var squeaks = false
  }

  package final class DogClub: Object {
    @Persisted(primaryKey: true) package var name: String
    @Persisted package var president: Person?
    @Persisted package var members: List<Dog>
  }
}
