import LMDB

/// A large list: a B+ tree whose nodes count their elements, so that an index leads to its element.
///
/// Invariants: the root has the number 0, and its count is the number of elements of the list. Only the root
/// can be empty. Numbers of nodes are never reused.
package final class LargeList: LargeCollection {
  package override func count() throws -> Int? { try node(0)?.count }

  package func node(_ number: UInt64) throws -> ListNode? {
    try get(nodeKey(number)).map { try ListNode($0, isRoot: number == 0) }
  }

  package func existingNode(_ number: UInt64) throws -> ListNode {
    guard let node = try node(number) else { throw RecordView.damaged }
    return node
  }

  /// Returns the leaf that contains an index and the index of the leaf's first element, or `nil` beyond the
  /// end.
  func leaf(at index: Int) throws -> (first: Int, elements: ElementRun)? {
    if index < 0 { return nil }
    var node = try existingNode(0)
    var first = 0
    while node.level > 0 {
      var next: ListNode.Child?
      for child in node.children {
        if index < first + child.count {
          next = child
          break
        }
        first += child.count
      }
      guard let next else { return nil }
      let level = node.level
      node = try existingNode(next.number)
      guard node.level < level, node.count == next.count else { throw RecordView.damaged }
    }
    return index < first + node.elements.count ? (first, node.elements) : nil
  }

  @discardableResult
  package override func forEachRun(_ body: (ElementRun) throws -> Bool) throws -> Bool {
    try forEachRun(try existingNode(0), body)
  }

  private func forEachRun(_ node: ListNode, _ body: (ElementRun) throws -> Bool) throws -> Bool {
    if node.level == 0 { return try body(node.elements) }
    for child in node.children {
      let lower = try existingNode(child.number)
      // Without this check, damage could cause an endless recursion.
      guard lower.level < node.level, lower.count == child.count else { throw RecordView.damaged }
      if try !forEachRun(lower, body) { return false }
    }
    return true
  }

  /// Returns the elements of a range.
  func elements(_ range: Range<Int>) throws -> ElementRun {
    var result = ElementRun()
    var index = range.lowerBound
    while index < range.upperBound, let (first, leaf) = try leaf(at: index) {
      let end = Swift.min(range.upperBound, first + leaf.count)
      let part = try leaf.run((index - first)..<(end - first), type: type)
      result.bytes += part.bytes
      result.count += part.count
      index = end
    }
    return result
  }
}

/// Changes to a list. Each change replaces a range.
extension LargeList {
  /// Creates an empty list.
  func create() throws { try put(nodeKey(0), ListNode().bytes(isRoot: true)) }

  /// Replaces the elements of a range, and returns the new number of elements in the list.
  @discardableResult
  func replace(_ range: Range<Int>, with new: ElementRun) throws -> Int {
    var root = try existingNode(0)
    let count = root.count
    guard range.lowerBound >= 0, range.upperBound <= count else { throw RecordView.damaged }
    var next = root.nextNumber
    let isAtEnd = range.upperBound == count
    var pieces = try changed(root, range, new, isAtEnd: isAtEnd, next: &next)
    while pieces.count > 1 {
      var children: [ListNode.Child] = []
      children.reserveCapacity(pieces.count)
      let level = pieces[0].level
      for piece in pieces { children.append(try save(piece, next: &next)) }
      pieces = try ListNode(level: level + 1, children: children).split(type: type, fillsFirst: isAtEnd)
    }
    root = pieces.first ?? ListNode()
    while root.level > 0, root.children.count == 1 {
      let only = root.children[0].number
      root = try existingNode(only)
      try delete(nodeKey(only))
    }
    root.nextNumber = next
    try put(nodeKey(0), root.bytes(isRoot: true))
    return count - range.count + new.count
  }

  private func save(_ node: ListNode, as number: UInt64? = nil, next: inout UInt64) throws -> ListNode.Child {
    let number = number ?? next
    if number == next { next += 1 }
    try put(nodeKey(number), node.bytes(isRoot: false))
    return ListNode.Child(number: number, count: node.count)
  }

  /// Returns the nodes that replace a changed node. Writes only the nodes below that node.
  private func changed(
    _ node: ListNode,
    _ range: Range<Int>,
    _ new: ElementRun,
    isAtEnd: Bool,
    next: inout UInt64
  ) throws -> [ListNode] {
    var node = node
    if node.level == 0 {
      let start = try node.elements.offset(of: range.lowerBound, type: type)
      let end = try node.elements.offset(of: range.upperBound, type: type)
      guard start <= end else { throw RecordView.damaged }
      node.elements.bytes.replaceSubrange(start..<end, with: new.bytes)
      node.elements.count += new.count - range.count
    } else {
      try change(&node, range, new, isAtEnd: isAtEnd, next: &next)
    }
    return try node.split(type: type, fillsFirst: isAtEnd)
  }

  private func change(
    _ node: inout ListNode,
    _ range: Range<Int>,
    _ new: ElementRun,
    isAtEnd: Bool,
    next: inout UInt64
  ) throws {
    var children: [ListNode.Child] = []
    children.reserveCapacity(node.children.count + 1)
    /// The indexes of the children that have become sparse.
    var sparse: [Int] = []
    var start = 0
    var rest = new
    var isDone = range.isEmpty && new.count == 0
    for child in node.children {
      let end = start + child.count
      let isTouched = !isDone && (range.lowerBound <= end) && (start < range.upperBound || rest.count > 0)
      guard isTouched else {
        children.append(child)
        start = end
        continue
      }
      let part =
        Swift.max(
          range.lowerBound,
          start
        )..<Swift.max(Swift.min(range.upperBound, end), Swift.max(range.lowerBound, start))
      if part.count == child.count, rest.count == 0 {
        try removeAll(child.number, above: node.level)
      } else if !part.isEmpty || rest.count > 0 {
        let lower = try existingNode(child.number)
        guard lower.level < node.level else { throw RecordView.damaged }
        let pieces = try changed(
          lower,
          (part.lowerBound - start)..<(part.upperBound - start),
          rest,
          isAtEnd: isAtEnd,
          next: &next
        )
        if pieces.isEmpty { try delete(nodeKey(child.number)) }
        for (index, piece) in pieces.enumerated() {
          if piece.isSparse { sparse.append(children.count) }
          children.append(try save(piece, as: index == 0 ? child.number : nil, next: &next))
        }
      } else {
        children.append(child)
      }
      rest = .none
      isDone = range.upperBound <= end
      start = end
    }
    for place in sparse.reversed() { try join(&children, at: place) }
    node.children = children
  }

  /// Merges a sparse node with a neighbour if both fit into one node.
  private func join(_ children: inout [ListNode.Child], at place: Int) throws {
    guard place < children.count, children.count > 1 else { return }
    let first = place > 0 ? place - 1 : 0
    let (left, right) = (children[first], children[first + 1])
    guard let joined = try existingNode(left.number).joined(with: try existingNode(right.number)) else {
      return
    }
    try put(nodeKey(left.number), joined.bytes(isRoot: false))
    try delete(nodeKey(right.number))
    children[first].count = joined.count
    children.remove(at: first + 1)
  }

  private func removeAll(_ number: UInt64, above level: UInt8) throws {
    let node = try existingNode(number)
    guard node.level < level else { throw RecordView.damaged }
    for child in node.children { try removeAll(child.number, above: node.level) }
    try delete(nodeKey(number))
  }
}
