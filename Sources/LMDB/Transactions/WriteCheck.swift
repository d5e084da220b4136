import CLMDB

/// Checks the pages that LMDB will visit in a write before it does so, if opening the file has not checked
/// all pages.
///
/// LMDB descends to a key, and merges a page that has become sparse with an adjacent page. These pages belong
/// to the state with which the write begins, which does not change until the write ends, or are LMDB's own if
/// the write has changed them. Therefore the pages on the path to a key are checked before the key is used.
/// Before an entry is deleted or its value replaced by a shorter one, or a cursor moves on from it, the pages
/// around its leaf are checked too (``checkSurroundings(_:)``). LMDB merges pages only at deletions, and the
/// extent of a merge depends on how full the pages are. Whatever the write has removed or merged, each page
/// of the old state next to a fuller page at that point was checked. A leaf is merged when it is filled to
/// less than a quarter. If the leaves in between are fuller together, no leaf beyond them is reached. A
/// branch page is merged when it has one child.
final class WriteCheck {
  /// A tree at the beginning of the write, and the leaf that was used last.
  private struct Place {
    var generation: UInt32
    var tree: MappedTree
    // SAFETY: keys in pages of the old state, which do not change until the write ends.
    var lower: UnsafeRawBufferPointer?
    var upper: UnsafeRawBufferPointer?
    var leaf: MappedPage?
    /// Whether the leaf has values with their own pages, which are checked key by key; `nil` until a second
    /// key of the leaf is used.
    var hasLongValues: Bool?
    var areSurroundingsChecked = false
    /// Whether the pages at the end of the tree were checked.
    var isEndChecked = false

    func covers(_ key: UnsafeRawBufferPointer) -> Bool {
      guard leaf != nil else { return false }
      if let lower, MappedTree.order(key, lower) < 0 { return false }
      if let upper, MappedTree.order(key, upper) >= 0 { return false }
      return true
    }

    mutating func go(
      to leaf: MappedPage,
      _ bounds: (lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?),
      areSurroundingsChecked: Bool
    ) {
      lower = bounds.lower
      upper = bounds.upper
      self.leaf = leaf
      hasLongValues = nil
      self.areSurroundingsChecked = areSurroundingsChecked
    }
  }

  private var places: [Place?] = []

  /// Checks the pages that a lookup or a change at a key visits.
  ///
  /// - Parameters:
  ///   - count: The number of bytes to store, or `nil` if the key is looked up or deleted.
  ///   - around: Whether to check the adjacent pages too. Required if the entry will be deleted or a cursor
  ///     moves on from it.
  func willUse(
    _ database: Database,
    _ key: UnsafeRawBufferPointer,
    storing count: Int? = nil,
    andPagesAround around: Bool = false,
    in transaction: Transaction
  ) throws(LMDBError) {
    let slot = try find(database, transaction)
    guard let place = places[slot], place.tree.depth > 0, let wanted = SearchKey(key) else { return }
    if place.covers(key), place.areSurroundingsChecked || !around, let leaf = place.leaf {
      let hasLongValues = place.hasLongValues ?? self.hasLongValues(leaf)
      if place.hasLongValues == nil { places[slot]?.hasLongValues = hasLongValues }
      if !hasLongValues, place.areSurroundingsChecked || !shrinks(leaf, wanted, count) { return }
    }
    if !around, let known = place.tree.checkedPlace(of: wanted), !known.shrinks(to: count) {
      places[slot]?.go(to: known.leaf, known.bounds, areSurroundingsChecked: false)
      return
    }
    let cursor = Cursor(transaction: transaction, tree: place.tree)
    let isFound = try cursor.descend(to: wanted)
    guard let leaf = cursor.leaf else { return }
    // LMDB frees the pages of a long value according to their head.
    if isFound {
      _ = try cursor.load(leaf)
      try checkLength(of: leaf, cursor.index, place.tree, transaction)
    }
    let around = around || shrinks(leaf, wanted, count)
    let bounds = cursor.bounds(above: place.tree.depth - 1)
    if around, !isAmongFullLeaves(cursor) { try checkSurroundings(cursor) }
    places[slot]?.go(to: leaf, bounds, areSurroundingsChecked: around)
  }

