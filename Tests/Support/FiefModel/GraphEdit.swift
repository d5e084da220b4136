/// One of the links of a relationship: a to-one link and each element of a list or set has no key.
struct GraphLink: Sendable, Hashable {
  var key = ""
  /// The mark of the target; nil is a value of maps.
  var target: Int?
}

/// A change of a relationship on the side that is stored.
enum GraphEdit: Sendable, Hashable {
  /// Other contents: the target of a link, all elements of a collection.
  case assign([GraphLink])
  case append([Int])
  case insert(Int, at: Int)
  case replace(at: Int, with: Int)
  case remove(at: Int)
  case move(from: Int, to: Int)
  case swap(Int, Int)
  case removeAll
  /// An edit of a set.
  case add(Int)
  case drop(Int)
  /// An edit of a map.
  case put(String, Int?)
  case clear(String)
}

/// A change of a relationship from the side that is not stored.
enum GraphInverseEdit: Sendable, Hashable {
  case append([Int])
  case remove([Int])
  case removeAll
  case replaceAll([Int])
}
