import CLMDB

/// A branch page on the path to a leaf, and the index of the node that leads there.
struct PathStep {
  var page: MappedPage
  var index: Int
}

/// Moves in the pages of a snapshot without LMDB.
extension Cursor {
  enum Edge { case least, greatest }

  /// Loads the entry at `index` of the leaf. The leaf must have an entry there.
  @inline(__always)
  func load(_ leaf: MappedPage) throws(LMDBError) -> Bool {
    if let seal = tree.seal, loadOpened(leaf, seal) { return true }
    let node = leaf.node(index)
    guard node >= 0, let value = value(of: node, in: leaf) else { throw damaged(leaf.number) }
    currentKey = UnsafeRawBufferPointer(start: leaf.key(node), count: leaf.keyCount(node))
    currentValue = value
    place = .entry
    return true
  }

  /// Returns the value of a node, as ``MappedTree/value(_:_:)`` does. A method that is called on the tree in
  /// this object copies the whole tree for the calls of the rare cases, so these are in methods of their own.
  @inline(__always)
  private func value(of node: Int, in leaf: MappedPage) -> UnsafeRawBufferPointer? {
    let count = leaf.valueCount(node)
    let start = node &+ Page.nodeHeaderSize &+ leaf.keyCount(node)
    if tree.seal == nil, leaf.flags(node) == 0, start &+ count <= leaf.size {
      return UnsafeRawBufferPointer(start: leaf.start + start, count: count)
    }
    return rareValue(of: node, in: leaf)
  }

  @inline(never)
  private func rareValue(of node: Int, in leaf: MappedPage) -> UnsafeRawBufferPointer? {
    tree.value(leaf, node)
  }

  /// Returns a leaf with its values in clear, or `nil` if a value cannot be opened.
  @inline(never)
  func opened(_ leaf: MappedPage, _ seal: MappedSeal) -> MappedPage? { tree.opened(leaf, seal) }

  /// Whether nodes are sound, as ``MappedTree/areSound(_:_:as:)`` says.
  @inline(never)
  func areSound(_ page: MappedPage, _ nodes: Range<Int>, as leaf: MappedPage) -> Bool {
    tree.areSound(page, nodes, as: leaf)
  }

  /// Loads the entry at `index` of an opened leaf. Returns `false` if the leaf is not open or the value has
  /// its own pages.
  @inline(never)
  private func loadOpened(_ leaf: MappedPage, _ seal: MappedSeal) -> Bool {
    guard let opened = tree.knownOpened(leaf, seal), index < opened.count else { return false }
    let node = opened.node(index)
    guard node >= 0, opened.flags(node) == 0 else { return false }
    let (keyCount, count) = (opened.keyCount(node), opened.valueCount(node))
    let start = node &+ Page.nodeHeaderSize &+ keyCount
    guard start &+ count <= opened.size else { return false }
    currentKey = UnsafeRawBufferPointer(start: opened.key(node), count: keyCount)
    currentValue = UnsafeRawBufferPointer(start: opened.start + start, count: count)
    place = .entry
    return true
  }

  /// Loads the first or last entry of the tree.
  func goToEdge(_ edge: Edge, otherwise: Place) throws(LMDBError) -> Bool {
    guard transaction.handle != nil else { throw transaction.endedError() }
    guard tree.depth > 0 else { return leave(otherwise) }
    return try load(try goDown(to: tree.root, level: 0, edge))
  }

  /// Descends from a page to the leaf at its edge.
  @inline(__always)
  @discardableResult
  func goDown(to page: UInt64, level: Int, _ edge: Edge) throws(LMDBError) -> MappedPage {
    var number = page
    var level = level
    var parent = tree.rootMark
    if level > 0, let path { parent = path[level &- 1].page.number }
    while level < tree.depth - 1, let path {
      let page = try self.page(number, PageFlags.branch, level, of: parent)
      let index = edge == .least ? 0 : page.count &- 1
      let node = page.node(index)
      guard node >= 0 else { throw damaged(number) }
      path[level] = PathStep(page: page, index: index)
      parent = number
      number = page.child(node)
      level &+= 1
    }
    let page = try self.page(number, PageFlags.leaf, level, of: parent)
    leaf = page
    index = edge == .least ? 0 : page.count &- 1
    return page
  }

