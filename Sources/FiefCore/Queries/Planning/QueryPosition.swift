/// The position at which an access path has stopped.
///
/// It is valid only for the access path that created it.
struct QueryPosition: Sendable {
  /// The sequence that the access path walks.
  enum Origin: Sendable {
    /// The tree of the access path.
    case tree
    /// The records, read by a scan because there are too many keys to collect.
    case scan
    /// Collected keys, and the index of the last delivered key in the direction of the walk.
    case keys(KeyList, Int)
    /// Keys in the order of relevance, and the index of the last delivered key.
    case ranked([ObjectKey], Int)
    /// The elements of a collection, and the position of the last delivered element.
    case members(MemberPosition)
  }

  /// The key of the last delivered entry in the tree of the access path.
  var bytes: [UInt8]
  var origin = Origin.tree
  /// The whole element and its object's key, if the entry's element was shortened.
  var element: [UInt8] = []
  var objectKey: [UInt8] = []
}
