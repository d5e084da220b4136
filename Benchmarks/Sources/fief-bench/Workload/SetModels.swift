import Fief

/// An object with a set and a map of texts.
final class Bag: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var words: MutableSet<String>
  @Persisted var counts: Map<String, Int>
}
