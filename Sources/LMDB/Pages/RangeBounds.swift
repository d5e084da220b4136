#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The beginning and end of a range of keys in a tree, for counting the entries between them.
struct RangeBounds {
  private let start: Cursor
  private let end: Cursor
  private let tree: MappedTree

  /// Returns `nil` if the pages cannot be read directly.
  init?(
    _ transaction: Transaction,
    _ database: Database,
    from first: UnsafeRawBufferPointer?,
    to last: UnsafeRawBufferPointer?
  ) throws(LMDBError) {
    start = try transaction.cursor(database)
    guard start.handle == nil else { return nil }
    tree = start.tree
    end = Cursor(transaction: transaction, tree: tree)
    guard tree.depth > 0 else { return }
    if let first, let wanted = SearchKey(first) {
      _ = try start.descend(to: wanted)
    } else {
      try start.goDown(to: tree.root, level: 0, .least)
    }
    guard let last else {
      try end.goDown(to: tree.root, level: 0, .greatest)
      end.index += 1
      return
    }
    if let wanted = SearchKey(last) {
      _ = try end.descend(to: wanted)
    } else {
      try end.goDown(to: tree.root, level: 0, .least)
    }
  }

  /// Returns the number of entries, from the heads of the leaves in the range.
  func count() throws(LMDBError) -> Int {
    guard let first = start.leaf, let last = end.leaf, !isReversed else { return 0 }
    if first.start == last.start { return max(end.index - start.index, 0) }
    var count = first.count - start.index
    while let leaf = try start.nextLeaf() {
      if leaf.start == last.start { return count + end.index }
      count += leaf.count
    }
    return count
  }

  /// Returns an estimate of the number of entries, from the branch pages above the two leaves.
  func estimate() -> Int {
    guard let first = start.leaf, let last = end.leaf, !isReversed else { return 0 }
    if first.start == last.start { return max(end.index - start.index, 0) }
    let known = first.count - start.index + end.index
    let perLeaf = Double(tree.entries) / Double(max(tree.leafPages, 1))
    return known + Int((leavesBetween() * perLeaf).rounded())
  }

  /// Whether the range's end is before its start.
  private var isReversed: Bool {
    for level in 0..<max(tree.depth - 1, 0) {
      guard let step = start.path?[level], let other = end.path?[level] else { return false }
      if step.index != other.index { return step.index > other.index }
    }
    return start.index > end.index
  }

  /// Returns an estimate of the number of leaves between the two different leaves.
  private func leavesBetween() -> Double {
    guard let low = start.path, let high = end.path else { return 0 }
    let levels = tree.depth - 1
    // The estimated number of leaves below a node of each level: one at the last level, an equal part of all
    // leaves at the root's level, and in between a geometric progression.
    let ofRoot = Double(tree.leafPages) / Double(low[0].page.count)
    let fanOut = levels > 1 ? pow(ofRoot, 1 / Double(levels - 1)) : 1
    var leaves = 0.0
    var isApart = false
    for level in 0..<levels {
      let weight = level == 0 ? ofRoot : pow(fanOut, Double(levels - 1 - level))
      if isApart {
        leaves += weight * Double(low[level].page.count - 1 - low[level].index + high[level].index)
      } else if low[level].index != high[level].index {
        leaves += weight * Double(high[level].index - low[level].index - 1)
        isApart = true
      }
    }
    return leaves
  }
}
