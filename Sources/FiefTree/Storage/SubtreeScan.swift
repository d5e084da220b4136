import Fief
import LMDB

/// Receives the parts of a subtree in the order of the tree.
protocol SubtreeVisitor {
  /// Called if the place of the scan is a leaf.
  mutating func visit(_ leaf: JSON) throws
  /// Called with a leaf of the present node.
  mutating func visit(_ name: String, _ leaf: JSON) throws
  /// Called with a child of the present node that has children. It becomes the present node.
  mutating func begin(_ name: String) throws
  /// Called after the children of the present node. The node above becomes the present one.
  mutating func end() throws
}

/// Reads a place with its whole subtree: one range scan in the order of the tree, and one more for each
/// anchor.
struct SubtreeScan<Visitor: SubtreeVisitor> {
  private let nodes: TreeNodes
  private(set) var visitor: Visitor
  private let limit: Int
  /// The size of the names and values that were read.
  private(set) var size: Int
  private var leaves = 0
  private var bytes = 0
  /// The lengths of the places of the open nodes, from the place of the scan down to the present one. Each is
  /// a place in the segment of its node.
  private var ends: [Int] = []

  /// - Parameters:
  ///   - size: the size of earlier reads.
  ///   - limit: the maximum size of the names and values in bytes.
  init(_ nodes: TreeNodes, _ visitor: Visitor, size: Int = 0, limit: Int = .max) {
    self.nodes = nodes
    self.visitor = visitor
    self.size = size
    self.limit = limit
  }

  /// Passes the parts of a place's subtree to the visitor. If nothing is there, it receives nothing.
  ///
  /// - Throws: `FiefError` of code `valueTooLarge`, or `damagedRecord` for an impossible entry; the errors of
  ///   the visitor.
  mutating func run(at place: TreePlace) throws {
    guard let segment = try nodes.segment(of: place) else { return nodes.count(1) }
    try run(at: place, in: segment)
  }

  /// - Parameter segment: the segment of the place.
  mutating func run(at place: TreePlace, in segment: Int) throws {
    defer { nodes.count(max(leaves, 1), bytes: bytes) }
    ends = [place.last.count]
    try scan(segment, below: place.last, name: [], depth: place.anchors.count, isBase: true)
  }

  /// Reads the entries of a place and its descendants in a segment.
  ///
  /// - Parameters:
  ///   - base: the place.
  ///   - name: the pieces of a cut name that the segment continues; empty if the segment begins with whole
  ///     names.
  ///   - depth: the number of segments above this one.
  ///   - isBase: whether the place is the place of the read, which may have an entry itself.
  private mutating func scan(
    _ segment: Int,
    below base: [UInt8],
    name: [UInt8],
    depth: Int,
    isBase: Bool = false
  ) throws {
    guard depth < TreePlace.mostSegments else {
      throw nodes.damaged("The anchors of a tree are nested too deeply.")
    }
    let prefix = NodeKey.prefix(segment, base)
    let placeStart = prefix.count - base.count
    let cursor = try nodes.cursor()
    let floor = ends.count
    // The place of the previous entry. No entry may be below another one of its segment.
    var previous: [UInt8] = []
    var isFirst = true
    var found = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while found {
      let key = cursor.key
      guard key.hasPrefix(prefix) else { break }
      guard let place = NodeKey.place(in: key, from: placeStart) else {
        throw nodes.damaged("A key of a tree is damaged.")
      }
      let shared = isFirst ? base.count : Self.sharedCount(previous, place)
      if !isFirst, shared == previous.count {
        throw nodes.damaged("A leaf of a tree has another entry below it.")
      }
      while ends.count > floor, let last = ends.last, last > shared { try close() }
      // The pages of the entry may be gone when the segments of an anchor have been read.
      previous.removeAll(keepingCapacity: true)
      previous.append(contentsOf: place)
      isFirst = false
      let content = try nodes.content(of: key, cursor.value)
      try add(
        content,
        at: place,
        size: key.count + cursor.value.count,
        segment,
        base,
        name,
        depth,
        floor,
        isBase
      )
      found = try cursor.next()
    }
    // Only the place of the read may have nothing below it.
    if isFirst, !isBase { throw nodes.damaged("An anchor of a tree leads to an empty segment.") }
    while ends.count > floor { try close() }
  }

