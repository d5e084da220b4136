extension Cursor {
  /// Returns the current entry and the entries that follow it in its page, and moves the cursor to the last
  /// of them.
  ///
  /// - Parameter limit: The maximum number of entries; at least one.
  /// - Returns: `nil` if the cursor is not on an entry.
  @usableFromInline package func run(atMost limit: Int = .max) throws(LMDBError) -> LeafRun? {
    guard transaction.handle != nil else { throw transaction.endedError() }
    guard place == .entry, currentKey.count > 0 else { return nil }
    guard let leaf else { return LeafRun(key: currentKey, value: currentValue) }
    let first = index
    let end = limit < leaf.count &- first ? first &+ limit : leaf.count
    index = end &- 1
    return try take(leaf, first, end)
  }

  /// Returns the entries that follow the current one, as far as they are in one page, and moves the cursor to
  /// the last of them. If the cursor has not moved yet, returns the first page.
  ///
  /// - Returns: `nil` at the end.
  @usableFromInline package func nextRun() throws(LMDBError) -> LeafRun? {
    if place == .entry, let leaf, index &+ 1 == leaf.count {
      guard let leaf = try nextLeaf() else {
        _ = leave(.afterLast)
        return nil
      }
      index = leaf.count &- 1
      return try take(leaf, 0, leaf.count)
    }
    return try next() ? try run() : nil
  }

  /// Returns the current entry and the entries before it in its page, in the order of their keys, and moves
  /// the cursor to the first of them.
  ///
  /// - Parameter limit: The maximum number of entries; at least one.
  /// - Returns: `nil` if the cursor is not on an entry.
  @usableFromInline package func runBackward(atMost limit: Int = .max) throws(LMDBError) -> LeafRun? {
    guard transaction.handle != nil else { throw transaction.endedError() }
    guard place == .entry, currentKey.count > 0 else { return nil }
    guard let leaf else { return LeafRun(key: currentKey, value: currentValue) }
    let end = index &+ 1
    index = limit < end ? end &- limit : 0
    return try take(leaf, index, end)
  }

  /// Returns the entries before the current one, as far as they are in one page, in the order of their keys,
  /// and moves the cursor to the first of them. If the cursor has not moved yet, returns the last page.
  ///
  /// - Returns: `nil` at the beginning.
  @usableFromInline package func previousRun() throws(LMDBError) -> LeafRun? {
    try previous() ? try runBackward() : nil
  }

  /// Returns the current entry and the entries that follow it, up to an index in the same page.
  ///
  /// - Returns: `nil` if there are no such entries.
  func run(to end: Int) throws(LMDBError) -> LeafRun? {
    guard let leaf, index < end, end <= leaf.count else { return nil }
    let first = index
    index = end &- 1
    return try take(leaf, first, end)
  }

  /// Returns the current entry and the entries before it, back to an index in the same page.
  ///
  /// - Returns: `nil` if there are no such entries.
  func runBackward(from start: Int) throws(LMDBError) -> LeafRun? {
    guard let leaf, start <= index else { return nil }
    let end = index &+ 1
    index = start
    return try take(leaf, start, end)
  }

  /// Checks the nodes of a leaf, loads the entry at `index`, and returns the run.
  @inline(__always)
  private func take(_ leaf: MappedPage, _ first: Int, _ end: Int) throws(LMDBError) -> LeafRun {
    var page = leaf
    if let seal = tree.seal {
      guard let opened = opened(leaf, seal) else { throw damaged(leaf.number) }
      page = opened
    }
    // Most pages have only short values.
    guard first <= end, end <= page.count,
      page.hasInside(first..<end) || areSound(page, first..<end, as: leaf)
    else { throw damaged(leaf.number) }
    _ = try load(leaf)
    return LeafRun(page: page, from: first, count: end &- first, in: tree)
  }
}
