/// The position at which an access path stopped.
///
/// It belongs to the access path that it came from.
struct QueryPosition: Sendable {
  /// The sequence that the access path goes along.
  enum Origin: Sendable {
    /// The tree of the access path.
    case tree
    /// The records, since there are too many keys to hold.
    case scan
    /// Keys that were collected, and the place of the last one that was handed out, counted in the direction.
    case keys(KeyList, Int)
    /// Keys in the order of relevance, and the place of the last one.
    case ranked([ObjectKey], Int)
    /// The elements of a collection.
    case members(MemberPosition)
  }

  /// The key of the last entry that was handed out, in the tree that the path goes along.
  var bytes: [UInt8]
  var origin = Origin.tree
  /// The whole element of that entry and its object's key, where the element was cut.
  var element: [UInt8] = []
  var objectKey: [UInt8] = []
}