  /// Checks the pages at one end of a tree.
  func willUse(
    _ database: Database,
    _ edge: Cursor.Edge,
    in transaction: Transaction
  ) throws(LMDBError) {
    guard let place = places[try find(database, transaction)] else { return }
    let cursor = Cursor(transaction: transaction, tree: place.tree)
    guard try cursor.goToEdge(edge, otherwise: .nowhere) else { return }
    try willUse(database, cursor.currentKey, andPagesAround: true, in: transaction)
  }

  /// Checks the pages that an append visits, whatever its key is, because LMDB first descends to the greatest
  /// key.
  ///
  /// They are checked once: a page that becomes the last one was adjacent to a removed page, and so was
  /// checked with it.
  func willAppend(_ database: Database, in transaction: Transaction) throws(LMDBError) {
    let slot = try find(database, transaction)
    if places[slot]?.isEndChecked != false { return }
    try willUse(database, .greatest, in: transaction)
    places[slot]?.isEndChecked = true
  }

  /// Checks all pages of a tree.
  func willRemoveAll(_ database: Database, in transaction: Transaction) throws(LMDBError) {
    guard let place = places[try find(database, transaction)] else { return }
    let cursor = Cursor(transaction: transaction, tree: place.tree)
    guard try cursor.goToEdge(.least, otherwise: .nowhere) else { return }
    var next = cursor.leaf
    while let leaf = next {
      guard place.tree.areSound(leaf, 0..<leaf.count, as: leaf) else { throw cursor.damaged(leaf.number) }
      for index in 0..<leaf.count { try checkLength(of: leaf, index, place.tree, transaction) }
      next = try cursor.nextLeaf()
    }
  }

  /// Verifies the whole file if a long value has another number of pages than its length requires. LMDB frees
  /// as many pages as the value's first page states, and a damaged number would free pages in use. A value
  /// that became shorter within one transaction legitimately keeps more pages.
  private func checkLength(
    of leaf: MappedPage,
    _ index: Int,
    _ tree: MappedTree,
    _ transaction: Transaction
  ) throws(LMDBError) {
    if tree.hasPagesOfItsLength(leaf, leaf.node(index)) { return }
    _ = try transaction.environment.verify()
  }

  /// Whether a leaf is in the middle of its parent, and the leaves on both sides were checked and are filled
  /// to a quarter, so that no other page can be merged with it. This is the usual case, and costs two
  /// lookups.
  private func isAmongFullLeaves(_ cursor: Cursor) -> Bool {
    let tree = cursor.tree
    guard tree.depth > 1, let step = cursor.path?[tree.depth - 2], step.index > 1,
      step.index + 2 < step.page.count
    else { return tree.depth <= 1 }
    let parent = step.page.number
    for index in [step.index - 1, step.index + 1] {
      let node = step.page.node(index)
      guard node >= 0, let leaf = tree.page(step.page.child(node), PageFlags.leaf, of: parent),
        leaf.filled >= tree.pageSize / 4
      else { return false }
    }
    return true
  }

  /// Checks the leaves on both sides of a key's leaf, until the checked leaves on a side are together filled
  /// to a quarter of a page.
  ///
  /// If this reaches an edge of the parent, it also checks the pages adjacent to the path on each level above
  /// the leaves, with their outermost paths down to a leaf. A parent is merged when it has lost all children
  /// but one, and by then a leaf at its edge, or the leaf next to it, was used.
  private func checkSurroundings(_ cursor: Cursor) throws(LMDBError) {
    guard let path = cursor.path else { return }
    let depth = cursor.tree.depth
    let way = (0..<depth - 1).map { path[$0] }
    let parent = way[depth - 2]
    var (filled, last) = (0, parent.index)
    while filled < cursor.tree.pageSize / 4, let leaf = try cursor.nextLeaf() {
      filled += leaf.filled
      last += 1
    }
    for level in way.indices { path[level] = way[level] }
    var first = parent.index
    filled = 0
    while filled < cursor.tree.pageSize / 4, let leaf = try cursor.previousLeaf() {
      filled += leaf.filled
      first -= 1
    }
    guard first <= 0 || last >= parent.page.count - 1 else { return }
    for level in 0..<max(depth - 2, 0) {
      for index in way[level].index - 1...way[level].index + 1 where index >= 0 {
        guard index < way[level].page.count else { continue }
        for edge in [Cursor.Edge.least, .greatest] {
          for above in 0...level { path[above] = way[above] }
          _ = try cursor.enter(level, index, edge)
        }
      }
    }
  }

