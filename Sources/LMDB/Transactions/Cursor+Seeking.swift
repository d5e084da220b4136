extension Cursor {
  /// Moves to the last entry whose key is less than or equal to `key`.
  @usableFromInline package func seek(atOrBefore key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    try seekNear(key) ? true : stepBack()
  }

  /// Moves to the last entry whose key is less than `key`.
  @usableFromInline package func seek(before key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    _ = try seekKey(atOrAfter: key)
    return try stepBack()
  }

  /// Moves to the first entry whose key is greater than `key`.
  @usableFromInline package func seek(after key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    try seekNear(key) ? try next() : place == .entry
  }

  /// Moves to the first entry whose key is greater than or equal to `key`.
  ///
  /// - Returns: Whether the key is equal.
  private func seekNear(_ key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    guard try seek(atOrAfter: key) else { return false }
    return self.key.count == key.count && self.key.elementsEqual(key)
  }

  private func stepBack() throws(LMDBError) -> Bool { place == .afterLast ? try last() : try previous() }

  /// Moves by a number of entries, backward if the number is negative, like the same number of calls of
  /// ``next()`` or ``previous()``. 0 does not move the cursor.
  ///
  /// Skipped entries are not read. In a read, the number of steps is the number of pages in between.
  ///
  /// - Returns: Whether the cursor is then on an entry.
  @usableFromInline package func skip(_ count: Int) throws(LMDBError) -> Bool {
    guard transaction.handle != nil else { throw transaction.endedError() }
    guard count != 0 else { return place == .entry && !key.isEmpty }
    return count > 0 ? try skipForward(count) : try skipBackward(count.magnitude)
  }

  private func skipForward(_ count: Int) throws(LMDBError) -> Bool {
    var left = count
    if handle == nil, place == .entry {
      while let leaf {
        let rest = leaf.count &- 1 &- index
        if left <= rest {
          index &+= left
          return try load(leaf)
        }
        left &-= rest &+ 1
        guard try nextLeaf() != nil else { return leave(.afterLast) }
        if left == 0, let leaf = self.leaf { return try load(leaf) }
      }
    }
    while left > 0 {
      guard try next() else { return false }
      left &-= 1
      if handle == nil, left > 0 { return try skipForward(left) }
    }
    return true
  }

  private func skipBackward(_ count: UInt) throws(LMDBError) -> Bool {
    var left = count
    if handle == nil, place == .entry {
      while let leaf {
        if left <= UInt(index) {
          index &-= Int(left)
          return try load(leaf)
        }
        left &-= UInt(index) &+ 1
        guard try previousLeaf() != nil else { return leave(.beforeFirst) }
        if left == 0, let leaf = self.leaf { return try load(leaf) }
      }
    }
    while left > 0 {
      guard try previous() else { return false }
      left &-= 1
      if handle == nil, left > 0 { return try skipBackward(left) }
    }
    return true
  }
}
