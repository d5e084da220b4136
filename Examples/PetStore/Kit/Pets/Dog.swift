import Fief
import Foundation

/// A dog, its toys, and the people it belongs to.
final class Dog: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted(indexed: true) var name: String
  /// The breed; nil where it is not known.
  @Persisted var breed: Breed?
  @Persisted var age = 0
  @Persisted var toys: List<DogToy>
  /// The people who have the dog: the other side of ``Person/dogs``.
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  /// The clubs it goes to: the other side of ``DogClub/members``.
  @Persisted(originProperty: "members") var clubs: LinkingObjects<DogClub>
}
