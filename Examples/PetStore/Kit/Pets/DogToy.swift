import Fief

/// Something to chew. It has no primary key: the store gives it one.
final class DogToy: Object {
  /// What the toy is.
  enum Kind: String, PersistableEnum {
    case ball
    case rope
    case bone
    case squeaky
  }

  @Persisted var kind = Kind.ball
  @Persisted var colour: String?
  @Persisted var squeaks = false
}