  /// Descends to the leaf that contains a key or would contain it, and to the key's position there, which may
  /// be after the last entry.
  ///
  /// - Returns: Whether the key exists.
  func descend(to wanted: SearchKey) throws(LMDBError) -> Bool {
    guard transaction.handle != nil else { throw transaction.endedError() }
    if let leaf, place == .entry, let isEqual = try find(wanted, near: leaf) { return isEqual }
    guard tree.depth > 0 else {
      _ = leave(.nowhere)
      return false
    }
    var number = tree.root
    var parent = tree.rootMark
    var level = 0
    var bounds = KeyBounds()
    while level < tree.depth - 1, let path {
      let page = try self.page(number, PageFlags.branch, level, of: parent)
      let (index, node) = page.branch(wanted, &bounds)
      guard node >= 0 else { throw damaged(number) }
      path[level] = PathStep(page: page, index: index)
      parent = number
      number = page.child(node)
      level &+= 1
    }
    let page = try self.page(number, PageFlags.leaf, level, of: parent)
    let guess = bounds.place(of: wanted.prefix, among: page.count)
    let found = page.lowerBound(wanted, from: 0, near: guess)
    guard found.index >= 0 else { throw damaged(number) }
    leaf = page
    index = found.index
    return found.isEqual
  }

  /// Searches for a key in the cursor's current leaf, because keys often arrive in order.
  ///
  /// - Returns: `nil` if the key is less than the first key of the leaf or greater than the last one.
  @inline(__always)
  private func find(_ wanted: SearchKey, near leaf: MappedPage) throws(LMDBError) -> Bool? {
    let (first, last) = (leaf.node(0), leaf.node(leaf.count &- 1))
    guard first >= 0, last >= 0 else { throw damaged(leaf.number) }
    guard wanted.compare(leaf.key(first), leaf.keyCount(first)) <= 0,
      wanted.compare(leaf.key(last), leaf.keyCount(last)) >= 0
    else { return nil }
    let bounds = KeyBounds(low: leaf.prefix(first), high: leaf.prefix(last))
    let guess = bounds.place(of: wanted.prefix, among: leaf.count &- 1)
    let found = leaf.lowerBound(wanted, from: 0, near: guess)
    guard found.index >= 0 else { throw damaged(leaf.number) }
    index = found.index
    return found.isEqual
  }

  /// Loads the entry at the position that ``descend(to:)`` has found, or the first entry of the next leaf.
  func takeEntry() throws(LMDBError) -> Bool {
    guard let leaf else { return leave(.afterLast) }
    if index < leaf.count { return try load(leaf) }
    return try goToNextLeaf() ? true : leave(.afterLast)
  }

  /// Loads the first entry of the next leaf. Returns `false` without changes if no leaf follows.
  func goToNextLeaf() throws(LMDBError) -> Bool {
    guard let leaf = try nextLeaf() else { return false }
    return try loadScanned(leaf)
  }

  /// Loads the last entry of the previous leaf. Returns `false` without changes if no leaf precedes.
  func goToPreviousLeaf() throws(LMDBError) -> Bool {
    guard let leaf = try previousLeaf() else { return false }
    return try loadScanned(leaf)
  }

  /// Loads the entry at `index` of a leaf from which other entries are likely to be loaded too.
  @inline(__always)
  private func loadScanned(_ leaf: MappedPage) throws(LMDBError) -> Bool {
    if let seal = tree.seal, opened(leaf, seal) == nil { throw damaged(leaf.number) }
    return try load(leaf)
  }