  /// Whether a value takes fewer bytes of its leaf than the value that it replaces, because it is shorter or
  /// may get its own pages.
  ///
  /// - Parameter leaf: A leaf that was checked.
  private func shrinks(_ leaf: MappedPage, _ key: SearchKey, _ count: Int?) -> Bool {
    guard let count else { return false }
    let found = leaf.lowerBound(key, from: 0, near: -1)
    guard found.isEqual else { return false }
    let node = leaf.node(found.index)
    guard node >= 0, leaf.flags(node) == 0 else { return node < 0 }
    return leaf.shrinks(node, to: count)
  }

  private func hasLongValues(_ leaf: MappedPage) -> Bool {
    (0..<leaf.count).contains { index in
      let node = leaf.node(index)
      return node < 0 || leaf.flags(node) != 0
    }
  }

  /// Returns the index of a database's tree at the beginning of the write, and looks up the tree if
  /// necessary.
  private func find(_ database: Database, _ transaction: Transaction) throws(LMDBError) -> Int {
    let slot = Int(database.slot)
    while places.count <= slot { places.append(nil) }
    if places[slot]?.generation != database.generation {
      places[slot] = Place(generation: database.generation, tree: try look(for: database, transaction))
    }
    return slot
  }

  private func look(for database: Database, _ transaction: Transaction) throws(LMDBError) -> MappedTree {
    let environment = transaction.environment
    guard let name = (transaction as? WritableTransaction)?.name(of: database),
      let handle = environment.handle
    else { return MappedTree() }
    // A reader that begins now sees the state with which the write began. It does not come from the pool,
    // because a close may have shut the pool.
    var begun: OpaquePointer?
    let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &begun)
    // The pool keeps its slots in LMDB's table, so it may own all of them although none is in use.
    if code == MDB_READERS_FULL { return try lookFromPool(for: name, slot: database.slot, environment) }
    guard code == MDB_SUCCESS, let reader = begun else {
      throw LMDBError(returnCode: code, path: environment.directory, doing: "mdb_txn_begin")
    }
    defer { mdb_txn_abort(reader) }
    return try environment.tree(named: name, slot: database.slot, in: reader)
  }

  /// Looks up a tree with a slot of the pool. The writer lock keeps the environment open in the meantime.
  private func lookFromPool(
    for name: String,
    slot database: UInt32,
    _ environment: Environment
  ) throws(LMDBError) -> MappedTree {
    let index = environment.readers.takeSlot(currentThread())
    guard index >= 0 else { throw LMDBError(.readersFull, path: environment.directory) }
    defer {
      environment.rest(index)
      environment.release(index)
    }
    let slot = environment.readers.slots + index
    let code = environment.renew(slot)
    guard code == MDB_SUCCESS, let reader = slot.pointee.handle else {
      throw LMDBError(returnCode: code, path: environment.directory, doing: "mdb_txn_renew")
    }
    return try environment.tree(named: name, slot: database, in: reader)
  }
}

extension MappedTree.LeafPosition {
  /// Whether a value of `count` bytes takes fewer bytes of the leaf than the stored value.
  fileprivate func shrinks(to count: Int?) -> Bool {
    guard let count, let node else { return false }
    return leaf.shrinks(node, to: count)
  }
}

extension MappedPage {
  /// Whether a value of `count` bytes takes fewer bytes of the leaf than the value of a node without separate
  /// pages.
  fileprivate func shrinks(_ node: Int, to count: Int) -> Bool {
    count < valueCount(node) || count > size / 4
  }

  /// The number of used bytes of the page.
  var filled: Int {
    let lower = Int(start.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    let upper = Int(start.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
    return size - Page.headerSize - max(upper - lower, 0)
  }
}
