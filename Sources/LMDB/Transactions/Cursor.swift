import CLMDB

/// A position in a database that moves in the order of the keys' bytes.
///
/// The cursor is not on an entry at first and after a call that returned `false`; `key` and `value` are then
/// empty. They are also empty after the end of its transaction, when every call throws `transactionEnded`.
/// The bytes are in LMDB's pages and valid until the next change in the same transaction.
@usableFromInline package final class Cursor {
  /// The position of the cursor. LMDB itself would stay on the last entry instead of moving past it.
  enum Place { case nowhere, entry, beforeFirst, afterLast }

  @usableFromInline let transaction: Transaction
  let writer: WritableTransaction?
  /// LMDB's cursor, or `nil` if the pages are read directly.
  let handle: OpaquePointer?
  let database: Database?
  /// The tree whose pages are read; empty in a write.
  let tree: MappedTree
  // SAFETY: allocated in `init` with room for each level above the leaves, freed in `deinit`.
  let path: UnsafeMutablePointer<PathStep>?

  @exclusivity(unchecked) var place = Place.nowhere
  /// The current leaf, or `nil` if the cursor is on no leaf or LMDB's cursor is used.
  @exclusivity(unchecked) var leaf: MappedPage?
  @exclusivity(unchecked) var index = 0
  @exclusivity(unchecked) @usableFromInline var currentKey = UnsafeRawBufferPointer(start: nil, count: 0)
  @exclusivity(unchecked) @usableFromInline var currentValue = UnsafeRawBufferPointer(start: nil, count: 0)

  init(transaction: Transaction, handle: OpaquePointer, database: Database) {
    self.transaction = transaction
    self.database = database
    self.handle = handle
    writer = transaction as? WritableTransaction
    tree = MappedTree()
    path = nil
  }

  init(transaction: Transaction, tree: MappedTree) {
    self.transaction = transaction
    self.tree = tree
    handle = nil
    database = nil
    writer = nil
    path = tree.depth > 1 ? .allocate(capacity: tree.depth - 1) : nil
  }

  deinit {
    path?.deallocate()
    // LMDB frees the cursors of a write transaction when the transaction ends, but not the cursors of a read.
    if let handle, writer == nil || transaction.handle != nil { mdb_cursor_close(handle) }
  }

  /// The key of the current entry; empty if the cursor is not on an entry.
  @inlinable
  package var key: UnsafeRawBufferPointer {
    transaction.handle != nil ? currentKey : UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// The value of the current entry; empty if the cursor is not on an entry.
  @inlinable
  package var value: UnsafeRawBufferPointer {
    transaction.handle != nil ? currentValue : UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Moves to the entry with the smallest key.
  @usableFromInline package func first() throws(LMDBError) -> Bool {
    handle == nil
      ? try goToEdge(.least, otherwise: .beforeFirst) : try move(MDB_FIRST, otherwise: .beforeFirst)
  }

  /// Moves to the entry with the greatest key.
  @usableFromInline package func last() throws(LMDBError) -> Bool {
    handle == nil ? try goToEdge(.greatest, otherwise: .afterLast) : try move(MDB_LAST, otherwise: .afterLast)
  }

  /// Moves to the next entry. Moves to the first entry if the cursor has not moved yet or is before the first
  /// entry.
  @usableFromInline package func next() throws(LMDBError) -> Bool {
    if let leaf, index &+ 1 < leaf.count, transaction.handle != nil {
      index &+= 1
      return try load(leaf)
    }
    return try nextSlowly()
  }

  /// Moves to the previous entry. Moves to the last entry if the cursor has not moved yet or is after the
  /// last entry.
  @usableFromInline package func previous() throws(LMDBError) -> Bool {
    if let leaf, index > 0, transaction.handle != nil {
      index &-= 1
      return try load(leaf)
    }
    return try previousSlowly()
  }

  /// Moves to the first entry whose key is greater than or equal to `key`.
  @usableFromInline package func seek(atOrAfter key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    // Every key is greater than or equal to the empty key, which LMDB itself rejects.
    guard let wanted = SearchKey(key) else { return try first() }
    guard key.count <= 511 else {
      throw LMDBError(.keyLengthInvalid, detail: "\(key.count) bytes")
    }
    guard handle == nil else { return try move(MDB_SET_RANGE, to: key, otherwise: .afterLast) }
    _ = try descend(to: wanted)
    return try takeEntry()
  }

  /// Moves to the entry with this key.
  @usableFromInline package func seek(exactly key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    guard let wanted = SearchKey(key), key.count <= 511 else {
      throw LMDBError(.keyLengthInvalid, detail: "\(key.count) bytes")
    }
    guard handle == nil else { return try move(MDB_SET_KEY, to: key, otherwise: .nowhere) }
    guard try descend(to: wanted), let leaf else { return leave(.nowhere) }
    guard try load(leaf) else { return false }
    // The page in the map may have been forged after it was opened.
    if tree.seal != nil, !currentKey.elementsEqual(key) { throw damaged(leaf.number) }
    return true
  }

  @inline(never)
  private func nextSlowly() throws(LMDBError) -> Bool {
    switch place {
    case .entry where handle == nil: try goToNextLeaf() ? true : leave(.afterLast)
    case .entry: try move(MDB_NEXT, otherwise: .afterLast)
    case .nowhere, .beforeFirst: try first() ? true : leave(.afterLast)
    case .afterLast: try stay()
    }
  }

  @inline(never)
  private func previousSlowly() throws(LMDBError) -> Bool {
    switch place {
    case .entry where handle == nil: try goToPreviousLeaf() ? true : leave(.beforeFirst)
    case .entry: try move(MDB_PREV, otherwise: .beforeFirst)
    case .nowhere, .afterLast: try last() ? true : leave(.beforeFirst)
    case .beforeFirst: try stay()
    }
  }

  private func stay() throws(LMDBError) -> Bool {
    guard transaction.handle != nil else { throw transaction.endedError() }
    return false
  }

  /// Moves the cursor off all entries, and returns `false`.
  func leave(_ place: Place) -> Bool {
    self.place = place
    leaf = nil
    clear()
    return false
  }

  func clear() {
    currentKey = UnsafeRawBufferPointer(start: nil, count: 0)
    currentValue = UnsafeRawBufferPointer(start: nil, count: 0)
  }
}
