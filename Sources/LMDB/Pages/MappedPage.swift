/// A branch or leaf page in the memory map, whose head was checked.
///
/// Nodes are checked one by one where they are used: an offset that does not lie inside of the page is damage
/// and never followed.
struct MappedPage {
  // SAFETY: `start` is a page of a snapshot in the map, alive and unchanged until the snapshot's transaction
  // ends; every read is at an offset below `size`, which `head(of:)` and the callers of `offset` check.
  let start: UnsafeRawPointer
  let size: Int
  let count: Int

  /// The offset of a node, whose head and key are inside of the page; negative where they are not. Negative
  /// where they are not.
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

  /// The size of a leaf node's value.
  @inline(__always)
  func valueCount(_ node: Int) -> Int {
    Int(start.loadUnaligned(fromByteOffset: node, as: UInt32.self))
  }

  /// The page that a branch page's node leads to.
  @inline(__always)
  func child(_ node: Int) -> UInt64 {
    start.loadUnaligned(fromByteOffset: node, as: UInt64.self) & 0xFFFF_FFFF_FFFF
  }

  @inline(__always)
  func key(_ node: Int) -> UnsafeRawPointer { start + (node &+ Page.nodeHeaderSize) }

  /// Whether leaf nodes lie inside of the page with their values, so that none has pages of its own.
  @inline(never)
  func hasInside(_ nodes: Range<Int>) -> Bool {
    for index in nodes {
      let node = rawOffset(index)
      guard node &+ Page.nodeHeaderSize <= size else { return false }
      // The size of the value, the flags, and the size of the key.
      let head = start.loadUnaligned(fromByteOffset: node, as: UInt64.self)
      guard head & 0xFFFF_0000_0000 == 0,
        node &+ Page.nodeHeaderSize &+ Int(head & 0xFFFF_FFFF) &+ Int(head &>> 48) <= size
      else { return false }
    }
    return true
  }

  /// The number that the page says it has.
  var number: UInt64 { start.loadUnaligned(as: UInt64.self) }

  /// The first eight bytes of a node's key, as ``SearchKey/prefix``.
  @inline(__always)
  func prefix(_ node: Int) -> UInt64 { SearchKey.prefix(key(node), keyCount(node)) }

  /// The first node from `low` on whose key is not less, and whether it is equal; `count` where there is
  /// none, negative where a node is damaged.
  ///
  /// - Parameter guess: the place to compare first, and then near there; negative for the middle.
  @inline(__always)
  func lowerBound(_ wanted: SearchKey, from first: Int, near guess: Int) -> (index: Int, isEqual: Bool) {
    var low = first
    var high = count
    // The distance of the next probe from the last one, as long as all of them went to the same side; 0 for half.
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

  /// The node of a branch page whose child has a key, if any has, and its place; negative where a node is
  /// damaged. `bounds` become those of the child.
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
