import Fief

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
    var scan = SubtreeScan(nodes, ValueBuilder(), size: size, limit: limit)
    try scan.run(at: place)
    size = scan.size
    return scan.visitor.value
  }
}

/// Builds the value of a place from the parts of its subtree.
private struct ValueBuilder: SubtreeVisitor {
  private struct OpenNode {
    let name: String
    var members: [JSONObject.Member] = []
  }

  /// The nodes from the place of the read down to the present one.
  private var open = [OpenNode(name: "")]
  /// The value of the place if it is a leaf.
  private var leaf: JSON?

  var value: JSON {
    if let leaf { return leaf }
    return open[0].members.isEmpty ? .null : .object(JSONObject(inOrder: open[0].members))
  }

  mutating func visit(_ leaf: JSON) { self.leaf = leaf }

  mutating func visit(_ name: String, _ leaf: JSON) {
    open[open.count - 1].members.append(JSONObject.Member(name: name, value: leaf))
  }

  mutating func begin(_ name: String) { open.append(OpenNode(name: name)) }

  mutating func end() {
    guard let node = open.popLast() else { return }
    let value = JSON.object(JSONObject(inOrder: node.members))
    open[open.count - 1].members.append(JSONObject.Member(name: node.name, value: value))
  }
}
