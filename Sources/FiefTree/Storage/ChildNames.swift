import Fief
import LMDB

/// Walks through the names of the children of a place, in their order or backward, with one search for each
/// child. The values of the children are skipped.
struct ChildNames {
  /// A name at which a walk begins. It need not exist.
  struct Bound {
    let name: String
    let isIncluded: Bool
  }

  /// A segment whose names are being read, from a place on.
  private struct Level {
    let segment: Int
    let base: [UInt8]
    /// The pieces of the name that the segment continues.
    let pieces: [UInt8]
    /// The key at or after which the next name is; backward, the key before which it is.
    var next: [UInt8]
    let prefix: [UInt8]
    let cursor: Cursor
  }

  private let nodes: TreeNodes
  private let isBackward: Bool
  private var levels: [Level] = []
  /// Whether the child with the last name may have children. If not, it is a leaf.
  private(set) var mayHaveChildren = false

  /// - Parameters:
  ///   - place: the place.
  ///   - bound: the name at which the walk begins; `nil` for the first child, or backward for the last one.
  init(_ nodes: TreeNodes, of place: TreePlace, from bound: Bound? = nil, isBackward: Bool = false) throws {
    self.nodes = nodes
    self.isBackward = isBackward
    guard var segment = try nodes.segment(of: place) else { return }
    var base = place.last
    if !place.holdsDescendants {
      guard case .anchor(let target)? = try nodes.content(segment, base) else { return }
      segment = try nodes.checked(target, of: segment)
      base = []
    }
    try begin(segment, base, pieces: [])
    if let bound { try skip(to: bound) }
  }

  /// - Parameter name: the name after which the walk begins; `nil` for the first child.
  init(_ nodes: TreeNodes, of place: TreePlace, after name: String?) throws {
    try self.init(nodes, of: place, from: name.map { Bound(name: $0, isIncluded: false) })
  }

  private mutating func begin(_ segment: Int, _ base: [UInt8], pieces: [UInt8]) throws {
    guard pieces.count < TreeName.longest else { throw nodes.damaged("A name of a tree is too long.") }
    let prefix = NodeKey.prefix(segment, base)
    levels.append(
      Level(
        segment: segment,
        base: base,
        pieces: pieces,
        next: isBackward ? NodeKey.end(segment, base) : prefix,
        prefix: prefix,
        cursor: try nodes.cursor()
      )
    )
  }

  /// Moves to a name. Each piece of a long name has a level of its own.
  private mutating func skip(to bound: Bound) throws {
    var name = bound.name
    let bytes = name.withUTF8 { [UInt8]($0) }
    var start = 0
    while let level = levels.last {
      var place = level.base
      let rest = bytes.withUnsafeBytes { TreeComponent.append($0, from: start, to: &place) }
      // Names that share a piece are in the segment of its anchor, so the level goes on without the piece.
      let passes = rest != nil || !bound.isIncluded
      levels[levels.count - 1].next =
        passes != isBackward ? NodeKey.end(level.segment, place) : NodeKey.prefix(level.segment, place)
      guard let rest, case .anchor(let target)? = try nodes.content(level.segment, place) else { return }
      try begin(try nodes.checked(target, of: level.segment), [], pieces: Array(bytes[..<rest]))
      start = rest
    }
  }

  /// Returns the next name, or `nil` after the last one.
  ///
  /// - Throws: `FiefError` of code `damagedRecord` for an impossible entry.
  mutating func next() throws -> String? {
    while let level = levels.last {
      let isFound = try level.next.withUnsafeBytes {
        isBackward ? try level.cursor.seek(before: $0) : try level.cursor.seek(atOrAfter: $0)
      }
      guard isFound, level.cursor.key.hasPrefix(level.prefix) else {
        levels.removeLast()
        continue
      }
      guard let (_, place) = NodeKey.read(level.cursor.key) else {
        throw nodes.damaged("A key of a tree is damaged.")
      }
      if place.count == level.base.count {
        // The place itself is a leaf, so it has no children.
        guard level.segment == 0 || !level.base.isEmpty else {
          throw nodes.damaged("A segment of a tree has an entry without a name.")
        }
        levels.removeLast()
        continue
      }
      guard let (component, end) = TreeComponent.read(place, at: level.base.count) else {
        throw nodes.damaged("A place of a tree is damaged.")
      }
      let own = place[..<end]
      levels[levels.count - 1].next =
        isBackward ? NodeKey.prefix(level.segment, own) : NodeKey.end(level.segment, own)
      guard case .piece(let range) = component else {
        mayHaveChildren = end < place.count || end > TreePlace.longestInline
        return try nodes.name(component, in: place, after: level.pieces)
      }
      let pieces = level.pieces + place[range]
      guard case .anchor(let target) = try nodes.content(of: level.cursor.key, level.cursor.value) else {
        throw nodes.damaged("A piece of a name in a tree is no anchor.")
      }
      try begin(try nodes.checked(target, of: level.segment), [], pieces: pieces)
    }
    return nil
  }
}
