import LMDB

extension TreeNodes {
  /// Returns the leaf of a place, an anchor if it has children, or `nil` if nothing is there. It takes one
  /// search.
  func content(of place: TreePlace, _ cursor: Cursor) throws -> NodeContent? {
    guard let segment = try segment(of: place) else { return nil }
    let prefix = NodeKey.prefix(segment, place.last)
    guard try prefix.withUnsafeBytes({ try cursor.seek(atOrAfter: $0) }), cursor.key.hasPrefix(prefix) else {
      return nil
    }
    guard let (_, found) = NodeKey.read(cursor.key) else { throw damaged("A key of a tree is damaged.") }
    // The first entry is the place itself or a descendant.
    return found.count > place.last.count ? .anchor(segment) : try content(of: cursor.key, cursor.value)
  }
}
