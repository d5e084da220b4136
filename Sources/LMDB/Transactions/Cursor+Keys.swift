/// Passing entries whose values are damaged, in a read. In a write these methods read each value.
extension Cursor {
  /// Moves to the next entry without reading its value. ``value`` is then empty until ``readValue()``.
  package func nextKey() throws(LMDBError) -> Bool {
    guard transaction.handle != nil else { throw transaction.endedError() }
    guard handle == nil else { return try next() }
    if place == .entry, let leaf {
      if index &+ 1 < leaf.count {
        index &+= 1
        return try loadKey(leaf)
      }
      guard let next = try nextLeaf() else { return leave(.afterLast) }
      return try loadFirstKey(next)
    }
    return place == .afterLast ? false : try firstKey()
  }

  /// Moves to the first entry whose key is greater than or equal to `key`, without reading its value.
  package func seekKey(atOrAfter key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    guard handle == nil, key.count <= 511 else { return try seek(atOrAfter: key) }
    guard let wanted = SearchKey(key) else {
      guard transaction.handle != nil else { throw transaction.endedError() }
      return try firstKey()
    }
    _ = try descend(to: wanted)
    guard let leaf else { return leave(.afterLast) }
    if index < leaf.count { return try loadKey(leaf) }
    guard let next = try nextLeaf() else { return leave(.afterLast) }
    return try loadKey(next)
  }

  /// Reads the value of the current entry. If the value is damaged, the cursor stays on the entry.
  package func readValue() throws(LMDBError) -> UnsafeRawBufferPointer {
    guard transaction.handle != nil else { throw transaction.endedError() }
    guard handle == nil else { return currentValue }
    guard place == .entry, let leaf else { throw LMDBError(.notFound) }
    let node = leaf.node(index)
    guard node >= 0, let value = tree.value(leaf, node) else { throw transaction.damage(page: leaf.number) }
    currentValue = value
    return value
  }

  private func firstKey() throws(LMDBError) -> Bool {
    guard tree.depth > 0 else { return leave(.afterLast) }
    return try loadFirstKey(try goDown(to: tree.root, level: 0, .least))
  }

  private func loadFirstKey(_ leaf: MappedPage) throws(LMDBError) -> Bool {
    // All values of the leaf are probably needed. If one of them is damaged, they are opened one by one.
    if let seal = tree.seal { _ = opened(leaf, seal) }
    return try loadKey(leaf)
  }

  private func loadKey(_ leaf: MappedPage) throws(LMDBError) -> Bool {
    let node = leaf.node(index)
    guard node >= 0 else { throw damaged(leaf.number) }
    currentKey = UnsafeRawBufferPointer(start: leaf.key(node), count: leaf.keyCount(node))
    currentValue = UnsafeRawBufferPointer(start: nil, count: 0)
    place = .entry
    return true
  }
}
