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

  /// Where a node begins; its head and key are inside of the page. Negative where they are not.
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

  /// The number that the page says it has.
  var number: UInt64 { start.loadUnaligned(as: UInt64.self) }

  /// The first node from `low` on whose key is not less, and whether it is equal; `count` where there is
  /// none, negative where a node is damaged.
  @inline(__always)
  func lowerBound(_ wanted: SearchKey, from low: Int) -> (index: Int, isEqual: Bool) {
    var low = low
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      let node = node(middle)
      guard node >= 0 else { return (-1, false) }
      let order = wanted.compare(key(node), keyCount(node))
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return (low, false)
  }

  /// The node of a branch page whose child has a key, if any has; negative where a node is damaged.
  @inline(__always)
  func branch(_ wanted: SearchKey) -> Int {
    // The first key stands for all that are less than the second one.
    let (index, isEqual) = lowerBound(wanted, from: 1)
    return isEqual || index < 0 ? index : index &- 1
  }
}
