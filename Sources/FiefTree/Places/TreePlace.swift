/// The keys that lead to a place: an anchor in each segment but the last, and the place in the last segment.
///
/// A key of LMDB has at most 511 bytes, but a name may have 768 and a path 32 names. If a node's place is
/// longer than 200 bytes, its children are in a segment of their own, where places begin empty. The entry at
/// the node's place is then an anchor with the number of the segment. A name longer than 256 bytes is cut;
/// each piece but the last is an anchor, and the rest of the name begins the anchor's segment.
struct TreePlace: Sendable, Equatable {
  /// The maximum length of a place whose descendants are in the same segment, in bytes.
  static let longestInline = 200
  /// The maximum length of a place, in bytes.
  static let longest = longestInline + 1 + TreeComponent.longestText + TreeComponent.cutMark.count
  /// The maximum number of segments on a path, the root's included.
  static let mostSegments = TreePath.mostNames * 4 + 1

  /// The places of the anchors, from the root's segment down.
  private(set) var anchors: [[UInt8]] = []
  /// The place in the last segment; empty for the root.
  private(set) var last: [UInt8] = []

  /// - Parameter path: a path with valid names.
  init(_ path: TreePath) {
    for name in path.names { append(name) }
  }

  /// Moves to a child.
  mutating func append(_ name: String) {
    var name = name
    if last.count > Self.longestInline { beginSegment() }
    name.withUTF8 { name in
      var start = 0
      while let rest = TreeComponent.append(UnsafeRawBufferPointer(name), from: start, to: &last) {
        beginSegment()
        start = rest
      }
    }
  }

  func appending(_ name: String) -> TreePlace {
    var place = self
    place.append(name)
    return place
  }

  /// Whether the descendants of the place are in its own segment, rather than in a segment of their own.
  var holdsDescendants: Bool { last.count <= Self.longestInline }

  private mutating func beginSegment() {
    anchors.append(last)
    last = []
  }
}
