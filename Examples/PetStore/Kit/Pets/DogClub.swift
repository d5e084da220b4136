import Fief

/// Dogs that meet: many to many, since a dog may go to several clubs.
final class DogClub: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var president: Person?
  @Persisted var members: List<Dog>
}
