import CLMDB

extension WritableTransaction {
  /// The number of changed pages that LMDB keeps in memory: `MDB_IDL_UM_MAX`.
  private static let mostPages = (1 << 17) - 1
  private static let spillingTree = "fief:spilling"

  /// Writes changed pages to free pages of the file now, if there are more than `limit`. Readers see
  /// them after the commit only. Bytes in pages that were read before become invalid.
  ///
  /// LMDB does the same when 131,071 pages have changed, which may be more than 512 MiB. It has no function for
  /// it, but before it stores several values of one key it writes pages unless as many as the values need can
  /// stay in memory. So this call offers LMDB many values, of which the first one exists already; LMDB then
  /// stores nothing. Their tree is removed before the commit.
  @usableFromInline package func writePages(beyond limit: Int) throws(LMDBError) {
    let handle = try writable()
    guard session.isChanged, let tree = try spillingTree(handle) else { return }
    var cursor: OpaquePointer?
    let opened = mdb_cursor_open(handle, tree, &cursor)
    guard opened == MDB_SUCCESS, let cursor else { throw failure(opened) }
    defer { mdb_cursor_close(cursor) }
    var statistics = MDB_stat()
    mdb_stat(handle, tree, &statistics)
    // LMDB doubles the estimate.
    let pages = max(0, Self.mostPages - limit) / 2
    let code = Self.withEntry { key, value in
      let count = pages * Int(statistics.ms_psize) / value.pointee.mv_size
      return withUnsafeTemporaryAllocation(of: MDB_val.self, capacity: 2) { values in
        // SAFETY: LMDB reads the first value only, since it returns when it finds this value stored.
        values.initializeElement(at: 0, to: value.pointee)
        values.initializeElement(at: 1, to: MDB_val(mv_size: count, mv_data: nil))
        return mdb_cursor_put(cursor, key, values.baseAddress, UInt32(MDB_MULTIPLE | MDB_NODUPDATA))
      }
    }
    guard code == MDB_KEYEXIST else {
      throw code == MDB_SUCCESS ? LMDBError(.incompatible, "LMDB stored a known value.") : failure(code)
    }
  }

  /// Returns the tree with the known value; `nil` if LMDB has no handle left.
  private func spillingTree(_ handle: OpaquePointer) throws(LMDBError) -> MDB_dbi? {
    if let known = session.spillingTree { return known }
    var tree: MDB_dbi = 0
    let opened = mdb_dbi_open(
      handle,
      Self.spillingTree,
      UInt32(MDB_CREATE | MDB_DUPSORT | MDB_DUPFIXED),
      &tree
    )
    if opened == MDB_DBS_FULL { return nil }
    guard opened == MDB_SUCCESS else { throw failure(opened) }
    session.spillingTree = tree
    let stored = Self.withEntry { mdb_put(handle, tree, $0, $1, 0) }
    guard stored == MDB_SUCCESS else { throw failure(stored) }
    return tree
  }

  private static func withEntry(
    _ body: (UnsafeMutablePointer<MDB_val>, UnsafeMutablePointer<MDB_val>) -> Int32
  ) -> Int32 {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2) { numbers in
      numbers.initialize(repeating: 0)
      let size = MemoryLayout<UInt64>.size
      var key = MDB_val(mv_size: size, mv_data: numbers.baseAddress)
      var value = MDB_val(mv_size: size, mv_data: numbers.baseAddress.map { $0 + 1 })
      return body(&key, &value)
    }
  }
}

extension WriteSession {
  /// Removes the tree of ``WritableTransaction/writePages(beyond:)`` before the commit. Its handle belongs to
  /// the transaction, so no reader can use it.
  func removeSpillingTree(_ transaction: OpaquePointer) -> Int32 {
    guard let tree = spillingTree else { return MDB_SUCCESS }
    spillingTree = nil
    return mdb_drop(transaction, tree, 1)
  }
}
