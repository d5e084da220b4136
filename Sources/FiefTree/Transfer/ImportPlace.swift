import Fief

/// The place of the value that an import is reading, as the key of an ``ImportItem``.
///
/// It is extended by each name on the way down, and restored on the way up.
struct ImportPlace {
  /// A place to which ``restore(_:)`` returns.
  struct Mark {
    fileprivate let chainCount: Int
    fileprivate let placeCount: Int
    fileprivate let anchorCount: Int
    fileprivate let pathCount: Int
    fileprivate let depth: Int
  }

  private struct Anchor {
    let chainCount: Int
    let placeCount: Int
    var hasItem: Bool
  }

  /// The places of the anchors, each with the byte that ends it.
  private var chain: [UInt8] = []
  /// The place in the last segment.
  private var place: [UInt8]
  private var anchors: [Anchor] = []
  /// The names with slashes, for errors.
  private var path: [UInt8]
  /// The number of names from the root.
  private(set) var depth: Int

  init(_ base: TreePath) {
    let start = TreePlace(base)
    for anchor in start.anchors {
      // These anchors are made with the place of the import.
      anchors.append(Anchor(chainCount: chain.count, placeCount: anchor.count, hasItem: true))
      chain += anchor
      chain.append(ImportItem.anchorEnd)
    }
    place = start.last
    path = Array(base.text.utf8)
    depth = base.names.count
  }

  var mark: Mark {
    Mark(
      chainCount: chain.count,
      placeCount: place.count,
      anchorCount: anchors.count,
      pathCount: path.count,
      depth: depth
    )
  }

  mutating func restore(_ mark: Mark) {
    if chain.count == mark.chainCount {
      place.removeLast(place.count - mark.placeCount)
    } else {
      // The place was extended and became an anchor.
      place.removeAll(keepingCapacity: true)
      place.append(contentsOf: chain[mark.chainCount..<(mark.chainCount + mark.placeCount)])
      chain.removeLast(chain.count - mark.chainCount)
      anchors.removeLast(anchors.count - mark.anchorCount)
    }
    path.removeLast(path.count - mark.pathCount)
    depth = mark.depth
  }

  /// Goes down to a child.
  ///
  /// - Parameter name: a valid name.
  mutating func append(_ name: UnsafeRawBufferPointer) {
    if place.count > TreePlace.longestInline { beginSegment() }
    var start = 0
    while let rest = TreeComponent.append(name, from: start, to: &place) {
      beginSegment()
      start = rest
    }
    if !path.isEmpty { path.append(UInt8(ascii: "/")) }
    path.append(contentsOf: name)
    depth += 1
  }

  private mutating func beginSegment() {
    anchors.append(Anchor(chainCount: chain.count, placeCount: place.count, hasItem: false))
    chain += place
    chain.append(ImportItem.anchorEnd)
    place.removeAll(keepingCapacity: true)
  }

  /// Replaces bytes by the key of the place.
  func writeKey(_ key: inout [UInt8]) {
    key.removeAll(keepingCapacity: true)
    key += chain
    key.append(ImportItem.placeStart)
    key += place
  }

  /// The keys of the anchors on the path that have no item yet.
  var newAnchors: [[UInt8]] {
    if anchors.last?.hasItem != false { return [] }
    return anchors.filter { !$0.hasItem }.map { anchor in
      let start = chain[anchor.chainCount..<(anchor.chainCount + anchor.placeCount)]
      return chain[..<anchor.chainCount] + [ImportItem.placeStart] + start
    }
  }

  /// Called when the anchors on the path have items.
  mutating func didAddAnchors() {
    for index in anchors.indices { anchors[index].hasItem = true }
  }

  /// The path as text.
  var text: String { String(decoding: path, as: UTF8.self) }
}
