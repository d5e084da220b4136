import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Checks the structure of pages when they are first reached.
extension MappedTree {
  /// Whether a page was checked as a child of `parent`, or need not be checked.
  @inline(__always)
  func isChecked(_ number: UInt64, of parent: UInt64) -> Bool {
    guard number < checkedLimit, let parents else { return true }
    return parents[Int(truncatingIfNeeded: number)].load(ordering: .relaxed)
      == UInt32(truncatingIfNeeded: parent)
  }

  /// Whether the structure of a page was checked as the child of any page, or need not be checked.
  @inline(__always)
  private func hasStructure(_ number: UInt64) -> Bool {
    guard number < checkedLimit, let parents else { return true }
    return parents[Int(truncatingIfNeeded: number)].load(ordering: .relaxed) != 0
  }

  /// Returns a page after checking its structure and its position in the tree, or `nil` if a check fails.
  ///
  /// The structure is checked once: later changes are made by LMDB, in any process. A copy of the parent has
  /// another number, and may contain a damaged page number, so the position is checked again for each parent.
  ///
  /// - Parameters:
  ///   - lower: The smallest key that the page may contain, or `nil` without a bound.
  ///   - upper: A key that is greater than all keys that the page may contain, or `nil` without a bound.
  func checkedPage(
    _ number: UInt64,
    _ kind: UInt16,
    of parent: UInt64,
    from lower: UnsafeRawBufferPointer?,
    to upper: UnsafeRawBufferPointer?
  ) -> MappedPage? {
    guard let base, number >= 2, number < pageLimit else { return nil }
    if !isChecked(number, of: parent) {
      // SAFETY: the page lies in the map, and belongs to the snapshot or is not in use.
      let bytes = UnsafeRawBufferPointer(
        start: base + Int(truncatingIfNeeded: number) &* pageSize,
        count: pageSize
      )
      if hasStructure(number) {
        guard isInPlace(number, kind, from: lower, to: upper) else { return nil }
      } else {
        parents?[0].wrappingAdd(1, ordering: .relaxed)
        guard isRight(bytes, number, kind, from: lower, to: upper) else { return nil }
      }
      parents?[Int(number)].store(UInt32(truncatingIfNeeded: parent), ordering: .relaxed)
    }
    // Another thread may have stored another parent in the meantime.
    var sound = self
    sound.checkedLimit = 0
    return sound.page(number, kind, of: parent)
  }

  /// Checks all pages on the path to a key, and returns the number of a damaged page.
  func checkPath(to wanted: SearchKey) -> UInt64? {
    var (number, parent) = (root, rootMark)
    var (lower, upper): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
    for level in 0..<depth {
      let kind = level < depth - 1 ? PageFlags.branch : PageFlags.leaf
      guard let page = checkedPage(number, kind, of: parent, from: lower, to: upper) else { return number }
      if kind == PageFlags.leaf { break }
      var bounds = KeyBounds()
      let (index, node) = page.branch(wanted, &bounds)
      guard node >= 0 else { return number }
      if index > 0 { lower = page.keyBytes(node) }
      if index + 1 < page.count { upper = page.keyBytes(page.node(index + 1)) }
      parent = number
      number = page.child(node)
    }
    return nil
  }

  /// The position of a key in a leaf.
  struct LeafPosition {
    let leaf: MappedPage
    /// The offset of the key's node, or `nil` if the leaf does not contain the key.
    let node: Int?
    /// The limits of the leaf's keys, from the pages above.
    let bounds: (lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?)
  }

  /// Returns the position of a key, or `nil` if a page on the path was not checked yet or the value has its
  /// own pages.
  func checkedPlace(of wanted: SearchKey) -> LeafPosition? {
    var (number, parent) = (root, rootMark)
    var (lower, upper): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
    var guesses = KeyBounds()
    for _ in 0..<depth - 1 {
      guard let page = page(number, PageFlags.branch, of: parent) else { return nil }
      let (index, node) = page.branch(wanted, &guesses)
      guard node >= 0 else { return nil }
      if index > 0 { lower = page.keyBytes(node) }
      if index + 1 < page.count { upper = page.keyBytes(page.node(index + 1)) }
      parent = number
      number = page.child(node)
    }
    guard let leaf = page(number, PageFlags.leaf, of: parent) else { return nil }
    let guess = guesses.place(of: wanted.prefix, among: leaf.count)
    let found = leaf.lowerBound(wanted, from: 0, near: guess)
    guard found.index >= 0 else { return nil }
    guard found.isEqual else { return LeafPosition(leaf: leaf, node: nil, bounds: (lower, upper)) }
    let node = leaf.node(found.index)
    // LMDB moves the bytes after a value that it replaces, and returns the value by its length, so it must
    // lie in the page.
    guard node >= 0, leaf.flags(node) == 0,
      node &+ Page.nodeHeaderSize &+ leaf.keyCount(node) &+ leaf.valueCount(node) <= leaf.size
    else { return nil }
    return LeafPosition(leaf: leaf, node: node, bounds: (lower, upper))
  }

