import Fief

/// An object with a list of links.
final class Track: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var leaves: List<Leaf>

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}
