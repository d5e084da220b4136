import Fief

/// Something to chew: a part of its dog, stored in it.
final class DogToy: EmbeddedObject {
  /// The kind of toy.
  enum Kind: String, PersistableEnum {
    case ball
    case rope
    case bone
    case squeaky
  }

  @Persisted var kind = Kind.ball
  @Persisted var colour = "natural"
}