  private func isRight(
    _ bytes: UnsafeRawBufferPointer,
    _ number: UInt64,
    _ kind: UInt16,
    from lower: UnsafeRawBufferPointer?,
    to upper: UnsafeRawBufferPointer?
  ) -> Bool {
    let isBranch = kind == PageFlags.branch
    let words = Page.startWords(ofPageSize: pageSize)
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { room in
      guard let starts = room.baseAddress,
        case .success(let page) = Page.check(bytes, number: number, isBranch: isBranch, starts: starts),
        // LMDB asserts at least two children in a branch page.
        page.count >= (isBranch ? 2 : 1)
      else { return false }
      return areKeysRight(page, from: lower, to: upper)
        && (isBranch ? areChildrenRight(page, number) : areValuesRight(page))
    }
  }

  /// Whether the first and last keys of a page whose keys are in order lie between the bounds from the pages
  /// above.
  private func isInPlace(
    _ number: UInt64,
    _ kind: UInt16,
    from lower: UnsafeRawBufferPointer?,
    to upper: UnsafeRawBufferPointer?
  ) -> Bool {
    var sound = self
    sound.checkedLimit = 0
    guard let page = sound.page(number, kind, of: 0) else { return false }
    let least = kind == PageFlags.branch ? 1 : 0
    guard page.count > least else { return false }
    let (first, last) = (page.node(least), page.node(page.count - 1))
    guard first >= 0, last >= 0 else { return false }
    if let lower {
      let order = Self.order(lower, page.keyBytes(first))
      guard order < 0 || order == 0 && least == 0 else { return false }
    }
    guard let upper else { return true }
    return Self.order(page.keyBytes(last), upper) < 0
  }

  private func areKeysRight(
    _ page: Page,
    from lower: UnsafeRawBufferPointer?,
    to upper: UnsafeRawBufferPointer?
  ) -> Bool {
    // The first key of a branch page is not used.
    let first = page.isBranch ? 1 : 0
    var previous = lower
    for index in first..<page.count {
      let key = page.key(index)
      guard key.count > 0, key.count <= 511 else { return false }
      if let previous {
        let order = Self.order(previous, key)
        // A leaf may begin with the same key that leads to it.
        guard order < 0 || order == 0 && index == 0 else { return false }
      }
      previous = key
    }
    guard let upper, let previous, page.count > first else { return true }
    return Self.order(previous, upper) < 0
  }

  private func areChildrenRight(_ page: Page, _ number: UInt64) -> Bool {
    // A hash table with at least twice as many slots as children; 0 stands for no child. Sorting instead
    // would cost a quarter of a millisecond for runtime metadata in the first read of a process.
    var shift = 62
    while 1 << (64 - shift) < 2 * page.count { shift -= 1 }
    let places = 1 << (64 - shift)
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: places) { seen in
      seen.initialize(repeating: 0)
      for index in 0..<page.count {
        let child = page.child(index)
        guard child >= 2, child < pageLimit, child != number else { return false }
        var place = Int(truncatingIfNeeded: (child &* 0x9E37_79B9_7F4A_7C15) >> UInt64(shift))
        while seen[place] != 0 {
          if seen[place] == child { return false }
          place = (place + 1) & (places - 1)
        }
        seen[place] = child
      }
      return true
    }
  }

  /// Whether the pages of long values are in the file. Their heads are checked when the values are read.
  private func areValuesRight(_ page: Page) -> Bool {
    for index in 0..<page.count {
      if page.flags(index) == 0 { continue }
      let node = page.node(index)
      guard node.flags == PageFlags.bigData else { return false }
      let first = node.inline.loadUnaligned(as: UInt64.self)
      let pages = UInt64((node.valueSize + Page.headerSize + pageSize - 1) / pageSize)
      guard first >= 2, first < pageLimit, pages <= pageLimit - first else { return false }
    }
    return true
  }

  static func order(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    guard let a = first.baseAddress, let b = second.baseAddress else { return first.count - second.count }
    let order = Int(memcmp(a, b, min(first.count, second.count)))
    return order != 0 ? order : first.count - second.count
  }
}

extension MappedPage {
  /// Returns the key of a node that was checked.
  func keyBytes(_ node: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: key(node), count: keyCount(node))
  }
}
