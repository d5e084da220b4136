import Fief
import Foundation

/// Dogs that meet: many to many, since a dog may go to several clubs. A club may change its name.
final class DogClub: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted(indexed: true) var name: String
  @Persisted var president: Person?
  @Persisted var members: List<Dog>
  /// The people who are at home in it: the other side of ``Person/homeClub``.
  @Persisted(originProperty: "homeClub") var people: LinkingObjects<Person>
}