  private mutating func add(
    _ content: NodeContent,
    at place: UnsafeRawBufferPointer,
    size entrySize: Int,
    _ segment: Int,
    _ base: [UInt8],
    _ name: [UInt8],
    _ depth: Int,
    _ floor: Int,
    _ isBase: Bool
  ) throws {
    if place.count == base.count {
      guard isBase else { throw nodes.damaged("A segment of a tree has an entry without a name.") }
      return try addBase(
        content,
        size: entrySize,
        segment,
        isLong: place.count > TreePlace.longestInline,
        depth
      )
    }
    var start = ends.count > floor ? ends[ends.count - 1] : base.count
    while true {
      guard let (component, end) = TreeComponent.read(place, at: start) else {
        throw nodes.damaged("A place of a tree is damaged.")
      }
      // The first name of a segment may continue the pieces of a cut name.
      let pieces = start == base.count && !name.isEmpty ? name : []
      if case .piece(let range) = component {
        guard case .anchor(let target) = content else {
          throw nodes.damaged("A piece of a name in a tree is no anchor.")
        }
        let whole = pieces + place[range]
        guard whole.count < TreeName.longest else { throw nodes.damaged("A name of a tree is too long.") }
        try count(range.count, leaf: false, entrySize)
        return try scan(try nodes.checked(target, of: segment), below: [], name: whole, depth: depth + 1)
      }
      let text = try nodes.name(component, in: place, after: pieces)
      try count(text.utf8.count, leaf: false, 0)
      guard end == place.count else {
        try begin(text, end: end)
        start = end
        continue
      }
      switch content {
      case .leaf(let value):
        try count(value.payloadSize, leaf: true, entrySize)
        try visitor.visit(text, value)
      case .anchor(let target):
        guard end > TreePlace.longestInline else {
          throw nodes.damaged("An anchor of a tree has a short place.")
        }
        bytes += entrySize
        try begin(text, end: 0)
        try scan(try nodes.checked(target, of: segment), below: [], name: [], depth: depth + 1)
        try close()
      }
      return
    }
  }

  /// Adds the entry at the place of the read: a leaf, or the anchor of its children.
  private mutating func addBase(
    _ content: NodeContent,
    size entrySize: Int,
    _ segment: Int,
    isLong: Bool,
    _ depth: Int
  ) throws {
    switch content {
    case .leaf(let value):
      try count(value.payloadSize, leaf: true, entrySize)
      try visitor.visit(value)
    case .anchor(let target):
      guard isLong else { throw nodes.damaged("An anchor of a tree has a short place.") }
      bytes += entrySize
      try scan(try nodes.checked(target, of: segment), below: [], name: [], depth: depth + 1)
    }
  }

  private mutating func begin(_ name: String, end: Int) throws {
    guard ends.count < TreePath.mostNames else { throw nodes.damaged("A tree is too deep.") }
    ends.append(end)
    try visitor.begin(name)
  }

  /// Ends the present node.
  private mutating func close() throws {
    ends.removeLast()
    try visitor.end()
  }

  private mutating func count(_ part: Int, leaf: Bool, _ entrySize: Int) throws(FiefError) {
    size += part
    bytes += entrySize
    if leaf { leaves += 1 }
    try nodes.checkSize(size, limit)
  }

  private static func sharedCount(_ first: [UInt8], _ second: UnsafeRawBufferPointer) -> Int {
    first.withUnsafeBytes { first in
      let most = min(first.count, second.count)
      var count = 0
      while count + 8 <= most {
        let one = first.loadUnaligned(fromByteOffset: count, as: UInt64.self)
        let different = one ^ second.loadUnaligned(fromByteOffset: count, as: UInt64.self)
        if different != 0 { return count + UInt64(littleEndian: different).trailingZeroBitCount / 8 }
        count += 8
      }
      while count < most, first[count] == second[count] { count += 1 }
      return count
    }
  }
}

extension JSON {
  /// The size of a leaf in bytes.
  var payloadSize: Int {
    switch self {
    case .null, .array, .object: 0
    case .bool: 1
    case .int, .double: 8
    case .string(let text): text.utf8.count
    }
  }
}

extension TreeNodes {
  /// - Throws: `FiefError` of code `valueTooLarge` if a read is larger than its limit in bytes.
  func checkSize(_ size: Int, _ limit: Int) throws(FiefError) {
    if size <= limit { return }
    throw FiefError(
      .valueTooLarge,
      "The names and values of a read are larger than \(limit) bytes.",
      store: storeName
    )
  }

  /// Returns the name of a component.
  ///
  /// - Parameter pieces: the earlier pieces of the name.
  /// - Throws: `FiefError` of code `damagedRecord` if no name has this component.
  func name(_ component: TreeComponent, in place: UnsafeRawBufferPointer, after pieces: [UInt8])
    throws(FiefError)
    -> String
  {
    switch component {
    case .integer(let integer) where pieces.isEmpty: return integer.name
    case .text(let range):
      let rest = UnsafeRawBufferPointer(rebasing: place[range])
      if pieces.isEmpty {
        if IntegerName(rest) == nil, let name = rest.text { return name }
      } else if pieces.count + rest.count <= TreeName.longest,
        let name = String(validating: pieces + rest, as: UTF8.self)
      {
        return name
      }
    case .integer, .piece: break
    }
    throw damaged("A name of a tree is damaged.")
  }
}
