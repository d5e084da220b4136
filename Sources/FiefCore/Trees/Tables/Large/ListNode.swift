/// A node of a large list. It contains elements, or the numbers of its child nodes with their counts of
/// elements.
///
/// Bytes: a checksum of the rest, 4 bytes; the level, 0 for elements; in the root the number of the next
/// node, 8 bytes; a count; then the elements, or for each child its number and its number of elements, both
/// encoded as counts.
package struct ListNode {
  /// The maximum number of bytes of elements in a node, unless a single element is larger. Two nodes fit in
  /// one page.
  static let mostBytes = 1_900
  /// The maximum number of child nodes.
  static let mostChildren = 128

  package struct Child {
    package var number: UInt64
    package var count: Int
  }

  package var level: UInt8 = 0
  /// The number for the next new node; stored in the root.
  package var nextNumber: UInt64 = 1
  var elements = ElementRun()
  package var children: [Child] = []

  package var count: Int { level == 0 ? elements.count : children.reduce(0) { $0 &+ $1.count } }

  /// Whether the node contains so few elements that it should be merged with a neighbour.
  var isSparse: Bool {
    level == 0 ? elements.bytes.count < Self.mostBytes / 4 : children.count < Self.mostChildren / 4
  }

  init() {}

  init(level: UInt8, children: [Child]) {
    self.level = level
    self.children = children
  }

  init(_ bytes: UnsafeRawBufferPointer, isRoot: Bool) throws(FiefError) {
    var reader = ValueReader(bytes, context: nil)
    guard try reader.integer(UInt32.self) == RecordChecksum.compute(reader.rest) else {
      throw LargeCollection.damaged
    }
    level = try reader.integer(UInt8.self)
    if isRoot { nextNumber = try reader.integer(UInt64.self) }
    let count = try reader.count()
    // Each element and each child takes at least one byte.
    guard count <= reader.rest.count else { throw RecordView.damaged }
    guard level > 0 else {
      elements = ElementRun([UInt8](reader.rest), count: count)
      return
    }
    children.reserveCapacity(count)
    var total = 0
    for _ in 0..<count {
      let number = UInt64(truncatingIfNeeded: try reader.count())
      let child = Child(number: number, count: try reader.count())
      guard child.count <= CollectionMarker.mostElements - total else { throw RecordView.damaged }
      total += child.count
      children.append(child)
    }
  }

  func bytes(isRoot: Bool) -> [UInt8] {
    var writer = ValueWriter(reserving: elements.bytes.count + children.count * 6 + 20)
    writer.appendInteger(UInt32(0))
    writer.appendInteger(level)
    if isRoot { writer.appendInteger(nextNumber) }
    if level == 0 {
      writer.appendCount(elements.count)
      writer.append(elements.bytes)
    } else {
      writer.appendCount(children.count)
      for child in children {
        writer.appendCount(Int(truncatingIfNeeded: child.number))
        writer.appendCount(child.count)
      }
    }
    let checksum = writer.withBytes { RecordChecksum.compute(UnsafeRawBufferPointer(rebasing: $0[4...])) }
    writer.address(0).storeBytes(of: checksum.littleEndian, as: UInt32.self)
    return writer.bytes
  }

  /// Returns this node merged with the next one of the same level, or `nil` if they do not fit into one node.
  func joined(with next: ListNode) -> ListNode? {
    guard level == next.level else { return nil }
    var result = self
    if level == 0 {
      guard elements.bytes.count + next.elements.bytes.count <= Self.mostBytes * 3 / 4 else { return nil }
      result.elements.bytes += next.elements.bytes
      result.elements.count += next.elements.count
    } else {
      guard children.count + next.children.count <= Self.mostChildren * 3 / 4 else { return nil }
      result.children += next.children
    }
    return result
  }

  /// Splits the node into nodes that do not exceed the limits. The result is empty if the node is empty.
  ///
  /// - Parameter fillsFirst: Whether to fill all nodes except the last, because more elements will follow.
  ///   Otherwise the nodes have about the same size.
  func split(type: ColumnType, fillsFirst: Bool) throws -> [ListNode] {
    level == 0 ? try splitElements(type, fillsFirst) : splitChildren(fillsFirst)
  }

  private func splitChildren(_ fillsFirst: Bool) -> [ListNode] {
    if children.isEmpty { return [] }
    if children.count <= Self.mostChildren { return [self] }
    let parts = (children.count + Self.mostChildren - 1) / Self.mostChildren
    let size = fillsFirst ? Self.mostChildren : (children.count + parts - 1) / parts
    return stride(from: 0, to: children.count, by: size).map { start in
      ListNode(level: level, children: Array(children[start..<Swift.min(start + size, children.count)]))
    }
  }

  private func splitElements(_ type: ColumnType, _ fillsFirst: Bool) throws -> [ListNode] {
    if elements.count == 0 { return [] }
    if elements.bytes.count <= Self.mostBytes { return [self] }
    let parts = (elements.bytes.count + Self.mostBytes - 1) / Self.mostBytes
    let limit =
      fillsFirst ? Self.mostBytes : Swift.min((elements.bytes.count + parts - 1) / parts + 16, Self.mostBytes)
    var nodes: [ListNode] = []
    var start = 0
    var count = 0
    var end = 0
    func close(_ bytes: [UInt8]) {
      guard count > 0 else { return }
      var node = ListNode()
      node.elements = ElementRun(Array(bytes[start..<end]), count: count)
      nodes.append(node)
      start = end
      count = 0
    }
    try elements.bytes.withUnsafeBytes { buffer in
      var reader = ValueReader(buffer, context: nil)
      for _ in 0..<elements.count {
        _ = try CollectionPayload.readElement(of: type, from: &reader)
        let next = buffer.count - reader.rest.count
        if next - start > limit { close(elements.bytes) }
        end = next
        count += 1
      }
    }
    close(elements.bytes)
    return nodes
  }
}

extension ElementRun {
  /// Returns the offset of the element at an index, or the end of the bytes if `index` is the number of
  /// elements.
  func offset(of index: Int, type: ColumnType) throws(FiefError) -> Int {
    if index >= count { return bytes.count }
    if !type.isOptional, let width = type.kind.fixedWidth { return Swift.min(index * width, bytes.count) }
    var failure: FiefError?
    let offset = bytes.withUnsafeBytes { buffer in
      do throws(FiefError) {
        var reader = ValueReader(buffer, context: nil)
        for _ in 0..<index { _ = try reader.sized() }
        return buffer.count - reader.rest.count
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return offset
  }

  /// Returns a range of the elements of a list or a set.
  func run(_ range: Range<Int>, type: ColumnType) throws(FiefError) -> ElementRun {
    let start = try offset(of: range.lowerBound, type: type)
    let end = try offset(of: range.upperBound, type: type)
    guard start <= end else { throw RecordView.damaged }
    return ElementRun(Array(bytes[start..<end]), count: range.count)
  }
}
