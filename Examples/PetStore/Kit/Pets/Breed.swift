import Fief

/// A breed of dogs.
final class Breed: Object {
  @Persisted(primaryKey: true) var name: String
  /// The dogs of the breed: the other side of ``Dog/breed``.
  @Persisted(originProperty: "breed") var dogs: LinkingObjects<Dog>
}
