import CLMDB

extension Cursor {
  /// Replaces the value of the current entry by bytes outside LMDB's pages.
  ///
  /// - Throws: `notFound` if the cursor is not on an entry; `readOnly` in a read.
  @usableFromInline package func put(_ value: UnsafeRawBufferPointer) throws(LMDBError) {
    let (handle, writer, database) = try writable()
    try WritableTransaction.checkLength(ofValue: value.count)
    let tree = try writer.sealedTree(database).flatMap { $0.isSealed(currentKey) ? $0 : nil }
    if let check = writer.session.check {
      try check.willUse(database, currentKey, storing: value.count + (tree?.overhead ?? 0), in: writer)
    }
    let note = writer.willChange(database, WritableTransaction.value(currentKey))
    if let tree {
      try WritableTransaction.checkLength(ofValue: value.count + tree.overhead)
      let sealed = UnsafeMutableRawBufferPointer.allocate(
        byteCount: value.count + tree.overhead,
        alignment: 16
      )
      defer { sealed.deallocate() }
      tree.seal(value, of: currentKey, into: sealed)
      return try put(UnsafeRawBufferPointer(sealed), handle, writer, note)
    }
    try put(value, handle, writer, note)
  }

  /// Stores a value in the same form as in the file: sealed, if the tree is sealed.
  private func put(
    _ value: UnsafeRawBufferPointer,
    _ handle: OpaquePointer,
    _ writer: WritableTransaction,
    _ note: WritableTransaction.ChangeNote
  ) throws(LMDBError) {
    // LMDB moves the page's bytes before it reads the key, so the key must not be in the page.
    let code = withUnsafeTemporaryAllocation(byteCount: currentKey.count, alignment: 1) { copy in
      copy.copyMemory(from: currentKey)
      var key = WritableTransaction.value(UnsafeRawBufferPointer(copy))
      var data = WritableTransaction.value(value)
      return mdb_cursor_put(handle, &key, &data, UInt32(MDB_CURRENT))
    }
    guard code == MDB_SUCCESS else { throw transaction.failure(code) }
    writer.didChange(note)
    guard try move(MDB_GET_CURRENT, otherwise: .nowhere) else { throw transaction.failure(MDB_NOTFOUND) }
  }

  /// Deletes the current entry. ``next()`` then moves to the entry that followed it.
  ///
  /// - Throws: `notFound` if the cursor is not on an entry; `readOnly` in a read.
  @usableFromInline package func delete() throws(LMDBError) {
    let (handle, writer, database) = try writable()
    if let check = writer.session.check {
      try check.willUse(database, currentKey, andPagesAround: true, in: writer)
    }
    let note = writer.willChange(database, WritableTransaction.value(currentKey))
    let code = mdb_cursor_del(handle, 0)
    guard code == MDB_SUCCESS else { throw transaction.failure(code) }
    writer.didChange(note)
    clear()
  }

  /// Moves LMDB's cursor.
  @inline(__always)
  func move(
    _ operation: MDB_cursor_op,
    to wanted: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    otherwise: Place
  ) throws(LMDBError) -> Bool {
    guard transaction.handle != nil, let handle else { throw transaction.endedError() }
    if let check = writer?.session.check { try willMove(operation, to: wanted, check) }
    // SAFETY: LMDB reads the caller's key during the call and replaces the pointer by its own.
    var key = WritableTransaction.value(wanted)
    var value = MDB_val()
    let code = mdb_cursor_get(handle, &key, &value, operation)
    guard code == MDB_SUCCESS else { return try missed(code, otherwise) }
    currentKey = UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)
    currentValue = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    if let database {
      do throws(LMDBError) {
        currentValue = try transaction.inClear(currentValue, of: currentKey, database)
      } catch {
        _ = leave(.nowhere)
        throw error
      }
    }
    place = .entry
    return true
  }

  /// Checks the pages that a move visits.
  @inline(never)
  private func willMove(
    _ operation: MDB_cursor_op,
    to wanted: UnsafeRawBufferPointer,
    _ check: WriteCheck
  ) throws(LMDBError) {
    guard let database else { return }
    switch operation {
    case MDB_FIRST: try check.willUse(database, .least, in: transaction)
    case MDB_LAST: try check.willUse(database, .greatest, in: transaction)
    // After a deletion there is no current key, and the deletion has checked the pages around it.
    default:
      try check.willUse(
        database,
        wanted.isEmpty ? currentKey : wanted,
        andPagesAround: true,
        in: transaction
      )
    }
  }

  @inline(never)
  private func missed(_ code: Int32, _ place: Place) throws(LMDBError) -> Bool {
    _ = leave(place)
    if code == MDB_NOTFOUND { return false }
    throw transaction.failure(code)
  }

  private func writable() throws(LMDBError) -> (OpaquePointer, WritableTransaction, Database) {
    guard transaction.handle != nil else { throw transaction.endedError() }
    guard let writer, let handle, let database else { throw LMDBError(.readOnly) }
    try writer.checkThread()
    guard currentKey.baseAddress != nil else {
      throw LMDBError(.notFound, "The cursor is not on an entry.")
    }
    return (handle, writer, database)
  }
}
