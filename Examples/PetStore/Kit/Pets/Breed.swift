import Fief

/// A breed of dogs.
final class Breed: Object {
  @Persisted(primaryKey: true) var name: String
  /// Its dogs: the other side of ``Dog/breed``.
  @Persisted(originProperty: "breed") var dogs: LinkingObjects<Dog>
}
