import Fief
import Foundation

/// Writes the value of a place as a stream of JSON, in the order of the tree.
struct TreeExport: SubtreeVisitor {
  /// The number of bytes that are written at once.
  private static let bufferSize = 256 << 10

  /// A node whose children are being written.
  private struct OpenNode {
    enum Form { case unknown, object, array }

    let path: TreePath
    var form = Form.unknown
    /// The index of the next element of an array.
    var index = 0
  }

  private let nodes: TreeNodes
  private let arrays: Bool
  private let isCancelled: () -> Bool
  private let write: (UnsafeRawBufferPointer) throws -> Void
  private var writer = JSONWriter()
  private var open: [OpenNode]
  private var isLeaf = false

  /// - Parameters:
  ///   - path: the place.
  ///   - arrays: whether nodes that look like arrays are written as arrays.
  ///   - isCancelled: returns whether to end with an error.
  ///   - write: receives the bytes of the document.
  init(
    _ nodes: TreeNodes,
    at path: TreePath,
    arrays: Bool,
    isCancelled: @escaping () -> Bool,
    write: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) {
    self.nodes = nodes
    self.arrays = arrays
    self.isCancelled = isCancelled
    self.write = write
    open = [OpenNode(path: path)]
  }

  /// Writes the whole document, which ends with a line feed.
  ///
  /// - Throws: `FiefError` of code `damagedRecord` for an impossible entry, `cancelled`; the errors of writing.
  func run() throws {
    guard let path = open.first?.path else { return }
    var scan = SubtreeScan(nodes, self)
    try scan.run(at: TreePlace(path))
    var export = scan.visitor
    try export.finish()
  }

  private mutating func finish() throws {
    switch open.first?.form {
    case .object: writer.append(raw: "}")
    case .array: writer.append(raw: "]")
    case .unknown, nil: if !isLeaf { writer.append(raw: "null") }
    }
    writer.append(raw: "\n")
    try flush()
  }

  private mutating func flush() throws {
    if isCancelled() { throw FiefError(.cancelled, "The task was cancelled; nothing was exported.") }
    try writer.bytes.withUnsafeBytes(write)
    writer.removeAll()
  }

  // MARK: Visiting

  mutating func visit(_ leaf: JSON) {
    isLeaf = true
    append(leaf)
  }

  mutating func visit(_ name: String, _ leaf: JSON) throws {
    try beginChild(name)
    append(leaf)
    if writer.bytes.count >= Self.bufferSize { try flush() }
  }

  mutating func begin(_ name: String) throws {
    try beginChild(name)
    guard let parent = open.last else { return }
    open.append(OpenNode(path: arrays ? parent.path.appending(name) : parent.path))
  }

  mutating func end() {
    guard let node = open.popLast() else { return }
    writer.append(byte: node.form == .array ? UInt8(ascii: "]") : UInt8(ascii: "}"))
  }

  /// Writes everything before the value of a child.
  private mutating func beginChild(_ name: String) throws {
    guard var node = open.popLast() else { return }
    defer { open.append(node) }
    if node.form == .unknown {
      node.form = try arrays && isArray(node.path, first: name) ? .array : .object
      writer.append(byte: node.form == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    } else {
      writer.append(byte: UInt8(ascii: ","))
    }
    if node.form == .object {
      writer.append(string: name)
      return writer.append(byte: UInt8(ascii: ":"))
    }
    // At most half of the elements are missing.
    let index = Int(name) ?? node.index
    while node.index < index {
      writer.append(raw: "null,")
      if writer.bytes.count >= Self.bufferSize { try flush() }
      node.index += 1
    }
    node.index += 1
  }

  private mutating func append(_ leaf: JSON) { leaf.append(to: &writer, indentation: nil) }

  /// Returns whether the children of a node have the names of an array's elements.
  private func isArray(_ path: TreePath, first: String) throws -> Bool {
    guard JSON.index(first) != nil else { return false }
    var names = try ChildNames(nodes, of: TreePlace(path))
    var (count, last) = (0, 0)
    while let name = try names.next() {
      guard let index = JSON.index(name) else { return false }
      count += 1
      last = index
    }
    return last < 2 * count
  }
}