  /// Moves to the first position of the next leaf, or returns `nil` if no leaf follows.
  @inline(__always)
  func nextLeaf() throws(LMDBError) -> MappedPage? {
    guard transaction.handle != nil else { throw transaction.endedError() }
    guard let path else { return nil }
    var level = tree.depth - 2
    while level >= 0 {
      let step = path[level]
      if step.index &+ 1 < step.page.count { return try enter(level, step.index &+ 1, .least) }
      level &-= 1
    }
    return nil
  }

  /// Moves to the last position of the previous leaf, or returns `nil` if no leaf precedes.
  @inline(__always)
  func previousLeaf() throws(LMDBError) -> MappedPage? {
    guard transaction.handle != nil else { throw transaction.endedError() }
    guard let path else { return nil }
    var level = tree.depth - 2
    while level >= 0 {
      let step = path[level]
      if step.index > 0 { return try enter(level, step.index &- 1, .greatest) }
      level &-= 1
    }
    return nil
  }

  /// Prefetches the leaf beside the current one if both have the same parent, so that it is loaded while the
  /// current leaf is read.
  @inline(__always)
  func prefetchLeaf(beside step: Int) {
    guard let path, tree.depth > 1, let base = tree.base else { return }
    let parent = path[tree.depth - 2]
    let index = parent.index &+ step
    guard index >= 0, index < parent.page.count else { return }
    let node = parent.page.node(index)
    guard node >= 0 else { return }
    let number = parent.page.child(node)
    guard number >= 2, number < tree.pageLimit else { return }
    // SAFETY: the page lies in the map, and nothing is read here.
    let offset = Int(truncatingIfNeeded: number) &* tree.pageSize
    guard let seal = tree.seal else { return clmdb_prefetch_all(base + offset, tree.pageSize) }
    // From the map, only the head of an opened page is read.
    clmdb_prefetch(base + offset)
    clmdb_prefetch_all(seal.region + offset, tree.pageSize)
  }

  /// Moves to another node of a branch page, and from there to the leaf at the edge.
  @inline(__always)
  func enter(_ level: Int, _ index: Int, _ edge: Edge) throws(LMDBError) -> MappedPage? {
    guard let path else { return nil }
    path[level].index = index
    let page = path[level].page
    let node = page.node(index)
    guard node >= 0 else { throw damaged(page.number) }
    return try goDown(to: page.child(node), level: level &+ 1, edge)
  }

  /// Moves the cursor off all entries because of a damaged page, and returns the error.
  @inline(never)
  func damaged(_ page: UInt64) -> LMDBError {
    _ = leave(.nowhere)
    return transaction.damage(page: page)
  }

  /// Returns a page on the path, after its first check.
  @inline(__always)
  private func page(
    _ number: UInt64,
    _ kind: UInt16,
    _ level: Int,
    of parent: UInt64
  ) throws(LMDBError) -> MappedPage {
    if let page = tree.page(number, kind, of: parent) { return page }
    return try checkedPage(number, kind, level, of: parent)
  }

  @inline(never)
  private func checkedPage(
    _ number: UInt64,
    _ kind: UInt16,
    _ level: Int,
    of parent: UInt64
  ) throws(LMDBError) -> MappedPage {
    if tree.checkedLimit > 0 {
      let (lower, upper) = bounds(above: level)
      if let page = tree.checkedPage(number, kind, of: parent, from: lower, to: upper) { return page }
    }
    throw damaged(number)
  }

  /// Returns the keys between which the keys of a page must lie, according to the pages on the path.
  ///
  /// - Parameter level: The number of pages of the path above the page.
  func bounds(above level: Int) -> (lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?) {
    var (lower, upper): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
    guard let path else { return (nil, nil) }
    for level in stride(from: level - 1, through: 0, by: -1) {
      let step = path[level]
      if lower == nil, step.index > 0 {
        let node = step.page.node(step.index)
        if node >= 0 { lower = step.page.keyBytes(node) }
      }
      if upper == nil, step.index + 1 < step.page.count {
        let node = step.page.node(step.index + 1)
        if node >= 0 { upper = step.page.keyBytes(node) }
      }
    }
    return (lower, upper)
  }
}
