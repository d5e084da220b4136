import Fief

/// Reads the first levels of a place. It searches once for each name and once for each value, and does not
/// read deeper levels.
struct ShallowReader {
  private let nodes: TreeNodes
  private var size = 0

  init(_ nodes: TreeNodes) { self.nodes = nodes }

  /// Returns the value of a place, with `true` for nodes below a depth.
  ///
  /// - Throws: `FiefError` of code `valueTooLarge`, or `damagedRecord` for an impossible entry.
  mutating func value(at path: TreePath, depth: Int) throws -> JSON {
    let place = TreePlace(path)
    guard let segment = try nodes.segment(of: place) else { return .null }
    if case .leaf(let value)? = try nodes.content(segment, place.last) {
      try count(value.payloadSize)
      return value
    }
    if depth == 0 { return try nodes.hasEntries(segment, place.last) ? true : .null }
    var members: [JSONObject.Member] = []
    var names = try ChildNames(nodes, of: place)
    while let name = try names.next() {
      guard path.names.count < TreePath.mostNames else { throw nodes.damaged("A tree is too deep.") }
      try count(name.utf8.count)
      let value = try value(at: path.appending(name), depth: depth - 1)
      members.append(JSONObject.Member(name: name, value: value))
    }
    return members.isEmpty ? .null : .object(JSONObject(inOrder: members))
  }

  private mutating func count(_ bytes: Int) throws(FiefError) {
    size += bytes
    if size > SubtreeReader.largestRead {
      throw FiefError(
        .valueTooLarge,
        "The names and values of a read are larger than \(SubtreeReader.largestRead) bytes.",
        store: nodes.storeName
      )
    }
  }
}
