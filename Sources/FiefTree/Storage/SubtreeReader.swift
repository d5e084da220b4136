import Fief
import LMDB

/// Reads the value of a place with its whole subtree.
struct SubtreeReader {
  /// The maximum size of the names and values of one read, in bytes.
  static let largestRead = 268_435_456

  private let nodes: TreeNodes
  private let limit: Int
  /// The size of all reads so far.
  private(set) var size: Int

  /// - Parameter size: the size of earlier reads to which the limit applies as well.
  init(_ nodes: TreeNodes, limit: Int = largestRead, size: Int = 0) {
    self.nodes = nodes
    self.limit = limit
    self.size = size
  }

  /// Returns the value of a place; ``JSON/null`` if nothing is there. The limit applies to all reads together.
  ///
  /// - Throws: `FiefError` of code `valueTooLarge`, or `damagedRecord` for an impossible entry.
  mutating func value(at place: TreePlace) throws -> JSON {
    guard let segment = try nodes.segment(of: place) else {
      nodes.count(1)
      return .null
    }
    if let leaf = try leaf(at: place, in: segment) { return leaf }
    var scan = SubtreeScan(nodes, ValueBuilder(), size: size, limit: limit)
    try scan.run(at: place, in: segment)
    size = scan.size
    return scan.visitor.value
  }

  /// Returns the value of a place that is a leaf, which one look-up finds; otherwise `nil`. Entries below a
  /// leaf, which would be damage, are found by a read of a place above it, and by the check.
  private mutating func leaf(at place: TreePlace, in segment: Int) throws -> JSON? {
    try NodeKey.key(segment, place.last).withUnsafeBytes { key in
      guard let record = try nodes.transaction.get(nodes.records, key),
        case .leaf(let value) = try nodes.content(of: key, record)
      else { return nil }
      size += value.payloadSize
      nodes.count(1, bytes: key.count + record.count)
      try nodes.checkSize(size, limit)
      return value
    }
  }
}

/// Builds the value of a place from the parts of its subtree.
private struct ValueBuilder: SubtreeVisitor {
  private struct OpenNode {
    /// The name of the node's present child, which has children.
    let child: String
    var members: [JSONObject.Member]
  }

  /// The nodes from the place of the read down to the parent of the present one.
  private var open: [OpenNode] = []
  /// The members of the present node.
  private var members: [JSONObject.Member] = []
  /// The number of members of the last node that ended. The next one often has as many.
  private var expected = 0
  /// The value of the place if it is a leaf.
  private var leaf: JSON?

  var value: JSON {
    if let leaf { return leaf }
    return members.isEmpty ? .null : .object(JSONObject(inOrder: members))
  }

  mutating func visit(_ leaf: JSON) { self.leaf = leaf }

  mutating func visit(_ name: String, _ leaf: JSON) {
    members.append(JSONObject.Member(name: name, value: leaf))
  }

  mutating func begin(_ name: String) {
    open.append(OpenNode(child: name, members: members))
    members = []
    members.reserveCapacity(min(expected, Self.mostExpected))
  }

  mutating func end() {
    guard var node = open.popLast() else { return }
    // The arrays are swapped, which copies neither of them.
    swap(&members, &node.members)
    expected = node.members.count
    let value = JSON.object(JSONObject(inOrder: node.members))
    members.append(JSONObject.Member(name: node.child, value: value))
  }

  /// The maximum number of members for which a new node has room from its beginning.
  private static let mostExpected = 16
}
