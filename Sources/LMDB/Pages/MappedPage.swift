/// A branch or leaf page in the memory map whose head was checked.
///
/// Nodes are checked individually when they are used. An offset outside the page is treated as damage and
/// never followed.
struct MappedPage {
  // SAFETY: `start` is a page of a snapshot in the map. It is mapped and unchanged until the snapshot's
  // transaction ends. Every read is at an offset below `size`: `MappedTree.page` checks the head, and `node`
  // and its callers check the offsets of nodes.
  let start: UnsafeRawPointer
  let size: Int
  let count: Int

  /// Returns the offset of a node whose head and key lie inside the page, or a negative number if they do
  /// not.
  @inline(__always)
  func node(_ index: Int) -> Int {
    let offset = rawOffset(index)
    guard offset &+ Page.nodeHeaderSize <= size else { return -1 }
    guard offset &+ Page.nodeHeaderSize &+ keyCount(offset) <= size else { return -1 }
    return offset
  }

  @inline(__always)
  func rawOffset(_ index: Int) -> Int {
    Int(start.loadUnaligned(fromByteOffset: Page.headerSize &+ 2 &* index, as: UInt16.self))
  }

  @inline(__always)
  func keyCount(_ node: Int) -> Int {
    Int(start.loadUnaligned(fromByteOffset: node &+ 6, as: UInt16.self))
  }

  @inline(__always)
  func flags(_ node: Int) -> UInt16 {
    start.loadUnaligned(fromByteOffset: node &+ 4, as: UInt16.self)
  }

  /// Returns the size of a leaf node's value.
  @inline(__always)
  func valueCount(_ node: Int) -> Int {
    Int(start.loadUnaligned(fromByteOffset: node, as: UInt32.self))
  }

  /// Returns the number of the page to which a branch page's node leads.
  @inline(__always)
  func child(_ node: Int) -> UInt64 {
    start.loadUnaligned(fromByteOffset: node, as: UInt64.self) & 0xFFFF_FFFF_FFFF
  }

  @inline(__always)
  func key(_ node: Int) -> UnsafeRawPointer { start + (node &+ Page.nodeHeaderSize) }

  /// Whether the values of leaf nodes lie inside the page, so that no value has its own pages.
  @inline(never)
  func hasInside(_ nodes: Range<Int>) -> Bool {
    let last = size &- Page.nodeHeaderSize
    // Computed for all nodes together, so that the loop has one branch: the flags that a node must not have,
    // and the smallest distance from a node's end to the end of the page, which is negative if a node leaves
    // the page.
    var flags: UInt64 = 0
    var room = 0
    for index in nodes {
      let node = rawOffset(index)
      guard node <= last else { return false }
      // The size of the value, the flags, and the size of the key.
      let head = start.loadUnaligned(fromByteOffset: node, as: UInt64.self)
      flags |= head & 0xFFFF_0000_0000
      room = min(room, last &- node &- Int(head & 0xFFFF_FFFF) &- Int(head &>> 48))
    }
    return flags == 0 && room == 0
  }

  /// The page number in the page's head.
  var number: UInt64 { start.loadUnaligned(as: UInt64.self) }

  /// Returns the first eight bytes of a node's key, as in ``SearchKey/prefix``.
  @inline(__always)
  func prefix(_ node: Int) -> UInt64 { SearchKey.prefix(key(node), keyCount(node)) }

  /// Returns the index of the first node from `first` on whose key is not less than `wanted`, and whether the
  /// key is equal. The index is `count` if there is no such node, and negative if a node is damaged.
  ///
  /// - Parameter guess: The index at which to start the search; negative to start in the middle.
  @inline(__always)
  func lowerBound(_ wanted: SearchKey, from first: Int, near guess: Int) -> (index: Int, isEqual: Bool) {
    var low = first
    var high = count
    // The distance of the next probe from the last one, as long as all probes moved to the same side; 0 to
    // halve.
    var step = guess >= first ? 1 : 0
    var middle = guess >= first ? guess : (low &+ high) &>> 1
    var side = 0
    while low < high {
      let node = node(middle)
      guard node >= 0 else { return (-1, false) }
      let order = wanted.compare(key(node), keyCount(node))
      if order == 0 { return (middle, true) }
      if order < 0 {
        low = middle &+ 1
        if side < 0 { step = 0 }
        side = 1
      } else {
        high = middle
        if side > 0 { step = 0 }
        side = -1
      }
      if step == 0 {
        middle = (low &+ high) &>> 1
      } else {
        middle = side > 0 ? min(low &+ step &- 1, high &- 1) : max(high &- step, low)
        step = step &* 2
      }
    }
    return (low, false)
  }

  /// Returns the index and offset of a branch page's node whose child would contain a key. The offset is
  /// negative if a node is damaged. Narrows `bounds` to the bounds of the child.
  @inline(__always)
  func branch(_ wanted: SearchKey, _ bounds: inout KeyBounds) -> (index: Int, node: Int) {
    // The first key is the lower bound of all keys below the second one.
    let found = lowerBound(wanted, from: 1, near: bounds.place(of: wanted.prefix, among: count))
    guard found.index >= 0 else { return (-1, -1) }
    let index = found.isEqual ? found.index : found.index &- 1
    if index &+ 1 < count {
      let next = node(index &+ 1)
      guard next >= 0 else { return (-1, -1) }
      bounds.high = prefix(next)
    }
    let node = node(index)
    if index > 0, node >= 0 { bounds.low = prefix(node) }
    return (index, node)
  }
}
