import Synchronization

/// A database as a snapshot has it, in the memory map: what reading its pages directly takes.
///
/// In a read transaction every page lies in the map and stays as it is until the end, as LMDB reuses none
/// that an active reader can reach. LMDB itself hands out pointers to them.
struct MappedTree {
  /// The snapshot that this is of; 0 for none.
  var stamp: UInt64 = 0
  /// The generation of the database's slot.
  var generation: UInt32 = 0
  /// The number of levels, 0 of an empty tree.
  var depth: Int = 0
  /// Whether pages are read directly, and not by LMDB.
  var isReadable = false
  var root: UInt64 = 0
  // SAFETY: the start of the map, found by `Environment.findMap`; it does not move while a reader is active.
  var base: UnsafeRawPointer?
  /// Pages of this number and greater ones are not in the file, or not in the map.
  var pageLimit: UInt64 = 0
  var pageSize: Int = 0
  var entries: Int = 0
  var leafPages: Int = 0
  var branchPages: Int = 0
  /// Pages of this number and greater ones need not be checked before they are used.
  var checkedLimit: UInt64 = 0
  // SAFETY: the entries of a `CheckedPages`, which the environment keeps.
  /// The pages before it that were checked.
  var parents: UnsafeMutablePointer<Atomic<UInt32>>?
  /// The mark in place of the page that leads to the root.
  var rootMark: UInt64 = 0
  /// What opens the values; nil where they are in clear.
  var seal: MappedSeal?

  /// A page of the tree; nil where its head is damaged, or where it was not checked yet.
  ///
  /// - Parameter parent: the number of the page that leads there, or `rootMark`.
  @inline(__always)
  func page(_ number: UInt64, _ kind: UInt16, of parent: UInt64) -> MappedPage? {
    guard let base, number >= 2, number < pageLimit, isChecked(number, of: parent) else { return nil }
    let start = base + Int(truncatingIfNeeded: number) &* pageSize
    // The number, padding, the flags, and where free space begins and ends.
    let found = start.loadUnaligned(as: UInt64.self)
    let flags = start.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
    let lower = Int(start.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    guard found == number, flags == kind, lower > Page.headerSize, lower <= pageSize else { return nil }
    return MappedPage(start: start, size: pageSize, count: (lower &- Page.headerSize) &>> 1)
  }

  /// The value of a leaf's node that was checked by ``MappedPage/node(_:)``; nil where it is damaged.
  @inline(__always)
  func value(_ page: MappedPage, _ node: Int) -> UnsafeRawBufferPointer? {
    if let seal { return openedValue(page, node, seal) }
    let count = page.valueCount(node)
    let start = node &+ Page.nodeHeaderSize &+ page.keyCount(node)
    if page.flags(node) == 0, start &+ count <= page.size {
      return UnsafeRawBufferPointer(start: page.start + start, count: count)
    }
    return longValue(page, node, start, count)
  }

  /// Whether leaf nodes and their values are where they may be.
  ///
  /// - Parameters:
  ///   - page: the leaf, with its values in clear.
  ///   - leaf: the leaf as the map has it.
  @inline(never)
  func areSound(_ page: MappedPage, _ nodes: Range<Int>, as leaf: MappedPage) -> Bool {
    let (start, size) = (page.start, page.size)
    for index in nodes {
      let node = page.rawOffset(index)
      guard node &+ Page.nodeHeaderSize <= size else { return false }
      // The size of the value, the flags, and the size of the key.
      let head = start.loadUnaligned(fromByteOffset: node, as: UInt64.self)
      if _fastPath(head & 0xFFFF_0000_0000 == 0) {
        let end = node &+ Page.nodeHeaderSize &+ Int(head & 0xFFFF_FFFF) &+ Int(head &>> 48)
        guard end <= size else { return false }
      } else {
        guard leaf.node(index) == node, value(leaf, node) != nil else { return false }
      }
    }
    return true
  }

  /// The value of a node that has pages of its own.
  @inline(never)
  func longValue(_ page: MappedPage, _ node: Int, _ start: Int, _ count: Int) -> UnsafeRawBufferPointer? {
    guard page.flags(node) == PageFlags.bigData, start &+ 8 <= page.size, let base else { return nil }
    let number = page.start.loadUnaligned(fromByteOffset: start, as: UInt64.self)
    let pages = UInt64((count &+ Page.headerSize &+ pageSize &- 1) / pageSize)
    guard number >= 2, number < pageLimit, pages <= pageLimit &- number else { return nil }
    let first = base + Int(truncatingIfNeeded: number) &* pageSize
    guard first.loadUnaligned(as: UInt64.self) == number,
      first.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == PageFlags.overflow,
      first.loadUnaligned(fromByteOffset: 12, as: UInt32.self) >= pages
    else { return nil }
    return UnsafeRawBufferPointer(start: first + Page.headerSize, count: count)
  }

  /// Whether a leaf's node has its value in the leaf, or in as many pages of its own as the value's length needs.
  @inline(never)
  func hasPagesOfItsLength(_ page: MappedPage, _ node: Int) -> Bool {
    guard node >= 0 else { return false }
    if page.flags(node) == 0 { return true }
    let count = page.valueCount(node)
    let start = node &+ Page.nodeHeaderSize &+ page.keyCount(node)
    guard longValue(page, node, start, count) != nil, let base else { return false }
    let number = page.start.loadUnaligned(fromByteOffset: start, as: UInt64.self)
    let pages = (count &+ Page.headerSize &+ pageSize &- 1) / pageSize
    let first = base + Int(truncatingIfNeeded: number) &* pageSize
    return first.loadUnaligned(fromByteOffset: 12, as: UInt32.self) == UInt32(clamping: pages)
  }

  /// The result of a lookup.
  enum Found {
    case value(UnsafeRawBufferPointer)
    case nothing
    /// The number of a page that is damaged, or that leads to one, or that was not checked yet.
    case damage(UInt64)
  }

  /// Looks a key up.
  @inline(__always)
  func find(_ wanted: SearchKey) -> Found {
    guard depth > 0 else { return .nothing }
    var number = root
    var parent = rootMark
    var level = 1
    var bounds = KeyBounds()
    while level < depth {
      guard let page = page(number, PageFlags.branch, of: parent) else { return .damage(number) }
      let (_, node) = page.branch(wanted, &bounds)
      guard node >= 0 else { return .damage(number) }
      parent = number
      number = page.child(node)
      level &+= 1
    }
    guard let leaf = page(number, PageFlags.leaf, of: parent) else { return .damage(number) }
    let guess = bounds.place(of: wanted.prefix, among: leaf.count)
    let (index, isEqual) = leaf.lowerBound(wanted, from: 0, near: guess)
    guard index >= 0 else { return .damage(number) }
    guard isEqual else { return .nothing }
    guard let value = value(leaf, leaf.node(index)) else { return .damage(number) }
    return .value(value)
  }
}
