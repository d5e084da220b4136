import Fief
import Foundation

// The classes of version 2, frozen.
extension PetsVersion2 {
  package final class Person: Object {
    @Persisted(primaryKey: true) package var id: UUID
    @Persisted(indexed: true) package var name: String
    @Persisted package var userID: UUID?
    @Persisted package var homeClub: DogClub?
    @Persisted package var dogs: List<Dog>
  }

  package final class Dog: Object {
    @Persisted(primaryKey: true) package var id: UUID
    @Persisted(indexed: true) package var name: String
    @Persisted package var breed: Breed?
    @Persisted package var age = 0
    @Persisted package var toys: List<DogToy>
    @Persisted(originProperty: "dogs") package var owners: LinkingObjects<Person>
    @Persisted(originProperty: "members") package var clubs: LinkingObjects<DogClub>
  }

  package final class Breed: Object {
    @Persisted(primaryKey: true) package var name: String
    @Persisted(originProperty: "breed") package var dogs: LinkingObjects<Dog>
  }

  package final class DogToy: Object {
    package enum Kind: String, PersistableEnum { case ball, rope, bone, squeaky }

    @Persisted package var kind = Kind.ball
    @Persisted package var colour = "natural"
  }

  package final class DogClub: Object {
    @Persisted(primaryKey: true) package var name: String
    @Persisted package var president: Person?
    @Persisted package var members: List<Dog>
  }
}
