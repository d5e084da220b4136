import Synchronization

/// A database of a snapshot in the memory map, with the information for reading its pages directly.
///
/// In a read transaction, every page lies in the map and stays unchanged until the end, because LMDB does not
/// reuse pages that an active reader can reach. LMDB itself returns pointers to these pages.
struct MappedTree {
  /// The snapshot to which the tree belongs, or 0 for none.
  var stamp: UInt64 = 0
  /// The generation of the slot that the database's handle has in the environment's table.
  var generation: UInt32 = 0
  /// The number of levels; 0 for an empty tree.
  var depth: Int = 0
  /// Whether pages are read directly rather than by LMDB.
  var isReadable = false
  var root: UInt64 = 0
  // SAFETY: the start of the map, found by `Environment.memoryMap`; it does not move while a reader is
  // active.
  var base: UnsafeRawPointer?
  /// Pages with this number and greater ones are not in the file or not in the map.
  var pageLimit: UInt64 = 0
  var pageSize: Int = 0
  var entries: Int = 0
  var leafPages: Int = 0
  var branchPages: Int = 0
  /// Pages with this number and greater ones need not be checked before use.
  var checkedLimit: UInt64 = 0
  // SAFETY: the entries of a `CheckedPages`, which the environment keeps alive.
  /// The parents of the checked pages below the limit.
  var parents: UnsafeMutablePointer<Atomic<UInt32>>?
  /// The number that stands for the parent of the root.
  var rootMark: UInt64 = 0
  /// Opens sealed values; `nil` if values are in clear.
  var seal: MappedSeal?

  /// Returns a page of the tree, or `nil` if its head is damaged or it was not checked yet.
  ///
  /// - Parameter parent: The number of the page's parent, or `rootMark`.
  @inline(__always)
  func page(_ number: UInt64, _ kind: UInt16, of parent: UInt64) -> MappedPage? {
    guard let base, number >= 2, number < pageLimit, isChecked(number, of: parent) else { return nil }
    let start = base + Int(truncatingIfNeeded: number) &* pageSize
    // The number, padding, the flags, and the beginning and end of free space.
    let found = start.loadUnaligned(as: UInt64.self)
    let flags = start.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
    let lower = Int(start.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    guard found == number, flags == kind, lower > Page.headerSize, lower <= pageSize else { return nil }
    return MappedPage(start: start, size: pageSize, count: (lower &- Page.headerSize) &>> 1)
  }

  /// Returns the value of a leaf's node that ``MappedPage/node(_:)`` has checked, or `nil` if the value is
  /// damaged.
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

  /// Returns the same value as ``value(_:_:)`` for a tree at an address. If a method is called on a tree in
  /// memory, the compiler first copies the tree for the calls of the rare cases.
  @inline(__always)
  static func value(
    _ tree: UnsafeMutablePointer<MappedTree>,
    _ page: MappedPage,
    _ node: Int
  ) -> UnsafeRawBufferPointer? {
    let count = page.valueCount(node)
    let start = node &+ Page.nodeHeaderSize &+ page.keyCount(node)
    if tree.pointee.seal == nil, page.flags(node) == 0, start &+ count <= page.size {
      return UnsafeRawBufferPointer(start: page.start + start, count: count)
    }
    return rareValue(tree, page, node)
  }

  @inline(never)
  private static func rareValue(
    _ tree: UnsafeMutablePointer<MappedTree>,
    _ page: MappedPage,
    _ node: Int
  ) -> UnsafeRawBufferPointer? {
    tree.pointee.value(page, node)
  }

  /// Whether leaf nodes and their values lie inside the page or the map.
  ///
  /// - Parameters:
  ///   - page: The leaf with its values in clear.
  ///   - leaf: The leaf in the map.
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

  /// Returns the value of a node that has its own pages.
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

  /// Whether a leaf's node has its value in the leaf, or in exactly as many pages as the value's length
  /// requires.
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
  enum LookUpResult {
    case value(UnsafeRawBufferPointer)
    case nothing
    /// The number of a page that is damaged, that leads to a damaged page, or that was not checked yet.
    case damage(UInt64)
  }

  /// Looks up a key in a tree at an address.
  ///
  /// - Parameter tree: The tree. Its address must stay valid during the call, so nothing in the call may read
  ///   another tree of the transaction.
  @inline(__always)
  static func find(_ wanted: SearchKey, in tree: UnsafeMutablePointer<MappedTree>) -> LookUpResult {
    let depth = tree.pointee.depth
    guard depth > 0 else { return .nothing }
    var number = tree.pointee.root
    var parent = tree.pointee.rootMark
    var level = 1
    var bounds = KeyBounds()
    while level < depth {
      guard let page = tree.pointee.page(number, PageFlags.branch, of: parent) else { return .damage(number) }
      let (_, node) = page.branch(wanted, &bounds)
      guard node >= 0 else { return .damage(number) }
      parent = number
      number = page.child(node)
      level &+= 1
    }
    guard let leaf = tree.pointee.page(number, PageFlags.leaf, of: parent) else { return .damage(number) }
    let guess = bounds.place(of: wanted.prefix, among: leaf.count)
    let (index, isEqual) = leaf.lowerBound(wanted, from: 0, near: guess)
    guard index >= 0 else { return .damage(number) }
    guard isEqual else { return .nothing }
    guard let value = value(tree, leaf, leaf.node(index)) else { return .damage(number) }
    return .value(value)
  }
}
